/** Options of language models, the same for `eval` and for the agents of a suite file. */
import type { ModelAgentOptions } from '@vlgym/agents';
import type { RateLimits } from '@vlgym/agents/model';
import { z } from 'zod';

const positive = z.number().positive();

export const modelOptions = {
  settings: z
    .strictObject({
      temperature: z.number().nonnegative().optional(),
      maxOutputTokens: z.number().int().positive().optional(),
      topP: z.number().positive().max(1).optional(),
      topK: z.number().int().positive().optional(),
      presencePenalty: z.number().optional(),
      frequencyPenalty: z.number().optional(),
      stopSequences: z.array(z.string()).optional(),
      seed: z.number().int().optional(),
      providerOptions: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
    })
    .optional()
    .describe('settings of the requests of a language model, e.g. temperature=0'),
  prices: z
    .strictObject({
      inputPerMillion: z.number().nonnegative(),
      outputPerMillion: z.number().nonnegative(),
      cachedInputPerMillion: z.number().nonnegative().optional(),
    })
    .optional()
    .describe('prices of a language model: inputPerMillion, outputPerMillion, cachedInputPerMillion'),
  budget: z
    .strictObject({
      requests: positive.optional(),
      retries: z.number().int().nonnegative().optional(),
      inputTokens: positive.optional(),
      outputTokens: positive.optional(),
      tokens: positive.optional(),
      cost: positive.optional(),
    })
    .optional()
    .describe('stops a language model: requests, retries, tokens, inputTokens, outputTokens or cost'),
  limits: z
    .strictObject({ requestsPerMinute: positive.optional(), tokensPerMinute: positive.optional() })
    .optional()
    .describe('rate of all lanes together: requestsPerMinute, tokensPerMinute'),
  actions: z
    .enum(['auto', 'text', 'tools'])
    .optional()
    .describe('how a language model acts: in writing or by tool calls'),
  repairTurns: z
    .number()
    .int()
    .nonnegative()
    .optional()
    .describe('retries after an invalid response; each has the error'),
};

type Given = { readonly [Key in keyof typeof modelOptions]?: z.output<(typeof modelOptions)[Key]> };

export type GivenModelOptions = Omit<ModelAgentOptions, 'limits'> & { readonly limits?: RateLimits };

/** Options of a model agent, from the parsed arguments. */
export function modelOptionsOf({ settings, prices, budget, limits, actions, repairTurns }: Given): GivenModelOptions {
  const given = { settings, prices, budget, limits, actions, repairTurns };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as GivenModelOptions;
}
