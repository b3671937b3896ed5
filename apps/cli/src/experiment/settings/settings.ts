/**
 * The settings of a task: what its environment declares for training, or else neutral ones. A run uses these where neither
 * flags nor a config file say otherwise; they are written into its `run.json`.
 */
import { findRegistration, type TrainingSettings } from '@vlgym/core';
import type { Task } from '../spec.js';

/** For an environment that declares nothing: its own options, no assumption about its rewards. */
const NEUTRAL: TrainingSettings = {
  updates: 10,
  stepsPerUpdate: 512,
  numEnvs: 16,
  evaluateEvery: 5,
  evaluationTemperature: 0,
  warmStart: { teacher: 'oracle', examples: 12_800, learningRate: 2e-3, batch: 64, mistakes: 0.5 },
  maxNewTokens: 64,
  rewardScale: 1,
};

/** @throws {UnknownEnvError} Nothing is registered under this id. */
export const settingsOf = (envId: string): TrainingSettings => findRegistration(envId).training ?? NEUTRAL;

/** The environment declares its own settings. */
export const isDeclared = (envId: string): boolean => findRegistration(envId).training !== undefined;

/** A notice about the settings; `undefined` if the environment declares its own. */
export function settingsNotice(envId: string): string | undefined {
  if (isDeclared(envId)) return undefined;
  return `${envId} declares no training settings; neutral ones are used. Flags such as --updates, --env-options and --set change them.`;
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
