/** Shared by the matchers: who is tested, on what, and what the assertion says. */
import type { AnyAgent, EvaluateOptions } from '@vlgym/agents';
import { GymError, show } from '@vlgym/core';
import type { MatcherState } from 'vitest';
import { type AgentCheck, note } from '../check.js';
import type { Played } from '../play/play.js';
import { failureMessage } from '../report/words.js';

type Task = NonNullable<MatcherState['task']>;

/** A matcher was called with something else. */
class NotAnAgentError extends GymError {
  constructor(matcher: string, received: unknown) {
    super(`\`${matcher}\` was called on ${show(received)}.`, {
      code: 'NOT_AN_AGENT',
      value: received,
      expected: 'expect(agent), an object with `name` and `act`',
      ...(typeof received === 'function' && { hint: `call it: expect(${received.name || 'agent'}(…))` }),
    });
  }
}

/** @throws {NotAnAgentError} */
export function checkedAgent(matcher: string, received: unknown): AnyAgent {
  const { name, act } = (received ?? {}) as { readonly name?: unknown; readonly act?: unknown };
  if (typeof name === 'string' && typeof act === 'function') return received as AnyAgent;
  throw new NotAnAgentError(matcher, received);
}

type Outcome = ReturnType<typeof outcome>;

/** The matcher; what it throws reaches the reporter, too, or the test would be missing from the summary of a job. */
export function reported<Arguments extends unknown[]>(
  matcher: string,
  run: (this: MatcherState, received: unknown, ...rest: Arguments) => Promise<Outcome>,
) {
  return async function (this: MatcherState, received: unknown, ...rest: Arguments): Promise<Outcome> {
    try {
      return await run.call(this, received, ...rest);
    } catch (error) {
      const { name } = (received ?? {}) as { readonly name?: unknown };
      const code = GymError.isInstance(error) ? error.code : 'FAILED';
      const [message] = (error instanceof Error ? error.message : String(error)).split('\n');
      const [first, options] = rest as readonly unknown[] as readonly [unknown?, { readonly env?: unknown }?];
      const env = matcher === 'toSolve' ? first : options?.env;
      note(this.task, {
        ...{ matcher, verdict: 'undecided', text: `${code}: ${message}` },
        agent: typeof name === 'string' ? name : '–',
        environment: typeof env === 'string' ? env : '–',
        ...{ episodes: 0, planned: 0, excluded: 0, failures: [] },
        usage: { requests: 0, inputTokens: 0, outputTokens: 0, cost: 0 },
      });
      throw error;
    }
  };
}

export const environmentName = (
  env: EvaluateOptions['env'] | undefined,
  { evaluation }: Pick<Played, 'evaluation'>,
): string => evaluation.env ?? (typeof env === 'string' ? env : 'the environment');

/** Undecided is neither a pass nor its opposite: `expect(…).not` fails, too. */
export function outcome(check: AgentCheck, isNot: boolean) {
  const pass = check.verdict === 'undecided' ? isNot : check.verdict === 'pass';
  return { pass, message: () => failureMessage(check) };
}

const latest = new WeakMap<Task, Map<AnyAgent, Played>>();

/** Keeps the episodes of an agent in this test for `toStayWithin`. */
export function remember(task: Readonly<Task> | undefined, agent: AnyAgent, played: Played): void {
  if (!task) return;
  const known = latest.get(task) ?? new Map<AnyAgent, Played>();
  latest.set(task, known.set(agent, played));
}

export const remembered = (task: Readonly<Task> | undefined, agent: AnyAgent): Played | undefined =>
  task && latest.get(task)?.get(agent);
