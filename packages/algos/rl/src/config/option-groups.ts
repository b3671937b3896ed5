/**
 * Groups of options that algorithms compose their schema from: every axis of `docs/specs/algorithms.md` 2 that the toolbox
 * knows. Defaults are those of `docs/specs/algorithms.md` 17; presets say where they differ.
 *
 *     const options = z.strictObject({ ...actorCriticOptions, loss: tokenLossOptions });
 */
import { z } from 'zod';

const positive = z.number().positive();
const share = z.number().min(0).max(1);
const count = z.number().int().nonnegative();

/** A section of an algorithm's options: unknown keys are errors, and it may be left out. */
export const optionGroup = <Shape extends z.ZodRawShape>(shape: Shape) => z.strictObject(shape).prefault({} as never);

/** Where a shift of the advantage enters (`Shift`). */
export const shiftEntry = z.enum(['advantage', 'advantage-after-normalization', 'reward', 'return-shift']);

export const rolloutOptions = optionGroup({
  /** Sampling temperature; the losses use `loss.temperature`. */
  temperature: z.number().nonnegative().default(1),
  maxNewTokens: z.number().int().positive().default(256),
  topK: count.default(0),
  topP: z.number().gt(0).max(1).default(1),
  repetitionPenalty: positive.default(1),
  /** What happens when no action can be read: a random one is executed, nothing is, or the episode ends. */
  fallback: z.enum(['random', 'illegal-noop', 'terminate']).default('random'),
  /** Reward of a step without an action, for `illegal-noop` and `terminate`, in units of `reward.scale`. */
  fallbackReward: z.number().default(-0.1),
  /**
   * How steps without an action of their own enter the policy loss; all of them train the critic. `format-only`: with
   * the lost format reward as their advantage, because the model did not choose what was executed but did choose to
   * give no action. `mask`: not at all; responses without an action are then never discouraged, and since wrong actions
   * are, probability drifts towards them. `keep`: like any other step (replication). Unless kept, they do not count for
   * the normalization of advantages.
   */
  fallbackLoss: z.enum(['format-only', 'mask', 'keep']).default('format-only'),
  /** Rules that end a training episode early (`earlyEnd` of @vlgym/core); evaluation plays on. */
  earlyTruncation: z
    .strictObject({
      /** End at one of these rewards (GTR-Turbo on Points24: −1). */
      rewards: z.array(z.number()).optional(),
      /** End when this many actions in a row were equal (ALFWorld: 5). */
      repeatedActions: z.number().int().min(2).optional(),
      /** End after more than this many actions (ALFWorld: 40). */
      moreThanActions: z.number().int().positive().optional(),
      /** Reward of the step that ended early; its own by default. */
      reward: z.number().optional(),
    })
    .nullable()
    .default(null),
});

export const rewardOptions = optionGroup({
  /** Reward of success (Points24: 10, ALFWorld: 50): the critic works in units of it. */
  scale: positive.default(1),
  /**
   * Format reward in units of `scale`, and where it enters. Well-formed answers earn nothing: a bonus is paid at every
   * step that does not end the episode, so it pays for never reaching the goal. A bonus b in the reward makes stalling
   * forever worth more than success as soon as b ≥ (1 − γ) / γ, and is then refused.
   */
  formatValid: z.number().default(0),
  formatInvalid: z.number().default(-0.1),
  formatEntry: shiftEntry.default('reward'),
});

export const advantageOptions = optionGroup({
  /**
   * `constant` gives every step 1 (filtered behavior cloning). `storage-gae` computes as the published rollout storages
   * do: a step cut by a time limit has advantage 0, or ends the task with `truncationIsTerminal`.
   */
  estimator: z.enum(['step-gae', 'storage-gae', 'monte-carlo', 'constant']).default('step-gae'),
  gamma: share.default(0.9),
  lambda: share.default(0.95),
  /** A time limit ends the task (replication of RL4VLM); by default its successor is bootstrapped. */
  truncationIsTerminal: z.boolean().default(false),
  /** Over the whole buffer, or not at all. */
  normalize: z.enum(['buffer', 'none']).default('buffer'),
  std: z.enum(['sample', 'population']).default('sample'),
  eps: positive.default(1e-8),
});

const clip = {
  /** Temperature of the training log-probabilities; that of the rollout unless a run replicates a paper. */
  temperature: positive.default(1),
  /** The ratio may fall to 1 − clipLow. */
  clipLow: positive.default(0.1),
  /** The ratio may rise to 1 + clipHigh. */
  clipHigh: positive.default(0.1),
};

/** One ratio per token (`clippedTokenLoss`). */
export const tokenLossOptions = optionGroup({
  ...clip,
  /** Where A < 0, the token loss is at most −dualClip·A. */
  dualClip: z.number().gt(1).nullable().default(null),
  aggregation: z
    .enum(['token_mean', 'seq_mean_token_mean', 'seq_mean_token_sum', 'seq_sum_over_constant'])
    .default('seq_mean_token_mean'),
  /** For `seq_sum_over_constant`. */
  constantLength: z.number().int().positive().default(256),
});

/** One ratio per environment step, thoughts weighted by λ (`clippedStepLoss`). */
export const stepLossOptions = optionGroup({
  ...clip,
  /** λ */
  thoughtCoefficient: share.default(0.5),
  span: z.enum(['all', 'skip-first-two']).default('all'),
  ratioGuard: positive.nullable().default(null),
});

export const criticOptions = optionGroup({
  /** Weight of ½·(V − R)². */
  coefficient: z.number().nonnegative().default(0.5),
  /** Around the old value, in units of the critic (`reward.scale`); off by default. */
  clip: positive.nullable().default(null),
  stopGradient: z.boolean().default(true),
  /** First updates that train the critic only. */
  warmupUpdates: count.default(2),
  /** Learning rate of the value head as a multiple of the policy's. */
  learningRateFactor: positive.default(10),
  /**
   * Passes over the buffer that fit the value head alone, on the hidden states of scoring; needs `stopGradient`. null
   * trains it in the epochs of the policy, as published: far too few steps for a fresh head.
   */
  epochs: z.number().int().positive().nullable().default(8),
  /**
   * The value head takes its inputs relative to mean and spread of the first buffer. Hidden states share a large
   * constant part; without this a fresh head explains a fifth of the variance that it does with it.
   */
  standardize: z.boolean().default(true),
  /**
   * Largest gradient norm of the value head; null bounds one norm over head and policy (`optimizer.maxGradNorm`), as
   * published. Step ratios give the policy norms of about 10: in one norm the critic's gradient is cut with it.
   */
  maxGradNorm: positive.nullable().default(1),
});

export const regularizerOptions = optionGroup({
  /** `exact` sums over the vocabulary; the others are estimators on the sampled tokens. */
  kl: z.enum(['none', 'exact', 'k1', 'k2', 'k3', 'abs']).default('none'),
  klTo: z.enum(['old', 'reference', 'teacher']).default('reference'),
  klCoefficient: z.number().nonnegative().default(0.05),
  entropyCoefficient: z.number().default(0),
});

export const correctionOptions = optionGroup({
  /**
   * For sampling that differs from the training distribution: nothing, truncated weights, or masked tokens. `auto`:
   * nothing where this process samples from the distribution that it trains, truncated weights everywhere else (a
   * server, other processes, cuts, a penalty, another temperature).
   */
  kind: z.enum(['auto', 'none', 'tis', 'mask']).default('auto'),
  /** `sequence-geometric` is the mean over the tokens of a response in log space. */
  level: z.enum(['token', 'sequence', 'sequence-geometric']).default('token'),
  cap: positive.default(2),
  /** Smallest weight: smaller ones become it (`tis`) or 0 (`mask`). */
  lower: z.number().nonnegative().default(0),
});

export const filterOptions = optionGroup({
  /** Responses without the asked-for format are left out of the policy loss. */
  dropInvalidFormat: z.boolean().default(false),
  /** Steps with a smaller |A| after normalization are left out of the policy loss. */
  minAbsAdvantage: z.number().nonnegative().default(0),
  /** Share of steps, those of highest mean entropy, that the policy loss keeps. */
  entropyShare: z.number().gt(0).max(1).default(1),
});

export const optimizerOptions = optionGroup({
  epochs: z.number().int().positive().default(4),
  /** Environment steps per optimizer step. */
  batch: z.number().int().positive().default(128),
  /** Sequences per forward pass; does not change the result, only speed and memory. */
  microBatch: z.number().int().positive().default(8),
  /** Tokens per forward pass, padding included: fewer sequences where they are long. Left out: only `microBatch` counts. */
  microBatchTokens: z.number().int().positive().optional(),
  learningRate: z
    .strictObject({
      initial: positive.default(1e-5),
      final: z.number().nonnegative().default(1e-9),
      /** Updates from `initial` to `final`. */
      period: z.number().int().positive().default(25),
      beyond: z.enum(['clamped', 'periodic']).default('clamped'),
    })
    .prefault({}),
  /** Largest gradient norm of the policy: of everything but the value head. */
  maxGradNorm: positive.default(1),
});

/** What every algorithm has: how it plays, what it is paid, and how it steps. */
export const commonOptions = {
  rollout: rolloutOptions,
  reward: rewardOptions,
  correction: correctionOptions,
  filter: filterOptions,
  optimizer: optimizerOptions,
};

/** What algorithms with a critic have in common. */
export const actorCriticOptions = {
  ...commonOptions,
  advantage: advantageOptions,
  value: criticOptions,
  regularizer: regularizerOptions,
};

/** Episodes that begin in the same state, for estimators that compare them. */
export const groupOptions = optionGroup({
  /** Episodes per group; divides the number of environments. */
  size: z.number().int().min(2).default(8),
});

/** What algorithms on groups of episodes have in common; they have no critic. */
export const groupAlgorithmOptions = {
  ...commonOptions,
  group: groupOptions,
  loss: tokenLossOptions,
  regularizer: regularizerOptions,
};
