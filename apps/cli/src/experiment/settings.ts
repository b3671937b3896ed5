/**
 * The settings of a run: what its environment declares for small models, or else neutral ones. A run uses these where
 * neither flags nor a config file say otherwise; they are written into its `run.json`.
 */
import { findRegistration, type TrainingSettings } from '@vlgym/core';
import { mergeDeep } from '@vlgym/core/internal';
import { type AlgorithmOverrides, knownOverrides, type Presets, unknownOverrides } from '@vlgym/rl';
import type { RunSpec, Task } from './spec.js';

/**
 * For an environment that declares nothing: its own options, no assumption about its rewards. A bonus for well-formed
 * answers is left out, because paid at every step it can be worth more than the goal.
 */
const NEUTRAL: TrainingSettings = {
  updates: 10,
  stepsPerUpdate: 512,
  numEnvs: 16,
  evaluateEvery: 5,
  evaluationTemperature: 0,
  warmStart: { teacher: 'oracle', examples: 12_800, learningRate: 2e-3, batch: 64, mistakes: 0.5 },
  maxNewTokens: 64,
  rewardScale: 1,
  overrides: { reward: { formatValid: 0 } },
};

/** @throws {UnknownEnvError} Nothing is registered under this id. */
export const settingsOf = (envId: string): TrainingSettings => findRegistration(envId).training ?? NEUTRAL;

/** What to tell the user about the settings; `undefined` where the environment brings its own. */
export function settingsNotice(envId: string): string | undefined {
  if (findRegistration(envId).training) return undefined;
  return `${envId} declares no training settings; neutral ones are used. Flags such as --updates, --env-options and --set change them.`;
}

/**
 * For a model of under one million weights, all of them trained, in a few thousand steps of play.
 *
 * Paper defaults are for LoRA on seven billion weights. Steps beyond 1e-4 undo the warm start within one update (Adam's
 * first steps have full size); half the temperature, in sampling and loss alike, makes most tokens nearly certain; an
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

/** The presets that those settings are for. */
const SMALL_PRESETS: readonly string[] = ['tiny', 'small'];

/** In runs this short one update is enough for the critic alone, where the algorithm has such a warm-up at all. */
const SHORT_WARMUP: AlgorithmOverrides = { value: { warmupUpdates: 1 } };

function warmsUp(preset: Presets[string]): boolean {
  const { value } = preset().config as { readonly value?: { readonly warmupUpdates?: number } };
  return (value?.warmupUpdates ?? 0) > 0;
}

/** The task with every choice filled in. */
export function completeTask<T extends Task>(task: T) {
  const settings = settingsOf(task.env);
  return {
    ...task,
    envOptions: task.envOptions ?? settings.options ?? {},
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
 * algorithm has no option for are left out (`unusedSettings` names them); what the user sets is not.
 */
export function overridesFor(
  spec: Pick<RunSpec, 'algorithm' | 'replicate' | 'env' | 'model' | 'set' | 'constrain'>,
  preset: Presets[string],
): AlgorithmOverrides {
  const { maxNewTokens, rewardScale, overrides = {} } = settingsOf(spec.env);
  const isTiny = SMALL_PRESETS.includes(spec.model);
  const layers: object[] = [{ rollout: { maxNewTokens } }];
  if (spec.replicate) {
    const { batch, microBatch, learningRate } = SMALL_MODEL.optimizer;
    if (isTiny) layers.push({ optimizer: { batch, microBatch, learningRate } });
  } else {
    layers.push({ reward: { scale: rewardScale } });
    if (isTiny) layers.push(SMALL_MODEL, warmsUp(preset) ? SHORT_WARMUP : {});
    layers.push(overrides);
  }
  const given = [spec.constrain ? { rollout: { constrain: spec.constrain } } : {}, spec.set];
  return [...layers.map((layer) => knownOverrides(preset.options, layer)), ...given].reduce<Record<string, unknown>>(
    mergeDeep,
    {},
  );
}

/** What the environment declares for training and the algorithm has no option for, as a sentence; nothing if all fits. */
export function unusedSettings(
  { algorithm, env, replicate }: Pick<RunSpec, 'algorithm' | 'env' | 'replicate'>,
  { options }: Presets[string],
): string | undefined {
  if (replicate) return undefined;
  const unused = unknownOverrides(options, settingsOf(env).overrides ?? {});
  if (unused.length === 0) return undefined;
  return `${algorithm} has no option for these settings of ${env}, which are left out: ${unused.join(', ')}`;
}
