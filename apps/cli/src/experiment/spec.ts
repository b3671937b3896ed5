/**
 * One training run as data: the flags or config file of `train`, the config that `bench` passes to its processes, and
 * the content of `run.json` next to the results.
 */

import { FALLBACKS } from '@vlgym/agents';
import { z } from 'zod';
import type { Given } from '../command-line/given.js';
import { needs } from '../command-line/needs.js';
import { deviceOption } from '../device.js';
import { importOption } from '../imports.js';
import { queueRunOptions, WITHOUT_QUEUE } from '../queue-run/options.js';

const whole = z.number().int();

/** Facts that these name are those of `task-needs.ts`. */
const ofFolder = needs({ weights: ['a model folder'] }, 'a preset trains all its weights, in float32');
const noStart = needs({ start: false }, 'the weights of --start are the start');
const warmStarted = { start: false, warmStart: { not: 'none' }, teacher: ['a teacher'] } as const;
const ofWarmStart = needs(warmStarted, 'no warm start is made');
const ofLessons = needs({ ...warmStarted, warmStartExamples: { not: 0 } }, 'no warm start is made');
const algorithmOnly = { learner: ['an algorithm'] } as const;
const ofAlgorithm = needs(algorithmOnly, 'a control by imitation has no algorithm');
const inGroup = needs([{ procs: { not: 1 } }, { WORLD_SIZE: true }], 'add --procs 2');
const ofRecord = needs({ record: true }, 'add --record 5 to keep what every fifth update learned from');

/** Training seeds of several runs. */
export const seedList = z
  .array(whole.nonnegative())
  .min(1)
  .refine((seeds) => new Set(seeds).size === seeds.length, 'each seed once');

export const taskSchema = z.object({
  env: z.string().default('vlgym/EZPoints-v1').describe('id or short name of the environment'),
  ...importOption,
  envOptions: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('options of the environment; default: what it declares for training'),
  model: z
    .string()
    .default('tiny')
    .describe(
      'model: a preset, or a folder as published of a family that `vlgym models inspect --help` names; --import adds families',
    ),
  loraRank: whole.positive().optional().meta(ofFolder).describe('rank of the adapters on a model folder; default 128'),
  dtype: z
    .enum(['float32', 'bfloat16', 'float16'])
    .optional()
    .meta(ofFolder)
    .describe('dtype of a model folder; default: as published'),
  ...deviceOption,
  checkpointActivations: z
    .boolean()
    .optional()
    .describe('keep less for backward passes and compute it again: less memory, more time, the same result'),
  samplerDtype: z
    .enum(['same', 'bfloat16', 'int8'])
    .optional()
    .describe('sample with a copy of the weights in fewer bytes: faster on a CPU; losses correct for the difference'),
  autocast: z
    .enum(['none', 'bfloat16'])
    .optional()
    .describe(
      'products of training and scoring in bfloat16 next to float32 weights, as torch.autocast; for GPUs and processors with AVX-512 BF16 or AMX',
    ),
  promptCache: z
    .number()
    .nonnegative()
    .optional()
    .describe(
      'megabytes of conversations that sampling does not read again at every turn, for a dialogue with earlier turns such as chat-v1; default 0',
    ),
  start: z
    .string()
    .optional()
    .describe('weights to start from: a run, RUN@UPDATE, a checkpoint or a policy folder; default: a warm start'),
  warmStart: z
    .enum(['expert', 'none'])
    .optional()
    .meta(noStart)
    .describe('imitate the expert of the environment first (default), or start from the weights of the model'),
  warmStartExamples: whole
    .nonnegative()
    .optional()
    .meta(ofWarmStart)
    .describe('expert labels in the warm start; 0: no warm start'),
  batchTokens: whole
    .positive()
    .optional()
    .meta(ofLessons)
    .describe('tokens per pass of the warm start, padding included'),
  warmStartMistakes: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .meta(ofLessons)
    .describe('share of labels with an action drawn at random'),
  warmStartLearningRate: z
    .number()
    .positive()
    .optional()
    .meta(ofLessons)
    .describe('highest rate of the warm start; default: what the environment declares, for a model folder 2e-4'),
  warmStartBatch: whole
    .positive()
    .optional()
    .meta(ofLessons)
    .describe('labels per optimizer step of the warm start; default: what the environment declares'),
  warmStartSeed: whole
    .nonnegative()
    .optional()
    .meta(noStart)
    .describe('seed of the first weights and of the labels of the warm start; default 0'),
  updates: whole.positive().optional().describe('updates of the policy'),
  stepsPerUpdate: whole.positive().optional().describe('environment steps per update, over all environments'),
  numEnvs: whole.positive().optional().meta(ofAlgorithm).describe('environments played side by side'),
  envWorkers: whole
    .positive()
    .max(256)
    .optional()
    .describe('threads that step the environments; default: they are stepped in the thread of the run'),
  phases: z
    .record(z.string().regex(/^(0|[1-9]\d*)$/, 'a number of updates'), z.record(z.string(), z.unknown()))
    .optional()
    .describe(
      'options of the environment in training from an update on, over --env-options, e.g. 0.KEY=A and 5.KEY=B; the warm start and evaluations keep theirs',
    ),
  evaluateEvery: whole.positive().optional().meta(ofAlgorithm).describe('updates between evaluations'),
  evaluationEpisodes: whole.positive().default(200).describe('number of fixed evaluation seeds'),
  evaluationFirstSeed: whole.nonnegative().default(1_000_000).describe('first of them'),
  evaluationTemperature: z
    .number()
    .min(0)
    .optional()
    .describe('sampling temperature of evaluation; 0 is greedy. Default: by the task'),
  evaluationFallback: z
    .enum(FALLBACKS)
    .optional()
    .describe(
      'what an unreadable answer is in evaluations: a turn that does nothing, a random action, or the end of the episode; default illegal-noop, with --replicate random',
    ),
  constrain: z
    .enum(['none', 'actions', 'json'])
    .optional()
    .describe('hold answers to the legal actions, or to the JSON that is asked for, in training and evaluation'),
});

export const runSchema = taskSchema.extend({
  envWorkers: taskSchema.shape.envWorkers.meta(needs({ ...WITHOUT_QUEUE, ...algorithmOnly })),
  algorithm: z
    .string()
    .default('gtr-turbo-kl')
    .meta(needs({ control: false }, 'a control names its algorithm'))
    .describe('a name of `vlgym algorithms`, a variant vl-dac:NAME, or a file of yours'),
  replicate: z.boolean().default(false).describe("start from the settings of the algorithm's published code"),
  seed: whole.nonnegative().default(0).describe('seed of environments, sampling and permutations'),
  set: z
    .record(z.string(), z.unknown())
    .default({})
    .meta(ofAlgorithm)
    .describe('hyperparameters over those of the algorithm, e.g. loss.clipLow=0.2; may be repeated'),
  folder: z.string().optional().describe('where everything goes; default runs/ALGORITHM-SEED'),
  saveAdapter: z
    .boolean()
    .optional()
    .meta(
      needs(
        { weights: ['a model folder'], learner: ['an algorithm'] },
        'all weights of a preset are in the checkpoints',
      ),
    )
    .describe('at the end, write the adapter as peft and vLLM load it, into `adapter` of the folder'),
  threads: whole.positive().optional().describe('threads of libtorch; default: all cores'),
  procs: whole
    .positive()
    .max(64)
    .default(1)
    .describe('processes on this machine that share environments and model; torchrun starts them on several'),
  shardOptimizer: z
    .boolean()
    .default(false)
    .meta(inGroup)
    .describe('each process keeps a part of the state of Adam; weights and checkpoints are the same'),
  nccl: z
    .boolean()
    .default(false)
    .meta(inGroup)
    .describe('processes add up gradients between CUDA devices by NCCL (experimental); default: in memory of the CPU'),
  ...queueRunOptions,
  replayLedger: z
    .string()
    .optional()
    .describe('folder of a run with a queue: learns from its ledger again, without playing'),
  control: z
    .string()
    .optional()
    .describe('a control in place of the algorithm: imitation, imitation-expert, beta-0 or placebo'),
  record: whole
    .positive()
    .optional()
    .meta({ alone: 1, ...ofAlgorithm })
    .describe('keep what every N-th update learned from, token by token, in FOLDER/training; alone: every update'),
  recordEpisodes: whole
    .positive()
    .optional()
    .meta(ofRecord)
    .describe('with --record, at most this many episodes of each update, those that began first; default 32'),
  recordMegabytes: z
    .number()
    .positive()
    .optional()
    .meta(ofRecord)
    .describe('with --record, keep nothing more once FOLDER/training has this much; default 1000'),
  recordScores: z
    .number()
    .min(0)
    .max(100)
    .optional()
    .meta(ofRecord)
    .describe(
      'with --record, percent of the forward passes of training for numbers that only a record needs: reference, teacher, sight, after the update; default 0.5, 100: all steps',
    ),
  pictures: z.boolean().default(false).describe('evaluate again with gray and with wrong pictures'),
  printConfig: z
    .boolean()
    .default(false)
    .describe('print every value in force and where it comes from, as a config file, and train nothing'),
  resume: z.boolean().default(false).describe('continue the run in the folder from its last checkpoint'),
});

export type Task = z.output<typeof taskSchema>;
export type RunSpec = z.output<typeof runSchema>;

export interface RunPlan extends RunSpec {
  /** The origin of each option. */
  readonly given?: Given | undefined;
  readonly folder: string;
  /** Folder of a warm start or of saved weights. */
  readonly start: string;
}
