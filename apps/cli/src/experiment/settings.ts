/**
 * Settings that let a small model learn a task on a CPU. A run uses these where neither flags nor a config file say
 * otherwise; they are written into its `run.json`.
 */
import { type AlgorithmOverrides, knownOverrides, type OptionsSchema } from '@vlgym/rl';
import type { RunSpec, Task } from './spec.js';

export interface TaskSettings {
  readonly envOptions: Readonly<Record<string, unknown>>;
  readonly updates: number;
  readonly stepsPerUpdate: number;
  readonly numEnvs: number;
  readonly evaluateEvery: number;
  /** 0 is greedy. A walker without memory that is sure of itself turns left and right for ever where two pictures disagree. */
  readonly evaluationTemperature: number;
  /** Where the teacher errs, imitation leaves something to learn from play. */
  readonly warmStart: {
    /** Distinct episodes of the teacher; every one is new when left out. */
    readonly episodes?: number;
    readonly examples: number;
    readonly learningRate: number;
    /** Labels per optimizer step. */
    readonly batch: number;
    /**
     * Share of actions drawn at random among the legal ones, in [0, 1]. At 1 the labels say what is seen and nothing
     * about what to do: whatever success there is later was learned from play.
     */
    readonly mistakes: number;
  };
  readonly maxNewTokens: number;
  /** Options of the algorithms for this task. */
  readonly overrides?: AlgorithmOverrides;
  /** Best return of the task; the critic works in units of it. */
  readonly rewardScale: number;
}

const CARDS: TaskSettings = {
  envOptions: { size: { height: 84, width: 112 }, dialogue: 'compact-v1' },
  updates: 10,
  stepsPerUpdate: 512,
  numEnvs: 64,
  evaluateEvery: 2,
  evaluationTemperature: 0,
  warmStart: {
    episodes: 2000,
    examples: 15360,
    learningRate: 2e-3,
    batch: 64,
    mistakes: 0.7,
  },
  maxNewTokens: 64,
  rewardScale: 10,
};

/**
 * Many short decisions: the goal is tens of steps away, and an answer is one of three.
 *
 * A well-formed answer earns nothing here: paid at every step and hardly discounted, it would be worth more than the
 * goal, which ends the pay. A low temperature makes training feel what play without chance is like: who gets out of a
 * corner by chance alone does not learn to leave it.
 */
const WALKS: TaskSettings = {
  envOptions: { dialogue: 'compact-v1' },
  updates: 30,
  stepsPerUpdate: 1024,
  numEnvs: 32,
  evaluateEvery: 10,
  evaluationTemperature: 0.2,
  warmStart: { examples: 28_800, learningRate: 2e-3, batch: 64, mistakes: 0.8 },
  maxNewTokens: 24,
  overrides: {
    advantage: { gamma: 0.97 },
    reward: { formatValid: 0 },
    rollout: { temperature: 0.3 },
    loss: { temperature: 0.3 },
    optimizer: { learningRate: { initial: 1e-4, final: 2e-5, period: 30 } },
  },
  rewardScale: 1,
};

/**
 * From a start that sees and speaks and acts at random: temperature 1 in sampling, loss and evaluation, because a lower
 * one would turn the small preferences of a random policy into fixed habits before play has said anything about them.
 */
const FROM_RANDOM_ACTIONS = {
  evaluateEvery: 5,
  evaluationTemperature: 1,
  stepsPerUpdate: 1024,
} as const;

const fromRandomActions = (gamma: number, learningRate: number, updates: number): AlgorithmOverrides => ({
  advantage: { gamma },
  reward: { formatValid: 0 },
  rollout: { temperature: 1 },
  loss: { temperature: 1 },
  optimizer: { learningRate: { initial: learningRate, final: 1e-4, period: updates } },
});

const SETTINGS: Readonly<Record<string, TaskSettings>> = {
  'MiniWorld-OneRoomS6Fast-v0': {
    ...WALKS,
    ...FROM_RANDOM_ACTIONS,
    updates: 10,
    warmStart: { examples: 12_800, learningRate: 2e-3, batch: 64, mistakes: 1 },
    overrides: fromRandomActions(0.95, 2e-4, 10),
  },
  'vlgym/Signs-v1': {
    ...CARDS,
    ...FROM_RANDOM_ACTIONS,
    updates: 16,
    evaluateEvery: 8,
    warmStart: { examples: 24_576, learningRate: 1.5e-3, batch: 32, mistakes: 1 },
    maxNewTokens: 32,
    overrides: fromRandomActions(1, 3e-4, 16),
  },
  'vlgym/EZPoints-v1': CARDS,
  'vlgym/Points24-v1': {
    ...CARDS,
    envOptions: { size: { height: 84, width: 224 }, dialogue: 'compact-v1', solvableOnly: true },
    warmStart: { examples: 51_200, learningRate: 2e-3, batch: 64, mistakes: 0 },
  },
};

/**
 * For a model of under one million weights, all of them trained, in a few thousand steps of play.
 *
 * Paper defaults are for LoRA on seven billion weights. Steps beyond 1e-4 undo the warm start within one update (Adam's
 * first steps have full size); half the temperature, in sampling and loss alike, keeps chance out of most tokens; an
 * illegal action ends the training episode, as in the published runs, so that every step says something new.
 */
const SMALL_MODEL = {
  rollout: { temperature: 0.5, earlyTruncation: { rewards: [-1] } },
  loss: { temperature: 0.5, clipLow: 0.2, clipHigh: 0.2 },
  optimizer: {
    batch: 64,
    microBatch: 64,
    epochs: 2,
    maxGradNorm: 1,
    learningRate: { initial: 6e-5, final: 2e-5, period: 10 },
  },
};

/** Of runs this short one update is enough for the critic alone; for algorithms that have a warm-up. */
const SHORT_WARMUP: AlgorithmOverrides = { value: { warmupUpdates: 1 } };
const WITHOUT_WARMUP = ['rl4vlm'];

export const settingsOf = (envId: string): TaskSettings =>
  SETTINGS[envId] ?? (envId.startsWith('MiniWorld-') ? WALKS : CARDS);

/** The task with every choice filled in. */
export function completeTask<T extends Task>(task: T) {
  const settings = settingsOf(task.env);
  return {
    ...task,
    envOptions: task.envOptions ?? settings.envOptions,
    updates: task.updates ?? settings.updates,
    stepsPerUpdate: task.stepsPerUpdate ?? settings.stepsPerUpdate,
    numEnvs: task.numEnvs ?? settings.numEnvs,
    evaluateEvery: task.evaluateEvery ?? settings.evaluateEvery,
    evaluationTemperature: task.evaluationTemperature ?? settings.evaluationTemperature,
  };
}

export type CompleteTask = ReturnType<typeof completeTask<Task>>;

/**
 * Options for this task and model, with those the user sets on top. A replication keeps the published settings, raw rewards
 * included; only the length of answers and the optimizer's sizes are those of the task and model. Settings that the
 * algorithm has no option for are left out; what the user sets is not.
 */
export function overridesFor(
  spec: Pick<RunSpec, 'algorithm' | 'replicate' | 'env' | 'model' | 'set'>,
  options: OptionsSchema,
): AlgorithmOverrides {
  const { maxNewTokens, rewardScale, overrides = {} } = settingsOf(spec.env);
  const isTiny = spec.model === 'tiny';
  const layers: object[] = [{ rollout: { maxNewTokens } }];
  if (spec.replicate) {
    const { batch, microBatch, learningRate } = SMALL_MODEL.optimizer;
    if (isTiny) layers.push({ optimizer: { batch, microBatch, learningRate } });
  } else {
    layers.push({ reward: { scale: rewardScale } });
    if (isTiny) layers.push(SMALL_MODEL, WITHOUT_WARMUP.includes(spec.algorithm) ? {} : SHORT_WARMUP);
    layers.push(overrides);
  }
  return [...layers.map((layer) => knownOverrides(options, layer)), spec.set].reduce<object>(
    overlay,
    {},
  ) as AlgorithmOverrides;
}

/** `over` wins, key by key and inside of objects. */
export function overlay(base: object, over: object): object {
  const merged: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const before = merged[key];
    merged[key] = isRecord(before) && isRecord(value) ? overlay(before, value) : value;
  }
  return merged;
}

const isRecord = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
