/** Options of language models, the same for `eval` and for the agents of a suite file. */
import type { ModelAgentOptions } from '@vlgym/agents';
import type { RateLimits } from '@vlgym/agents/model';
import { z } from 'zod';
import { needs } from './command-line/needs.js';
import { UsageError } from './command-line/usage-error.js';

const positive = z.number().positive();

const asked = needs(
  { player: ['--agent openai', '--agent PROVIDER/MODEL'] },
  'an agent of yours has its own options, in its file',
);

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
    .meta(asked)
    .describe('settings of the requests of a language model, e.g. temperature=0'),
  prices: z
    .strictObject({
      inputPerMillion: z.number().nonnegative(),
      outputPerMillion: z.number().nonnegative(),
      cachedInputPerMillion: z.number().nonnegative().optional(),
    })
    .optional()
    .meta(asked)
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
    .meta(asked)
    .describe('stops a language model: requests, retries, tokens, inputTokens, outputTokens or cost'),
  limits: z
    .strictObject({ requestsPerMinute: positive.optional(), tokensPerMinute: positive.optional() })
    .optional()
    .meta(asked)
    .describe('rate of all lanes together: requestsPerMinute, tokensPerMinute'),
  actions: z
    .enum(['auto', 'text', 'tools'])
    .optional()
    .meta(asked)
    .describe('how a language model acts: in writing or by tool calls'),
  repairTurns: z
    .number()
    .int()
    .nonnegative()
    .optional()
    .meta(asked)
    .describe('retries after an invalid response; each has the error'),
};

type Given = { readonly [Key in keyof typeof modelOptions]?: z.output<(typeof modelOptions)[Key]> };

export type GivenModelOptions = Omit<ModelAgentOptions, 'limits'> & { readonly limits?: RateLimits };

/** Options of a model agent, from the parsed arguments. @throws {UsageError} A cost that nothing is counted for. */
export function modelOptionsOf({ settings, prices, budget, limits, actions, repairTurns }: Given): GivenModelOptions {
  if (budget?.cost !== undefined && prices === undefined) {
    throw new UsageError(`--budget cost=${budget.cost} needs --prices.`, {
      value: budget.cost,
      expected: 'prices, without which every request costs nothing',
      hint: '--prices inputPerMillion=3 --prices outputPerMillion=15',
    });
  }
  const given = { settings, prices, budget, limits, actions, repairTurns };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as GivenModelOptions;
}
