/**
 * A sweep: one algorithm with many choices of its hyperparameters, from one warm start, on the same seeds. All points train,
 * or, by successive halving, the better ones train on. Finished runs are kept; the same command continues.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { lockFolder, mergeDeep } from '@vlgym/core/internal';
import { type Given, givenBy, mergeGiven } from '../../command-line/given.js';
import type { RunResult } from '../../report/data.js';
import { ProgressFile } from '../../terminal/progress-file.js';
import { counted } from '../../terminal/style.js';
import { TrainingProgress } from '../../terminal/training-progress.js';
import { warmStartProgress } from '../../terminal/warm-start-progress.js';
import type { BenchmarkContext } from '../benchmark/benchmark-options.js';
import { startOf } from '../benchmark/benchmark-report.js';
import { checkRun } from '../benchmark/check-run.js';
import { compare } from '../benchmark/comparison.js';
import { runName } from '../run-name.js';
import { algorithmOf } from '../run-options.js';
import { updatesDone } from '../run-progress.js';
import { checkSameRun, reopen } from '../same-run.js';
import { completeTask } from '../settings/settings.js';
import type { RunPlan, Task } from '../spec.js';
import { ensureWarmStart } from '../warm-start/warm-start.js';
import { survivorsOf } from './rungs.js';
import { asSettings, type Values } from './space.js';
import { meanOf, openSweep, type Rung, type SeedScore, type SweepFile, writeSweep } from './sweep-file.js';

export const METRICS = ['success', 'strict', 'thoughts'] as const;
export type Metric = (typeof METRICS)[number];

export interface SweepOptions {
  readonly task: Task;
  readonly algorithm: string;
  /** Hyperparameters that all points share. */
  readonly set: Readonly<Record<string, unknown>>;
  readonly given: Given;
  readonly replicate: boolean;
  readonly points: readonly Values[];
  readonly seeds: readonly number[];
  /** The score of a point after training, in [0, 1]; the mean over seeds counts. */
  readonly metric: Metric;
  /** Updates of each rung; one rung trains all points to the end. */
  readonly rungs: readonly number[];
  /** The best 1/eta of the points of a rung continue. */
  readonly eta: number;
  /** A point whose run has failed is out; else the sweep ends, and the same command tries the run again. */
  readonly giveUpFailed: boolean;
  /** All choices that identify this sweep. */
  readonly plan: Readonly<Record<string, unknown>>;
  readonly out: string;
  readonly jobs: number;
  readonly command: string;
  readonly context: BenchmarkContext;
}

/** @throws {GymError} A point is invalid, or the folder holds another sweep. @returns undefined if it was stopped or a run has failed. */
export async function sweep(options: SweepOptions): Promise<SweepFile | undefined> {
  const { points, out, context } = options;
  const names = points.map((_, index) => `p${String(index + 1).padStart(String(points.length).length, '0')}`);
  const named = points.map((values, index) => ({ name: names[index]!, values }));
  // mistakes are reported before minutes are spent
  const plans = named.map((point) => planOf(options, point, options.seeds[0]!, options.rungs.at(-1)!));
  await checkRun(plans[0]!);
  for (const plan of plans) algorithmOf(plan); // the environment is the same in all
  await mkdir(out, { recursive: true });
  const lock = await lockFolder(out, 'sweep');
  const progress = new ProgressFile(out, options.command);
  try {
    const file = await openSweep(out, { plan: options.plan, points: named });
    await warmUp(options, progress);
    return await runRungs(options, file, progress);
  } finally {
    await progress.close();
    await lock.release();
    if (context.signal.aborted) context.stderr.write('stopped; the same command continues\n');
  }
}

type Point = SweepFile['points'][number];

async function runRungs(options: SweepOptions, file: SweepFile, progress: ProgressFile) {
  const { rungs, eta, out, context } = options;
  let left = file.points;
  for (const [index, updates] of rungs.entries()) {
    const rung = file.rungs[index] ?? (await runRung(options, left, updates, progress));
    if (context.signal.aborted) return undefined;
    const failed = Object.values(rung.scores)
      .flat()
      .filter(({ score }) => score === undefined);
    if (failed.length > 0 && !options.giveUpFailed) {
      const what = counted(failed.length, 'run');
      context.stderr.write(`${what} failed; the same command tries again, --give-up-failed goes on without them\n`);
      return undefined;
    }
    if (file.rungs[index] === undefined) {
      file.rungs.push(rung);
      await writeSweep(out, file);
    }
    const scores = left.map(({ name }) => meanOf(rung.scores[name] ?? []));
    left = survivorsOf(scores, eta).map((survivor) => left[survivor]!);
    if (left.length === 0) return file;
  }
  return file;
}

async function runRung(
  options: SweepOptions,
  points: readonly Point[],
  updates: number,
  file: ProgressFile,
): Promise<Rung> {
  const { seeds, jobs, metric, context } = options;
  const runs = points.flatMap((point) =>
    seeds.map((seed) => ({ point, seed, plan: planOf(options, point, seed, updates) })),
  );
  const done = new Map<RunPlan, number>();
  for (const { plan } of runs) {
    if ((await checkSameRun(plan)) !== undefined) await reopen(plan.folder);
    done.set(plan, await updatesDone(plan.folder));
  }
  const progress = new TrainingProgress(runs.length * updates, done, false, context.stderr, file);
  const listen = progress.listen.bind(progress);
  const outcome = await compare({ plans: runs.map(({ plan }) => plan), jobs, signal: context.signal, listen });
  progress.end();
  const failures = new Map(outcome.failures.map((failure) => [failure.folder, failure]));
  const scores: Record<string, SeedScore[]> = {};
  for (const { point, seed, plan } of runs) {
    const result = outcome.results.get(plan);
    const failure = failures.get(plan.folder);
    if (failure) context.stderr.write(`${failure.message}\n`);
    const score = result && scoreOf(result, metric);
    const error =
      failure?.message.split('\n')[0] ?? (result && score === undefined ? `${metric} was not measured` : undefined);
    scores[point.name] = [
      ...(scores[point.name] ?? []),
      { seed, ...(score !== undefined && { score }), ...(error && { error }) },
    ];
  }
  return { updates, scores };
}

function scoreOf({ evaluations }: RunResult, metric: Metric): number | undefined {
  const last = evaluations.at(-1);
  if (!last || last.episodes === 0) return undefined;
  if (metric === 'thoughts') return last.thoughtRate;
  const hits = metric === 'strict' ? last.strictSuccesses : last.successes;
  return hits === undefined ? undefined : hits / last.episodes;
}

function planOf(
  { task, algorithm, set, given, replicate, out }: SweepOptions,
  point: Point,
  seed: number,
  updates: number,
): RunPlan {
  const name = `${algorithm}:${point.name}`;
  const varied = asSettings(point.values);
  return {
    ...task,
    algorithm: name,
    updates,
    set: mergeDeep(set, varied),
    given: mergeGiven(given, { set: givenBy('sweep', varied) }),
    ...{
      replicate,
      printConfig: false,
      seed,
      pictures: false,
      procs: 1,
      shardOptimizer: false,
      nccl: false,
      resume: true,
    },
    start: startOf(out),
    folder: join(out, runName({ algorithm: name, seed, control: undefined })),
  };
}

async function warmUp({ task, out, context }: SweepOptions, file: ProgressFile): Promise<void> {
  const progress = warmStartProgress(file);
  await ensureWarmStart(completeTask(task), startOf(out), {
    from: task.start,
    signal: context.signal,
    onNote: (text) => context.stderr.write(`${text}\n`),
    onProgress: progress.update,
  });
  progress.end();
}
