/**
 * Groups of options that algorithms compose their schema from: every axis of `docs/specs/algorithms.md` 2 that the toolbox
 * knows. Defaults are those of `docs/specs/algorithms.md` 17; presets say where they differ. `option-kinds.ts` says who
 * may set which.
 *
 *     const options = z.strictObject({ ...actorCriticOptions, loss: tokenLossOptions });
 */
import { z } from 'zod';
import { speedOption, taskOption } from './option-kinds.js';

const positive = z.number().positive();
const share = z.number().min(0).max(1);
const count = z.number().int().nonnegative();

/** A section of an algorithm's options: unknown keys are errors, and it may be left out. */
export const optionGroup = <Shape extends z.ZodRawShape>(shape: Shape) => z.strictObject(shape).prefault({} as never);

/** The point at which a shift of the advantage is added (`Shift`). */
export const shiftEntry = z.enum(['advantage', 'advantage-after-normalization', 'reward', 'return-shift']);

export const rolloutOptions = optionGroup({
  /** Sampling temperature; the losses use `loss.temperature`. */
  temperature: taskOption(z.number().nonnegative().default(1).describe('sampling temperature; 0 is greedy')),
  maxNewTokens: taskOption(z.number().int().positive().default(256).describe('longest response, in tokens')),
  topK: count.default(0).describe('sample among the K likeliest tokens; 0 is all'),
  topP: z.number().gt(0).max(1).default(1).describe('sample among the likeliest tokens of this total probability'),
  repetitionPenalty: positive.default(1).describe('makes tokens of the prompt and response less likely; 1 is off'),
  /** Left out in place of a default, so that the options of older runs stay as they were. */
  constrain: taskOption(
    z
      .enum(['none', 'actions', 'json'])
      .optional()
      .describe('hold responses to the legal actions, or to the JSON that is asked for; default none'),
  ),
  fallback: z
    .enum(['random', 'illegal-noop', 'terminate'])
    .default('random')
    .describe('when no action can be read: a random one, none, or the end of the episode'),
  /** Reward of a step without an action, for `illegal-noop` and `terminate`, in units of `reward.scale`. */
  fallbackReward: z.number().default(-0.1).describe('reward of a step without an action, in units of reward.scale'),
  /**
   * How steps without their own action enter the policy loss; all of them train the critic. `format-only`: with
   * the lost format reward as their advantage, because the model did not choose what was executed but did choose to
   * give no action. `mask`: not at all; responses without an action are then never discouraged, and since wrong actions
   * are, probability drifts towards them. `keep`: like any other step (replication). Unless kept, they do not count for
   * the normalization of advantages.
   */
  fallbackLoss: z
    .enum(['format-only', 'mask', 'keep'])
    .default('format-only')
    .describe('how steps without their own action enter the policy loss'),
  /** Rules that end a training episode early (`earlyEnd` of @vlgym/core); evaluation plays on. */
  earlyTruncation: taskOption(
    z
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
      .default(null)
      .describe('rules that end a training episode early'),
  ),
});

const reward = {
  /** Reward of success (Points24: 10, ALFWorld: 50): the critic works in units of it. */
  scale: taskOption(positive.default(1).describe('reward of success in this task; the critic works in units of it')),
  /**
   * Format reward in units of `scale`, part of the reward of the step. Well-formed answers earn nothing: a bonus is paid at every
   * step that does not end the episode, so it pays for never reaching the goal. A bonus b in the reward makes stalling
   * forever worth more than success as soon as b ≥ (1 − γ) / γ, and is then refused.
   */
  formatValid: taskOption(z.number().default(0).describe('reward of a well-formed response, in units of reward.scale')),
  formatInvalid: taskOption(
    z.number().default(-0.1).describe('reward of a malformed response, in units of reward.scale'),
  ),
};

export const rewardOptions = optionGroup(reward);

/** For advantages of steps with a critic (`estimateTargets`), the only estimates that a reward can enter elsewhere. */
const shiftedRewardOptions = optionGroup({
  ...reward,
  formatEntry: shiftEntry.default('reward').describe('where the format reward enters'),
});

export const advantageOptions = optionGroup({
  /**
   * `storage-gae` computes as the published rollout storages do: a step cut by a time limit has advantage 0, or ends the
   * task with `truncationIsTerminal`.
   */
  estimator: z.enum(['step-gae', 'storage-gae']).default('step-gae').describe('how advantages are estimated'),
  gamma: taskOption(share.default(0.9).describe('discount per environment step, γ')),
  lambda: share.default(0.95).describe('decay of generalized advantage estimation, λ'),
  /** A time limit ends the task (replication of RL4VLM); by default its successor is bootstrapped. */
  truncationIsTerminal: z
    .boolean()
    .default(false)
    .describe('a time limit ends the task, and its successor is not bootstrapped'),
  normalize: z
    .enum(['buffer', 'none'])
    .default('buffer')
    .describe('normalize advantages over the whole buffer, or not at all'),
  std: z
    .enum(['sample', 'population'])
    .default('sample')
    .describe('standard deviation that normalizes: divided by n − 1, or by n'),
  eps: positive.default(1e-8).describe('added to that standard deviation'),
});

const clip = {
  /** Temperature of the training log-probabilities; that of the rollout unless a run replicates a paper. */
  temperature: taskOption(positive.default(1).describe('temperature of the training log-probabilities')),
  clipLow: positive.default(0.1).describe('the probability ratio may fall to 1 − clipLow'),
  clipHigh: positive.default(0.1).describe('the probability ratio may rise to 1 + clipHigh'),
};

/** One ratio per response. */
export const clipOptions = optionGroup(clip);

/** One loss per token. */
export const tokenLossShape = {
  ...clip,
  aggregation: z
    .enum(['token_mean', 'seq_mean_token_mean', 'seq_mean_token_sum', 'seq_sum_over_constant'])
    .default('seq_mean_token_mean')
    .describe('how token losses become one loss'),
  constantLength: z.number().int().positive().default(256).describe('divisor of seq_sum_over_constant, in tokens'),
};

/** One ratio per token. */
export const tokenLossOptions = optionGroup(tokenLossShape);

/** One ratio per environment step, thoughts weighted by λ. */
export const stepLossOptions = optionGroup({
  ...clip,
  thoughtCoefficient: share.default(0.5).describe('weight of the thought relative to the action, λ'),
  span: z
    .enum(['all', 'skip-first-two'])
    .default('all')
    .describe('tokens of the thought that count: all, or all but the first two of the response'),
  ratioGuard: positive
    .nullable()
    .default(null)
    .describe('a ratio above it drops the unclipped branch for the whole batch; the published code has 10'),
});

export const criticOptions = optionGroup({
  coefficient: z.number().nonnegative().default(0.5).describe('weight of the value loss ½·(V − R)²'),
  clip: positive.nullable().default(null).describe('clips the value around the old one, in units of reward.scale'),
  stopGradient: z.boolean().default(true).describe('the value loss does not train the backbone'),
  warmupUpdates: count.default(2).describe('first updates that train the critic only'),
  learningRateFactor: positive
    .default(10)
    .describe('learning rate of the value head as a multiple of that of the policy'),
  /**
   * Passes over the buffer that fit the value head alone, on the hidden states of scoring; needs `stopGradient`. null
   * trains it in the epochs of the policy, as published: far too few steps for a fresh head.
   */
  epochs: z
    .number()
    .int()
    .positive()
    .nullable()
    .default(8)
    .describe('passes over the buffer that fit the value head alone; null: in the epochs of the policy'),
  /**
   * The value head takes its inputs relative to mean and spread of each buffer. Hidden states share a large constant
   * part; without this a fresh head explains a fifth of the variance that it does with it.
   */
  standardize: z.boolean().default(true).describe('the value head takes its inputs relative to their mean and spread'),
  /**
   * Largest gradient norm of the value head; null bounds one norm over head and policy (`optimizer.maxGradNorm`), as
   * published. Step ratios give the policy norms of about 10: in one norm the critic's gradient is cut with it.
   */
  maxGradNorm: positive
    .nullable()
    .default(1)
    .describe('largest gradient norm of the value head; null: one norm with the policy'),
});

/** For algorithms without a teacher: one with a teacher adds it to `klTo`. */
export const regularizerOptions = optionGroup({
  kl: z
    .enum(['none', 'exact', 'k1', 'k2', 'k3', 'abs'])
    .default('none')
    .describe(
      'KL penalty on the policy: exact over the vocabulary, or estimated on sampled tokens (k1: no mean gradient)',
    ),
  klTo: z.enum(['old', 'reference']).default('reference').describe('the distribution that it is measured against'),
  klCoefficient: z.number().nonnegative().default(0.05).describe('weight of the KL penalty'),
  entropyCoefficient: z.number().default(0).describe('weight of the entropy bonus'),
});

const correction = z.strictObject({
  /**
   * For sampling that differs from the training distribution: nothing, truncated weights, or masked tokens. `auto`:
   * nothing if this process samples from the distribution that it trains, truncated weights everywhere else (a
   * server, other processes, weights in fewer bytes, cuts, a penalty, another temperature).
   */
  kind: z
    .enum(['auto', 'none', 'tis', 'mask'])
    .default('auto')
    .describe('where sampling and training distributions differ: nothing, truncated weights, or masked tokens'),
  level: z.enum(['token', 'sequence']).default('token').describe('what one weight belongs to'),
  cap: positive.default(2).describe('largest weight'),
  lower: z.number().nonnegative().default(0).describe('smallest weight; smaller ones become it (tis) or 0 (mask)'),
});

export const correctionOptions = correction
  .refine(({ lower, cap }) => lower <= cap, { path: ['lower'], error: 'at most correction.cap' })
  .prefault({});

export const filterOptions = optionGroup({
  minAbsAdvantage: z
    .number()
    .nonnegative()
    .default(0)
    .describe('leave steps with a smaller |A|, after normalization, out of the policy loss'),
});

export const optimizerOptions = optionGroup({
  epochs: z.number().int().positive().default(4).describe('passes over the buffer in one update'),
  batch: taskOption(z.number().int().positive().default(128).describe('environment steps per optimizer step')),
  shuffle: z
    .enum(['steps', 'episodes'])
    .default('steps')
    .describe('what an optimizer step draws: steps, or episodes until `batch` is reached'),
  microBatch: speedOption(
    z
      .number()
      .int()
      .positive()
      .default(8)
      .describe('sequences, or conversations, per forward pass; changes speed; the result only with loss.ratioGuard'),
  ),
  microBatchTokens: speedOption(
    z
      .number()
      .int()
      .positive()
      .optional()
      .describe('most tokens per forward pass, padding included; long sequences then come fewer at a time'),
  ),
  learningRate: z
    .strictObject({
      initial: taskOption(positive.default(1e-5).describe('learning rate of the first update')),
      final: taskOption(z.number().nonnegative().default(1e-9).describe('learning rate at the end of the period')),
      period: taskOption(z.number().int().positive().default(25).describe('updates from initial to final')),
      beyond: z
        .enum(['clamped', 'periodic'])
        .default('clamped')
        .describe('after the period: stay at final, or start over'),
    })
    .prefault({}),
  maxGradNorm: positive
    .default(1)
    .describe('largest gradient norm of the policy, that is, of everything but the value head'),
});

/** Options of every algorithm: rollouts, rewards and optimizer steps. */
export const commonOptions = {
  rollout: rolloutOptions,
  reward: rewardOptions,
  correction: correctionOptions,
  filter: filterOptions,
  optimizer: optimizerOptions,
};

/** Options shared by algorithms with a critic. */
export const actorCriticOptions = {
  ...commonOptions,
  reward: shiftedRewardOptions,
  advantage: advantageOptions,
  value: criticOptions,
  regularizer: regularizerOptions,
};

/** Episodes that begin in the same state, for estimators that compare them. */
export const groupOptions = optionGroup({
  size: z.number().int().min(2).default(8).describe('episodes per group; divides the number of environments'),
});

/** Options shared by algorithms on groups of episodes; they have no critic. */
export const groupAlgorithmOptions = {
  ...commonOptions,
  group: groupOptions,
  loss: tokenLossOptions,
  regularizer: regularizerOptions,
};
