/**
 * Runs what is missing of a design, block by block: the same warm starts and seeds in every arm, the same evaluation
 * seeds for all. Finished cells are kept, interrupted runs continue from their checkpoint, failed ones are tried again.
 */
import { mkdir } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join, relative } from 'node:path';
import { lockFolder } from '@vlgym/core/internal';
import { givenBy } from '../../command-line/given.js';
import { importEnvironments } from '../../environments.js';
import type { RunResult } from '../../report/data.js';
import { ProgressFile } from '../../terminal/progress-file.js';
import { bold, counted, dim } from '../../terminal/style.js';
import { TrainingProgress } from '../../terminal/training-progress.js';
import { warmStartProgress } from '../../terminal/warm-start-progress.js';
import type { BenchmarkContext } from '../benchmark/benchmark-options.js';
import { startOf } from '../benchmark/benchmark-report.js';
import { checkRun } from '../benchmark/check-run.js';
import { compare, type RunFailedError } from '../benchmark/comparison.js';
import { underControl } from '../controls/index.js';
import { updatesDone } from '../run-progress.js';
import { checkSameRun } from '../same-run.js';
import { completeTask } from '../settings/settings.js';
import type { RunPlan, Task } from '../spec.js';
import { ensureWarmStart } from '../warm-start/warm-start.js';
import type { FinishedRun } from './cells.js';
import { CellsStore, type Place } from './cells-store.js';
import { armsOf, type Block, blocksOf, type Design, type ReadDesign } from './design.js';

export interface DesignRunOptions extends ReadDesign {
  /** The folder of `cells.json` and of all runs. */
  readonly out: string;
  readonly jobs: number;
  readonly command: string;
  readonly context: BenchmarkContext;
}

interface PlannedRun extends Place {
  readonly plan: RunPlan;
  /** Folder of its warm start. */
  readonly home: string;
  readonly task: Task;
}

/** @returns 0 where every planned run has finished. @throws {GymError} A setting of the design is invalid, or the folder holds another. */
export async function runDesign(options: DesignRunOptions): Promise<number> {
  const { design, digest, out, context } = options;
  context.stdout.write(`${bold('design')} ${design.title}\n${dim(digest)}\n`);
  for (const { import: imports } of Object.values(design.worlds)) await importEnvironments(imports);
  const planned = blocksOf(design).map((block) => planBlock(design, block, out));
  await checkPlans(planned.flat());
  await mkdir(out, { recursive: true });
  const lock = await lockFolder(out, 'cells');
  try {
    return await runMissing(options, planned);
  } finally {
    await lock.release();
    if (context.signal.aborted) context.stderr.write('stopped; the same command continues\n');
  }
}

async function runMissing(
  { design, data, digest, out, jobs, command, context }: DesignRunOptions,
  planned: readonly (readonly PlannedRun[])[],
): Promise<number> {
  const { signal, stdout, stderr } = context;
  const store = await CellsStore.open(out, { data, digest });
  const all = planned.flat();
  const missing = (runs: readonly PlannedRun[]) => runs.filter((run) => !store.hasFinished(run));
  stdout.write(`${all.length - missing(all).length} of ${counted(all.length, 'run')} finished\n`);
  const file = new ProgressFile(out, command);
  const progress = await trainingProgress(all, store, context, file);
  const byPlan = new Map(all.map((run) => [run.plan, run]));
  const starts = new Map<string, Start>();
  /** A block begins when a process is free, not when the one before it has ended: a last run would leave the others idle. */
  async function* plans() {
    for (const block of planned) {
      const runs = missing(block);
      if (runs.length === 0) continue;
      const stop = reasonToStop(design, store);
      if (stop !== undefined) {
        stderr.write(`${stop}; ${counted(missing(all).length, 'run')} not finished\n`);
        return;
      }
      for (const [home, start] of await warmUp(runs, context, file)) starts.set(home, start);
      if (signal.aborted) return;
      for (const { world, home } of runs) store.checkStart(world, home, starts.get(home)?.start);
      yield* runs.map(({ plan }) => plan);
    }
  }
  const keep = (results: ReadonlyMap<RunPlan, RunResult>) => {
    const load = loadavg()[0] ?? 0;
    for (const [plan, result] of results) {
      const run = byPlan.get(plan)!;
      store.add(run, result, { load, ...(starts.get(run.home) ?? { checksThoughts: false }) });
    }
  };
  const { results } = await compare({
    ...{ plans: plans(), jobs, signal, listen: progress.listen.bind(progress), onResult: keep },
    onFailure(failure) {
      store.fail(all.find(({ plan }) => plan.folder === failure.folder)!, failureText(failure));
      stderr.write(`${failure.message}\n`);
    },
  });
  keep(results);
  progress.end();
  await file.close();
  await store.written();
  const left = missing(all).length;
  const path = relative(process.cwd(), out) || '.';
  stdout.write(`\n${all.length - left} of ${counted(all.length, 'run')} finished\nvlgym claims ${path}\n`);
  return left === 0 ? 0 : 1;
}

function planBlock(design: Design, { block, warmStart, seed }: Block, out: string): PlannedRun[] {
  return armsOf(design).map(({ world, arm }) => {
    const home = join(out, `${world}-warm-start-${warmStart}`);
    const task: Task = { ...design.worlds[world]!, warmStartSeed: warmStart };
    const { algorithm, control, replicate, set } = design.arms[arm]!;
    const plan: RunPlan = {
      ...task,
      ...underControl({
        // a variant by name, so that progress and reports tell the arms of one algorithm apart
        algorithm: arm === algorithm || algorithm.includes(':') ? algorithm : `${algorithm}:${arm}`,
        set,
        ...(control !== undefined && { control }),
        given: givenBy('design', { ...design.worlds[world], set }),
      }),
      ...{ replicate, printConfig: false, seed, pictures: false, procs: 1, shardOptimizer: false, nccl: false },
      ...{ resume: true, start: startOf(home), folder: join(home, `${arm}-${seed}`) },
    };
    return { world, arm, block, warmStart, seed, plan, home, task };
  });
}

/** Mistakes are reported before minutes are spent. */
async function checkPlans(runs: readonly PlannedRun[]): Promise<void> {
  const checked = new Set<string>();
  for (const { world, arm, plan } of runs) {
    if (!checked.has(`${world} ${arm}`)) await checkRun(plan);
    checked.add(`${world} ${arm}`);
    await checkSameRun(plan);
  }
}

async function trainingProgress(
  runs: readonly PlannedRun[],
  store: CellsStore,
  { stderr }: BenchmarkContext,
  file: ProgressFile,
): Promise<TrainingProgress> {
  const done = new Map<RunPlan, number>();
  let total = 0;
  for (const run of runs) {
    const { updates } = completeTask(run.plan);
    total += updates;
    done.set(run.plan, store.hasFinished(run) ? updates : await updatesDone(run.plan.folder));
  }
  return new TrainingProgress(total, done, new Set(runs.map(({ world }) => world)).size > 1, stderr, file);
}

/** The weights that runs of a folder begin from. */
type Start = Pick<FinishedRun, 'checksThoughts' | 'start'>;

/** The warm starts of these runs, by folder. */
async function warmUp(
  runs: readonly PlannedRun[],
  { signal, stderr }: BenchmarkContext,
  file: ProgressFile,
): Promise<Map<string, Start>> {
  const starts = new Map<string, Start>();
  for (const { home, task, warmStart } of runs) {
    if (starts.has(home) || signal.aborted) continue;
    await mkdir(home, { recursive: true });
    const progress = warmStartProgress(file, `warm start ${warmStart}`);
    const made = await ensureWarmStart(completeTask(task), startOf(home), {
      from: task.start,
      signal,
      onNote: (text) => stderr.write(`${text}\n`),
      onProgress: progress.update,
    }).catch((error: unknown) => {
      if (signal.aborted) return undefined;
      throw error;
    });
    progress.end();
    if (made) starts.set(home, { checksThoughts: made.scores.thoughtRate !== undefined, start: made.weights });
  }
  return starts;
}

function reasonToStop({ budget, stop }: Design, store: CellsStore): string | undefined {
  const hours = store.cpuSeconds / 3600;
  if (hours >= budget.cpuHours) return `the budget of ${budget.cpuHours} CPU-hours is spent`;
  return store.failures >= stop.failedRuns ? `${counted(store.failures, 'run')} failed in this call` : undefined;
}

const failureText = ({ message }: RunFailedError) => message.split('\n')[0]!;
