/** One training run from start weights to `result.json`, in this process. */
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomic } from '@vlgym/core';
import { setNumThreads } from '@vlgym/gpu';
import { type Alarm, Alarms, train, type UpdateRecord } from '@vlgym/rl';
import type { EvaluationPoint, MetricSeries, RunResult } from '../report/data.js';
import { algorithmOf, titleOf } from './algorithms.js';
import { environment, evaluationSeeds } from './evaluate-policy.js';
import type { Listener } from './messages.js';
import { newPolicy } from './policy.js';
import { RunEvaluations } from './run-evaluations.js';
import { completeTask } from './settings.js';
import type { RunSpec } from './spec.js';
import { weightsOf } from './warm-start.js';

const RESULT = 'result.json';

/** Metrics that the report draws, by the name it knows them under. */
const SERIES: Readonly<Record<string, string>> = {
  entropy: 'entropy/response',
  thoughtTokens: 'response/thought-length-mean',
  inputDependence: 'text/input-dependence',
  teacherKl: 'teacher/kl-mean',
  referenceKl: 'kl/reference-k3',
  explainedVariance: 'value/explained-variance',
  clipFraction: 'ratio/clipped-high',
  legalRate: 'response/legal',
  gradNorm: 'optimiser/grad-norm',
  valueGradNorm: 'optimiser/value-grad-norm',
};

export interface RunPlan extends RunSpec {
  readonly folder: string;
  /** Folder of a warm start or of saved weights. */
  readonly start: string;
}

/** The result in a run's folder, if the run is finished. */
export async function readRunResult(folder: string): Promise<RunResult | undefined> {
  try {
    return JSON.parse(await readFile(join(folder, RESULT), 'utf8')) as RunResult;
  } catch {
    return undefined;
  }
}

/** @returns the result, or nothing when the signal stopped the run; then `resume` continues it. */
export async function runTraining(
  plan: RunPlan,
  listen: Listener,
  signal: AbortSignal,
): Promise<RunResult | undefined> {
  const task = completeTask(plan);
  const { folder, seed } = plan;
  if (plan.threads !== undefined) setNumThreads(plan.threads);
  await mkdir(folder, { recursive: true });
  await writeFileAtomic(join(folder, 'run.json'), JSON.stringify({ ...plan, ...task }, null, 2));

  const algorithm = algorithmOf(plan);
  const policy = await newPolicy(task, seed);
  try {
    await policy.load(weightsOf(plan.start));
    const evaluations = new RunEvaluations(task, policy, plan);
    const report = await train({
      policy,
      algorithm,
      makeEnv: environment(task),
      updates: task.updates,
      stepsPerUpdate: task.stepsPerUpdate,
      numEnvs: task.numEnvs,
      seed,
      evaluation: {
        seeds: evaluationSeeds(task),
        every: task.evaluateEvery,
        play: (update) => evaluations.after(update, signal),
      },
      folder,
      resume: plan.resume,
      signal,
      onMetrics: (record) => {
        const evaluation = evaluationPoint(record);
        const { update, environmentSteps: steps } = record;
        listen({ type: 'update', update, updates: task.updates, steps, ...(evaluation ? { evaluation } : {}) });
      },
      onAlarm: (alarm) => listen({ type: 'alarm', text: alarmText(alarm) }),
    });
    if (report.stopped) return undefined;
    const final = await evaluations.final(signal);
    if (final.stopped) return undefined;
    const records = await readRecords(folder);
    const result: RunResult = {
      algorithm: plan.algorithm,
      title: titleOf(plan.algorithm),
      envId: task.env,
      seed,
      evaluations: records.flatMap((record) => evaluationPoint(record) ?? []),
      after: final.episodes.map((episode) => ({ seed: episode.seed, success: episode.success })),
      metrics: seriesOf(records),
      trainSeconds: records.reduce((sum, record) => sum + secondsOf(record), 0),
      trainedSteps: report.environmentSteps,
      alarms: alarmsOf(records),
      folder,
    };
    await writeFileAtomic(join(folder, RESULT), JSON.stringify(result));
    return result;
  } finally {
    policy.close();
  }
}

/** All records of the run, those before a resume included. */
async function readRecords(folder: string): Promise<UpdateRecord[]> {
  const lines = (await readFile(join(folder, 'metrics.jsonl'), 'utf8')).split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as UpdateRecord);
}

function evaluationPoint({ update, environmentSteps, metrics }: UpdateRecord): EvaluationPoint | undefined {
  const rate = metrics['evaluation/success-rate'];
  const episodes = metrics['evaluation/episodes'];
  if (rate === undefined || episodes === undefined) return undefined;
  return {
    update,
    steps: environmentSteps,
    successes: Math.round(rate * episodes),
    episodes,
    meanReturn: metrics['evaluation/return'] ?? 0,
    meanLength: metrics['evaluation/episode-length'] ?? 0,
    legalRate: metrics['evaluation/legal'] ?? 0,
  };
}

function seriesOf(records: readonly UpdateRecord[]): MetricSeries {
  const series = Object.entries(SERIES).map(([key, name]) => {
    const points = records.flatMap(({ update, metrics }) =>
      metrics[name] === undefined ? [] : [[update, metrics[name]] as const],
    );
    return [key, points] as const;
  });
  return Object.fromEntries(series.filter(([, points]) => points.length > 0));
}

/** Phases of an update, evaluation apart: that is the report's cost, not the algorithm's. */
const PHASES = ['time/sample', 'time/environment', 'time/score', 'time/teacher', 'time/merge', 'time/update'];
const secondsOf = ({ metrics }: UpdateRecord) => PHASES.reduce((sum, name) => sum + (metrics[name] ?? 0), 0);

const alarmText = ({ update, message }: Alarm) => `update ${update}: ${message}`;

/** The same alarms again from the records: they are a function of the metrics. */
function alarmsOf(records: readonly UpdateRecord[]): string[] {
  const alarms = new Alarms();
  return records.flatMap(({ update, metrics }) => alarms.check(update, metrics).map(alarmText));
}
