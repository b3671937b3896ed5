/** Episodes on the fixed evaluation seeds, each kept as a trajectory. */
import { rm } from 'node:fs/promises';
import { type Evaluation, evaluate, policyAgent } from '@vlgym/agents';
import { make } from '@vlgym/core';
import type { Policy } from '@vlgym/rl';
import type { CompleteTask } from './settings.js';
import { settingsOf } from './settings.js';

export const evaluationSeeds = (task: CompleteTask): number[] =>
  Array.from({ length: task.evaluationEpisodes }, (_, index) => task.evaluationFirstSeed + index);

/** `greedy success`, or at which temperature it was sampled. */
export const successName = ({ evaluationTemperature: temperature }: Pick<CompleteTask, 'evaluationTemperature'>) =>
  temperature === 0 ? 'greedy success' : `success at temperature ${temperature}`;

export const environment = (task: CompleteTask) => () =>
  make(task.env, { options: task.envOptions, disableChecker: true });

/** @param record Folder for the trajectories; none are kept when left out. */
export async function evaluateOnFixedSeeds(
  task: CompleteTask,
  policy: Policy,
  record?: string,
  signal?: AbortSignal,
): Promise<Evaluation> {
  if (record) await rm(record, { recursive: true, force: true }); // of an evaluation that was cut
  return evaluate({
    env: environment(task),
    agent: policyAgent(policy, {
      temperature: task.evaluationTemperature,
      maxNewTokens: settingsOf(task.env).maxNewTokens,
    }),
    seeds: evaluationSeeds(task),
    parallel: 64,
    ...(record ? { record } : {}),
    ...(signal ? { signal } : {}),
  });
}
