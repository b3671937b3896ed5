/** Episodes on fixed evaluation seeds, each kept as a trajectory where asked for. */
import { rm } from 'node:fs/promises';
import { type Evaluation, evaluate, policyAgent, rememberGreedy } from '@vlgym/agents';
import type { TaskOutcome } from '@vlgym/agents/statistics';
import { type AnyEnv, type Awaitable, make } from '@vlgym/core';
import { threadEnvs } from '@vlgym/core/vector';
import { type EvaluationSettings, type Policy, policyOptions } from '@vlgym/rl';
import type { CompleteTask } from '../settings/settings.js';
import type { SeenTask } from '../task-separation/seen-tasks.js';
import { type Side, splitsOf } from '../task-separation/splits.js';

export const evaluationSeeds = (task: CompleteTask): number[] =>
  Array.from({ length: task.evaluationEpisodes }, (_, index) => task.evaluationFirstSeed + index);

/** `greedy success`, or success at a sampling temperature. */
export const successName = ({ evaluationTemperature: temperature }: Pick<CompleteTask, 'evaluationTemperature'>) =>
  temperature === 0 ? 'greedy success' : `success at temperature ${temperature}`;

/** @param side  Options of one side of the split; all tasks when left out. */
export const environment = (task: CompleteTask, side?: Side) => () =>
  make(task.env, { options: { ...task.envOptions, ...side }, disableChecker: true });

/** The same in threads, where the run asks for them; equal seeds give the same bytes. */
export function trainingEnvironment(task: CompleteTask, side?: Side): () => Awaitable<AnyEnv> {
  if (task.envWorkers === undefined) return environment(task, side);
  return threadEnvs(task.env, {
    options: { ...task.envOptions, ...side },
    threads: task.envWorkers,
    disableChecker: true,
  });
}

export interface PolicyEvaluationOptions {
  readonly settings: EvaluationSettings;
  readonly env: () => Awaitable<AnyEnv>;
  readonly seeds: readonly number[];
  /** Folder for the trajectories; none are kept when left out. */
  readonly record?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export async function evaluatePolicy(
  policy: Policy,
  { settings, env, seeds, record, signal }: PolicyEvaluationOptions,
): Promise<Evaluation> {
  if (record) await rm(record, { recursive: true, force: true }); // left by an interrupted evaluation
  return evaluate({
    env,
    agent: policyAgent(rememberGreedy(policy), policyOptions(settings)),
    fallback: settings.fallback,
    seeds,
    parallel: 64,
    ...(record ? { record } : {}),
    ...(signal ? { signal } : {}),
  });
}

type SeedEvaluationOptions = Pick<PolicyEvaluationOptions, 'settings' | 'record' | 'signal'>;

/** On the evaluation seeds; training does not meet their tasks if the environment declares splits. */
export async function evaluateOnFixedSeeds(
  task: CompleteTask,
  policy: Policy,
  options: SeedEvaluationOptions,
): Promise<Evaluation> {
  const { test } = splitsOf(task);
  return evaluatePolicy(policy, { env: environment(task, test), seeds: evaluationSeeds(task), ...options });
}

/** Half as many episodes as on the evaluation seeds, each on a different task of the warm start. */
export async function evaluateOnSeenTasks(
  task: CompleteTask,
  policy: Policy,
  seen: readonly SeenTask[],
  options: SeedEvaluationOptions,
): Promise<TaskOutcome[] | undefined> {
  const seeds = seen.flatMap(({ seed }) => seed ?? []).slice(0, Math.ceil(task.evaluationEpisodes / 2));
  const { train } = splitsOf(task);
  if (train === undefined || seeds.length === 0) return undefined;
  const { episodes } = await evaluatePolicy(policy, { env: environment(task, train), seeds, ...options });
  return outcomesOf(episodes);
}

type CountedEpisode = Pick<Evaluation['episodes'][number], 'counted' | 'seed' | 'taskKey' | 'success'>;

/** The fields of each episode that a result stores. */
export const outcomesOf = (episodes: readonly CountedEpisode[]): TaskOutcome[] =>
  episodes
    .filter(({ counted }) => counted)
    .map(({ seed, taskKey, success }) => ({ seed, ...(taskKey !== undefined && { taskKey }), success }));
