/** The meaning of a person's line: an action, one that would change nothing, or neither; and the reply to it. */
import { type AnyEnv, GymError, type Info, stepLimitOf } from '@vlgym/core';
import { actionText, actionWords, readAction } from '../actions.js';
import type { AgentContext } from '../agent.js';
import { refusalOf } from '../refusal.js';
import { nearMiss } from './terminal-text.js';

/** Actions as a person types them, if they can be listed. */
export function choicesOf<O, A, I extends Info>(context: AgentContext<O, A, I>): readonly string[] | undefined {
  const { dialogue, actionSpace } = context.env;
  return dialogue?.choices?.(context).map((action) => actionText(actionSpace, action)) ?? actionWords(actionSpace);
}

/** The action of a line, if it is one, and what speaks against it. */
export function readLine<O, A, I extends Info>(
  context: AgentContext<O, A, I>,
  line: string,
): { readonly action: A; readonly doubt: string | undefined } | { readonly doubt: string } {
  const { env } = context;
  const choices = choicesOf(context);
  const near = nearMiss(line, choices ?? []);
  const meant = near === undefined ? undefined : `Unknown action "${line}". Did you mean "${near}"?`;
  try {
    const action = readAction(env.actionSpace, line);
    return { action, doubt: refusalOf(env as AnyEnv, action) ?? meant };
  } catch (error) {
    if (!GymError.isInstance(error)) throw error;
    return { doubt: meant ?? noAction(line, choices, env.actionSpace.describe()) };
  }
}

/** More choices than this are not repeated. */
const FEW = 12;

function noAction(line: string, choices: readonly string[] | undefined, described: string): string {
  const named = `"${line.length > 60 ? `${line.slice(0, 60)}…` : line}" is not an action.`;
  if (choices === undefined) return `${named} Type ${described}.`;
  return choices.length > FEW ? `${named} :help lists the actions.` : `${named} Type one of: ${choices.join(', ')}.`;
}

/** `Step 3 of 20. Reward -1, score 4.` */
export function scoreOf(env: AnyEnv, step: number, history: readonly { readonly reward: number }[]): string {
  const limit = stepLimitOf(env);
  const score = history.reduce((sum, { reward }) => sum + reward, 0);
  const of = Number.isFinite(limit) ? ` of ${limit}` : '';
  return `Step ${step}${of}. Reward ${short(history.at(-1)?.reward ?? 0)}, score ${short(score)}.`;
}

const short = (value: number) => String(Number(value.toFixed(3)));
