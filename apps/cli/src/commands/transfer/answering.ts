/** Shared by the commands that ask an agent. */

import { agentAnswerer } from '@vlgym/transfer';
import { z } from 'zod';
import { type AgentChoice, agentOptions, checkAgentOptions, openAgent } from '../../agents.js';
import { type CommandContext, UsageError } from '../../command-line/command.js';
import type { Given } from '../../command-line/given.js';
import { modelOptions, modelOptionsOf } from '../../model-options.js';
import { resumeCommand } from '../../terminal/command-line.js';
import { Progress } from '../../terminal/progress.js';

export const answeringOptions = { ...agentOptions, ...modelOptions };
type Answering = z.output<z.ZodObject<typeof answeringOptions>>;

/**
 * Greedy, and as short as the harness asks, unless the user says otherwise.
 *
 * @param origins  The options that were typed.
 * @throws {UsageError} One of them is not used by the agent.
 */
export function choiceOf(given: Answering, agent: string, tokens: number, origins: Given): AgentChoice {
  checkAgentOptions({ options: z.object(answeringOptions) }, agent, given, origins);
  if (agent === 'oracle') {
    throw new UsageError('--agent oracle cannot answer questions.', { hint: 'only environments have an expert' });
  }
  const { settings, ...options } = modelOptionsOf(given);
  return {
    ...given,
    agent,
    env: undefined,
    ...(agent === 'policy' && {
      temperature: given.temperature ?? 0,
      maxNewTokens: given.maxNewTokens ?? tokens,
      constrain: given.constrain ?? 'none',
    }),
    modelOptions: { ...options, settings: { temperature: 0, maxOutputTokens: tokens, ...settings } },
  };
}

/**
 * Lets an agent answer, with a line of progress.
 *
 * @returns The result of `work`; `undefined` if the user stopped it, after saying how to continue.
 */
export async function whileAnswering<T>(
  choice: AgentChoice,
  { total, unit }: { readonly total: number; readonly unit: string },
  { stderr, signal }: CommandContext,
  work: (model: ReturnType<typeof agentAnswerer>, progress: Progress) => Promise<T>,
): Promise<T | undefined> {
  const { agent, close } = await openAgent(choice);
  const progress = new Progress({ label: agent.name, total, unit });
  try {
    const result = await work(agentAnswerer(agent), progress);
    progress.end();
    return result;
  } catch (error) {
    progress.fail();
    if (!signal.aborted) throw error;
    stderr.write(`stopped; continue with: ${resumeCommand()}\n`);
    return undefined;
  } finally {
    await close();
  }
}
