/** The options of `vlgym sft`. */
import { z } from 'zod';
import { needs } from '../command-line/needs.js';
import { deviceOption } from '../device.js';

const whole = z.number().int();

/** The weights of `--start` have a rank and a type already. */
const fresh = needs({ start: false, weights: ['a model folder'] }, 'a preset trains all its weights, in float32');

/** The kinds of examples, for conditions of options. */
export const RECORDED = 'recorded episodes';
export const CHATS = 'rows of chats, which have no outcome';

export const sftSchema = z.object({
  data: z
    .array(z.string())
    .min(1)
    .describe('runs, recordings, suites, and .jsonl or .parquet files of episodes or chat rows'),
  model: z
    .string()
    .optional()
    .describe(
      'a preset (tiny, small), or a folder as published of a family that `vlgym models inspect --help` names; default tiny, or the model of --start',
    ),
  start: z.string().optional().describe('weights to start from: a run, RUN@UPDATE, a checkpoint or a policy folder'),
  out: z.string().default('runs/sft').describe('where weights, metrics and checkpoints go'),
  epochs: whole.positive().default(1).describe('passes over the data'),
  batch: whole.positive().default(32).describe('examples per optimizer step'),
  batchTokens: whole
    .positive()
    .optional()
    .describe('tokens per forward pass, padding included; default 4096 with a folder, whole batches with a preset'),
  learningRate: z
    .number()
    .positive()
    .optional()
    .describe('highest rate; default: what a preset declares (tiny, small: 1e-3), else 2e-5'),
  warmup: z.number().min(0).max(1).default(0.03).describe('share of the steps in which the rate rises'),
  maxGradNorm: z.number().positive().default(1).describe('largest gradient norm'),
  seed: whole.nonnegative().default(0).describe('seed of weights, order and split'),
  evalShare: z.number().min(0).max(0.9).default(0.05).describe('share of rows or episodes that are only measured'),
  evaluateEvery: whole
    .positive()
    .default(200)
    .meta(needs({ evalShare: { not: 0 } }))
    .describe('steps between measurements of the loss on those'),
  saveEvery: whole.positive().default(200).describe('steps between checkpoints'),
  episodes: z
    .enum(['success', 'all'])
    .default('success')
    .meta(needs({ examples: [RECORDED] }))
    .describe('episodes of recordings to learn from'),
  minReturn: z
    .number()
    .optional()
    .meta(needs({ examples: [RECORDED] }))
    .describe('smallest return of an episode of a recording'),
  skipInvalid: z.boolean().default(false).describe('leave invalid rows out, each with a message'),
  loraRank: whole.positive().optional().meta(fresh).describe('rank of the adapters on a model folder; default 128'),
  dtype: z.enum(['float32', 'bfloat16', 'float16']).optional().meta(fresh).describe('dtype of a model folder'),
  ...deviceOption,
  threads: whole.positive().optional().describe('threads of libtorch; default: all cores'),
  resume: z.boolean().default(false).describe('continue from the last checkpoint in --out'),
});

export type SftOptions = z.output<typeof sftSchema>;
