/** Shared by the commands that ask an agent. */

import type { z } from 'zod';
import { type AgentChoice, agentOptions } from '../../agents.js';
import { UsageError } from '../../command-line/command.js';
import { modelOptions, modelOptionsOf } from '../../model-options.js';

export const answeringOptions = { ...agentOptions, ...modelOptions };
type Answering = z.output<z.ZodObject<typeof answeringOptions>>;

/** Greedy, and as short as the harness asks, unless the user says otherwise. */
export function choiceOf(given: Answering, agent: string, tokens: number): AgentChoice {
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
