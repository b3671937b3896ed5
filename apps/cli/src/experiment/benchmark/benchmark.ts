/** A comparison from warm starts to report: algorithms × environments × seeds, with progress. */
import { mkdir } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { GymError } from '@vlgym/core';
import '../../environments.js';
import { type QueueChoices, queueChoices, runNameFrom, withoutPassword } from '../../queue-run/options.js';
import type { TaskReport } from '../../report/data.js';
import { ProgressFile } from '../../terminal/progress-file.js';
import { bold, dim, percent, yellow } from '../../terminal/style.js';
import { summaryTable } from '../../terminal/summary-table.js';
import { TrainingProgress } from '../../terminal/training-progress.js';
import { transferTable } from '../../terminal/transfer-table.js';
import { viewHint } from '../../terminal/view-hint.js';
import { warmStartProgress } from '../../terminal/warm-start-progress.js';
import { underControl } from '../controls/index.js';
import { successName } from '../evaluation/evaluate-policy.js';
import { judgmentOfStart } from '../evaluation/judgment.js';
import type { RunMessage } from '../messages.js';
import { runName } from '../run-name.js';
import { optionNotices } from '../run-options.js';
import { updatesDone } from '../run-progress.js';
import { readRunResult } from '../run-result.js';
import { checkSameRun, reopen } from '../same-run.js';
import { givenFor, settingsFor } from '../settings/scoped-settings.js';
import { completeTask } from '../settings/settings.js';
import type { RunPlan } from '../spec.js';
import { checkJudgedAlike, type TransferOutcome, transfer } from '../transfer/transfer.js';
import { lessons } from '../warm-start/lessons.js';
import { ensureWarmStart, type WarmStart } from '../warm-start/warm-start.js';
import { warmStartAlarm } from '../warm-start/warm-start-alarm.js';
import type { BenchmarkContext, BenchmarkOptions, BenchmarkTask, Prepared } from './benchmark-options.js';
import { BenchmarkReport, startOf } from './benchmark-report.js';
import { checkRun } from './check-run.js';
import { type ComparisonOutcome, compare } from './comparison.js';

export interface BenchmarkOutcome {
  /** Results by environment; without those of failed runs. */
  readonly tasks: readonly TaskReport[];
  /** Runs without a result, and evaluations on other environments. */
  readonly failures: readonly GymError[];
  /** The report, where at least one run has a result and the benchmark was not stopped; until then it is partial. */
  readonly report?: string;
}

/** 0 where every run has a result. */
export const exitCodeOf = ({ failures, report }: BenchmarkOutcome): number =>
  report === undefined || failures.length > 0 ? 1 : 0;

export async function benchmark(options: BenchmarkOptions): Promise<BenchmarkOutcome> {
  const { signal, stderr } = options.context;
  try {
    return await compareAndReport(options);
  } finally {
    if (signal.aborted) stderr.write('stopped; the same command continues from the last checkpoint of every run\n');
  }
}

async function compareAndReport(options: BenchmarkOptions): Promise<BenchmarkOutcome> {
  const { tasks, seeds, jobs, out, command, context } = options;
  const { signal, stdout, stderr } = context;
  // mistakes are reported before minutes are spent
  const plans = new Map<BenchmarkTask, Prepared['plans']>();
  for (const task of tasks) plans.set(task, await planRuns(task, options));
  for (const [{ env }, own] of plans) {
    const of = tasks.length > 1 ? `${env}: ` : '';
    const notices = own.filter(({ seed }) => seed === seeds[0]).flatMap(optionNotices);
    for (const line of new Set(notices)) stderr.write(`${of}${line}\n`);
  }
  const queued = options.queue && queueChoices(options.queue);
  if (queued?.redis !== undefined) {
    const blobs = resolve(queued.blobs ?? join(out, 'blobs'));
    stderr.write(`workers: vlgym worker --redis ${withoutPassword(queued.redis)} --all-runs --blobs ${blobs}\n`);
  }
  await mkdir(out, { recursive: true });
  const file = new ProgressFile(out, command);
  const prepared: Prepared[] = [];
  for (const [task, own] of plans) {
    prepared.push({
      task: completeTask(task),
      folder: task.folder,
      warmStart: await warmUp(task, own, options, file),
      plans: own,
    });
  }

  const report = new BenchmarkReport(prepared, options);
  const outcome = await train(prepared, jobs, context, file, (results) => report.update(results));
  await file.close();
  await report.updated();
  const carried = await carriedOver(prepared, outcome, options);
  const failures = [...outcome.failures, ...carried.failures];
  for (const { message } of failures) stderr.write(`${message}\n`);
  if (signal.aborted || outcome.results.size === 0) return { tasks: [], failures };

  const { reports, transfers, path } = await report.write(outcome.results, carried.cells);
  stdout.write(
    `\n${[summaryTable(reports, options.baseline), ...transferTable(transfers)].join('\n\n')}\n\n${bold('report')} ${relative(process.cwd(), path)}\n${dim(pathToFileURL(path).href)}\n${viewHint(out)}\n`,
  );
  return { tasks: reports, failures, report: path };
}

/** Nothing if it is not asked for, or if training was stopped. */
async function carriedOver(
  prepared: readonly Prepared[],
  { results }: ComparisonOutcome,
  { transfer: others, tasks, jobs, out, context }: BenchmarkOptions,
): Promise<TransferOutcome> {
  if (!others || context.signal.aborted) return { cells: [], failures: [] };
  const { folder: _, ...task } = tasks[0]!;
  const judges = others.map((other) => completeTask({ ...task, ...other }));
  return transfer({ prepared, results, others: judges, jobs, out, context });
}

/** The runs of a task, each in a folder that holds the same run or none. */
async function planRuns(
  { folder, ...task }: BenchmarkTask,
  { algorithms, seeds, set, given: all, replicate, controls, queue, out, transfer: judges }: BenchmarkOptions,
): Promise<Prepared['plans']> {
  const { envOptions, ...others } = all;
  // those of other environments only
  const given = task.envOptions === undefined ? others : all;
  type Choices = Pick<RunPlan, 'algorithm' | 'set' | 'given'> & { control?: string };
  const settings = (algorithm: string) => ({
    set: settingsFor(algorithm, set, algorithms),
    given: givenFor(algorithm, given, algorithms),
  });
  const plan = (seed: number, choices: Choices): RunPlan => ({
    ...task,
    ...choices,
    replicate,
    printConfig: false,
    seed,
    pictures: controls.length > 0,
    procs: 1,
    shardOptimizer: false,
    nccl: false,
    resume: true,
    start: startOf(folder),
    folder: join(folder, runName({ ...choices, seed, control: choices.control })),
    ...queueOfRun(queue, out, [task.env, runName({ ...choices, seed, control: choices.control })]),
  });
  const plans = seeds.flatMap((seed) => [
    ...algorithms.map((algorithm) => plan(seed, { algorithm, ...settings(algorithm) })),
    ...controls.map(({ name: control, ...rest }) => {
      const own = rest.kind === 'algorithm' ? settings(rest.algorithm) : { set: {}, given };
      return plan(seed, underControl({ algorithm: control, control, ...own }));
    }),
  ]);
  for (const plan of plans) {
    await checkRun(plan);
    if (judges) checkJudgedAlike(plan);
    const from = await checkSameRun(plan);
    if (from !== undefined) await reopen(plan.folder);
  }
  return plans;
}

/** Runs share Redis and trajectories, each under its own name; nothing if they do not use a queue. */
function queueOfRun(given: QueueChoices | undefined, out: string, parts: readonly string[]): Partial<RunPlan> {
  const choices = given && queueChoices(given);
  if (!choices) return {};
  const { redis, sampler, engine, maxStaleness } = choices;
  const name = runNameFrom(choices.run ?? 'bench', ...parts);
  return {
    ...{ redis, engine, maxStaleness },
    run: name,
    ...(sampler && { sampler: [...sampler] }),
    blobs: resolve(choices.blobs ?? join(out, 'blobs')),
    ...(choices.adapters !== undefined && { adapters: join(resolve(choices.adapters), name) }),
  };
}

/** The common start of a task. */
async function warmUp(
  { folder, ...task }: BenchmarkTask,
  plans: Prepared['plans'],
  { tasks, context }: BenchmarkOptions,
  file: ProgressFile,
): Promise<WarmStart> {
  const progress = warmStartProgress(file, tasks.length > 1 ? `warm start ${task.env}` : undefined);
  const complete = completeTask(task);
  const warmStart = await ensureWarmStart(complete, startOf(folder), {
    from: task.start,
    settings: judgmentOfStart(task, plans),
    signal: context.signal,
    onNote: (text) => context.stderr.write(`${text}\n`),
    onProgress: progress.update,
  });
  progress.end();
  const alarm = (complete.start !== undefined || lessons(complete)) && warmStartAlarm(warmStart);
  if (alarm) context.stderr.write(`${yellow('alarm')} ${task.env}: ${alarm}\n`);
  const of = tasks.length > 1 ? ` of ${task.env}` : '';
  const { successRate, tasks: distinct, counted: episodes, legalRate, thoughtRate } = warmStart.scores;
  const answers = [
    ...(legalRate === undefined ? [] : [`, ${percent(legalRate)} of answers legal`]),
    ...(thoughtRate === undefined ? [] : [`, ${percent(thoughtRate)} of thoughts correct`]),
  ].join('');
  const name = warmStart.from === undefined ? 'warm start' : `start from ${warmStart.from}`;
  context.stdout.write(
    `${name}${of}: ${successName(complete)} ${percent(successRate)} on ${distinct} distinct tasks, ${episodes} episodes${answers}\n`,
  );
  return warmStart;
}

async function train(
  prepared: readonly Prepared[],
  jobs: number,
  { signal, stderr }: BenchmarkContext,
  file: ProgressFile,
  onResult: (results: ComparisonOutcome['results']) => void,
): Promise<ComparisonOutcome> {
  const plans = prepared.flatMap((each) => each.plans);
  const total = prepared.reduce((sum, each) => sum + each.plans.length * each.task.updates, 0);
  const done = new Map<RunPlan, number>();
  for (const { task, plans: own } of prepared) {
    for (const plan of own) {
      const finished = (await readRunResult(plan.folder)) !== undefined;
      done.set(plan, finished ? task.updates : await updatesDone(plan.folder));
    }
  }
  const progress = new TrainingProgress(total, done, prepared.length > 1, stderr, file);
  const listen = (plan: RunPlan, message: RunMessage) => progress.listen(plan, message);
  const outcome = await compare({ plans, jobs, signal, listen, onResult });
  progress.end();
  return outcome;
}
