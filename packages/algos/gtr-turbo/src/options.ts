/** Options of GTR and GTR-Turbo: RL4VLM's with VL-DAC's critic, and those of their teachers. */
import { actorCriticOptions, optionGroup, regularizerOptions, shiftEntry, stepLossOptions } from '@vlgym/rl/config';
import { z } from 'zod';

const positive = z.number().positive();
const count = z.number().int().nonnegative();

const measureEvery = count
  .default(0)
  .describe('play teacher and student on the evaluation seeds in every N-th update; 0 never does');

const klShape = {
  measureEvery,
  klCoefficient: z.number().nonnegative().default(1).describe('weight of the penalty, β, in the unit of klScale'),
  /**
   * `nats`: the penalty is β·KL, as in the paper; against rewards of 10 it can be negligible. `advantage-std`: it is
   * β·σ_A·KL/σ_KL, so that its standard deviation over the buffer is β of that of the advantages, both before
   * normalization. σ_KL counts as at least `MIN_KL_STD`: a teacher that equals the agent gives no penalty.
   */
  klScale: z
    .enum(['nats', 'advantage-std'])
    .default('nats')
    .describe('unit of the penalty: nats, or standard deviations of the advantage'),
  /** The placebo: the penalties of a buffer are permuted at random over its steps, so that they say nothing. */
  permute: z.boolean().default(false).describe('the placebo: penalties are permuted at random over the steps'),
  klEstimator: z
    .enum(['exact', 'k1', 'k2', 'k3', 'abs', 'clipped', 'forward'])
    .default('exact')
    .describe('how the KL to the teacher is computed'),
  klReduction: z
    .enum(['token-clip', 'mean-then-clip'])
    .default('token-clip')
    .describe('the clipped estimator bounds every token, or the mean of a response'),
  klCap: positive
    .default(10)
    .describe('upper bound of every token of the clipped estimator, and of the mean of each response, in nats'),
  klTemperature: positive.default(1).describe('temperature of both distributions in the KL'),
  /** Guiding actions too limits exploration. */
  klRange: z.enum(['thought', 'response']).default('thought').describe('tokens that are guided'),
  klEntry: shiftEntry.default('advantage').describe('where the penalty enters'),
  /** KL of a response without the asked-for format: left out, the cap, or a number (the published code: 100). */
  klUnparsable: z
    .union([z.literal('skip'), z.literal('cap'), z.number().nonnegative()])
    .default('skip')
    .describe('KL of a malformed response: left out, the cap, or a number'),
};

const klGuidance = z
  .strictObject(klShape)
  // a mean has one bound, and is a mean of k1: no other estimate is left to choose
  .refine(({ klReduction, klEstimator }) => klReduction === 'token-clip' || klEstimator === 'clipped', {
    path: ['klReduction'],
    error: 'token-clip, unless klEstimator is clipped',
  })
  // normalized advantages have another unit than those whose deviation the penalty would have
  .refine(({ klScale, klEntry }) => klScale === 'nats' || klEntry !== 'advantage-after-normalization', {
    path: ['klScale'],
    error: 'nats with klEntry advantage-after-normalization',
  })
  .prefault({});

const sftGuidance = optionGroup({
  measureEvery,
  sftCoefficient: z.number().nonnegative().default(1).describe('weight of imitating the teacher'),
  /** The teacher's temperature starts here, grows by a tenth after a failed parse, and stays below the maximum. */
  teacherTemperature: positive
    .default(0.2)
    .describe('first temperature of the teacher; grows by a tenth after a failed parse'),
  teacherMaxTemperature: positive.default(0.9).describe('its temperature stays below this'),
  teacherTopK: count.default(5).describe('the teacher samples among the K likeliest tokens; 0 is all'),
  teacherRepetitionPenalty: positive.default(1.2).describe('repetition penalty of the teacher; 1 is off'),
  teacherTries: z
    .number()
    .int()
    .positive()
    .default(20)
    .describe('responses of the teacher that are tried until one can be parsed'),
});

const merge = optionGroup({
  method: z
    .enum(['ties', 'linear', 'dare-ties', 'dare-linear'])
    .default('ties')
    .describe('how checkpoints are merged into the teacher'),
  density: z.number().gt(0).max(1).default(0.8).describe('share of entries that TIES and DARE keep'),
  weighting: z
    .enum(['sma', 'ema', 'ema-normalized'])
    .default('sma')
    .describe('weights of the checkpoints: equal, or decaying with age'),
  alpha: z.number().gt(0).max(1).default(0.5).describe('weight of the newest checkpoint in the moving averages (ema)'),
  every: z
    .enum(['update', 'epoch'])
    .default('update')
    .describe('when the current weights join the history that the teacher is merged from'),
  capacity: z
    .number()
    .int()
    .positive()
    .default(64)
    .describe('checkpoints in the history; the oldest are dropped beyond this many'),
});

/** For GTR. */
const correctorGuidance = optionGroup({
  corrector: z
    .string()
    .regex(/^(expert|[^/\s]+\/\S+)$/, 'expert, or the provider and the name of a model')
    .default('expert')
    .describe('who corrects thoughts: the environment’s expert, or a model, e.g. openai/gpt-4o'),
  tries: z
    .number()
    .int()
    .positive()
    .default(20)
    .describe('answers of the model that are tried until one can be parsed'),
  maxRequests: z
    .number()
    .int()
    .positive()
    .nullable()
    .default(null)
    .describe('requests to the model, over the whole run; null has no limit'),
  sftCoefficient: z.number().nonnegative().default(1).describe('weight of imitating corrected thoughts'),
});

/** With the teacher as what the policy may be held to. */
const regularizer = optionGroup({
  ...regularizerOptions.unwrap().shape,
  klTo: z
    .enum(['old', 'reference', 'teacher'])
    .default('reference')
    .describe('the distribution that it is measured against'),
});

export const sharedOptions = { ...actorCriticOptions, loss: stepLossOptions, regularizer, merge };

export const klOptions = z.strictObject({ ...sharedOptions, guidance: klGuidance });
export const sftOptions = z.strictObject({ ...sharedOptions, guidance: sftGuidance });

export const correctorOptions = z.strictObject({
  ...actorCriticOptions,
  loss: stepLossOptions,
  guidance: correctorGuidance,
});

export type CorrectorConfig = z.output<typeof correctorOptions>;
export type KlConfig = z.output<typeof klOptions>;
export type SftConfig = z.output<typeof sftOptions>;
export type KlGuidance = KlConfig['guidance'];
