/** One environment of a report: its runs, their episodes, and how it was measured. */
import { cpus } from 'node:os';
import { findRegistration, make } from '@vlgym/core';
import type { RunResult, TaskReport, WarmStartResult } from '../../report/data.js';
import { counted } from '../../terminal/style.js';
import { evaluationSeeds } from '../evaluation/evaluate-policy.js';
import { cores } from '../resources.js';
import type { CompleteTask } from '../settings/settings.js';
import { collectStrips, writeEpisodePages } from './episode-strips.js';

interface TaskRuns {
  readonly task: CompleteTask;
  /** The common start of the runs; absent if they start from weights that were given. */
  readonly start?: { readonly folder: string; readonly warmStart: WarmStartResult } | undefined;
  readonly runs: readonly RunResult[];
}

/** @param out  Folder of the report. Pages with every episode are written next to the recordings. */
export async function taskReport({ task, start, runs }: TaskRuns, out: string): Promise<TaskReport> {
  const env = await make(task.env, { options: task.envOptions });
  const dialogue = env.dialogue?.version ?? 'none';
  await env.close();
  const { title, baselines } = findRegistration(task.env);
  return {
    envId: task.env,
    ...(title !== undefined && { title }),
    ...(baselines && { baselines }),
    options: task.envOptions,
    dialogue,
    evaluationSeeds: evaluationSeeds(task),
    evaluationTemperature: task.evaluationTemperature,
    ...(start && { warmStart: start.warmStart }),
    runs,
    strips: await collectStrips(runs, start?.folder),
    episodePages: await writeEpisodePages(out, task.env, [
      ...(start ? [{ title: 'before training', folder: start.folder }] : []),
      ...runs.map((run) => ({ title: `${run.title}, seed ${run.seed}`, folder: run.folder })),
    ]),
  };
}

/** @param work  What runs on it. */
export const machine = (work: string): string =>
  `${cpus()[0]?.model ?? 'unknown'}, ${counted(cores(), 'core')}, ${work}, Node ${process.versions.node}`;
