/** Every policy of a benchmark, and the start that it comes from, on every environment: does what was learned carry over? */
import { join } from 'node:path';
import { UsageError } from '../../command-line/usage-error.js';
import type { RunResult } from '../../report/data.js';
import type { Judged, TransferCell } from '../../report/transfer.js';
import { Progress } from '../../terminal/progress.js';
import type { BenchmarkContext, Prepared } from '../benchmark/benchmark-options.js';
import { startOf } from '../benchmark/benchmark-report.js';
import { judgmentOf, judgmentOfTask } from '../evaluation/judgment.js';
import { folderName } from '../folder-name.js';
import { TASKS } from '../ledger.js';
import { threadsPerJob } from '../resources.js';
import { runName, runTitle } from '../run-name.js';
import type { CompleteTask } from '../settings/settings.js';
import type { RunPlan } from '../spec.js';
import { SeenTasks, tasksOf } from '../task-separation/seen-tasks.js';
import { overlapOf } from '../task-separation/task-separation.js';
import { type JudgeOptions, judge, NotJudgedError } from './judge.js';

export interface TransferOptions {
  readonly prepared: readonly Prepared[];
  readonly results: ReadonlyMap<RunPlan, RunResult>;
  /** Environments that only judge, beside those of `prepared`. */
  readonly others: readonly CompleteTask[];
  /** Evaluations side by side. */
  readonly jobs: number;
  /** The folder of the report. */
  readonly out: string;
  readonly context: BenchmarkContext;
}

export interface TransferOutcome {
  /** Those without an evaluation that has failed. */
  readonly cells: readonly TransferCell[];
  readonly failures: readonly NotJudgedError[];
}

/** One set of weights on one environment. */
interface Judgment extends Pick<JudgeOptions, 'task' | 'folder'> {
  readonly weights: string;
  /** The warm start that the weights come from; it may be these weights. */
  readonly start: string;
}

function startAs({ folder }: Prepared): Pick<Judgment, 'weights' | 'start'> {
  const start = startOf(folder);
  return { weights: start, start };
}

/** Distinct tasks that judge and that the warm start or the run has met before, by their content keys. */
async function metOf({ episodes }: Judged, run: string, start: string): Promise<number> {
  const met = (await SeenTasks.read(tasksOf(start))).including(await SeenTasks.read(join(run, TASKS)));
  return overlapOf(episodes, met).length;
}

/**
 * The start knows nothing of a run's own sampling, so that both are compared only where a run has none.
 *
 * @throws {UsageError} It has cuts, a penalty or a rule for unreadable answers of its own.
 */
export function checkJudgedAlike(plan: RunPlan): void {
  const [own, start] = [judgmentOf(plan), judgmentOfTask(plan)];
  const names = [
    'fallback',
    'repetitionPenalty',
    ...(own.temperature === 0 ? [] : (['topK', 'topP'] as const)),
  ] as const;
  const other = names.find((name) => own[name] !== start[name]);
  if (other === undefined) return;
  throw new UsageError(
    `--transfer would judge ${runTitle(plan)} with ${other} ${own[other]}, and its start with ${start[other]}.`,
    {
      hint: 'leave out --replicate, or the setting of the rollout',
    },
  );
}

/** Plays what is missing; the same call again continues. Once aborted it returns what there is. */
export async function transfer(options: TransferOptions): Promise<TransferOutcome> {
  const { prepared, others, results, out } = options;
  const tasks = [...prepared.map(({ task }) => task), ...others];
  const folderOf = (trained: Prepared, on: CompleteTask, name: string) =>
    join(out, 'transfer', folderName(trained.task.env), folderName(on.env), name);
  const finished = ({ plans }: Prepared) => plans.filter((plan) => results.has(plan));
  const judgments = prepared.flatMap((trained) =>
    tasks
      .filter(({ env }) => env !== trained.task.env)
      .flatMap((on): Judgment[] => [
        { ...startAs(trained), task: on, folder: folderOf(trained, on, START) },
        ...finished(trained).map((plan) => ({
          ...startAs(trained),
          weights: plan.folder,
          task: on,
          folder: folderOf(trained, on, runName(plan)),
        })),
      ]),
  );
  const { outcomes, failures } = await judgeAll(judgments, options);
  for (const { folder, weights, start } of judgments) {
    const judged = outcomes.get(folder);
    if (judged && weights !== start) outcomes.set(folder, { ...judged, met: await metOf(judged, weights, start) });
  }
  const cells = prepared.flatMap((trained) =>
    tasks.flatMap((on) => {
      const isOwn = on.env === trained.task.env;
      const { before: episodes, scores } = trained.warmStart;
      const before = isOwn ? { episodes, legalRate: scores.legalRate } : outcomes.get(folderOf(trained, on, START));
      const runs = finished(trained).map((plan) => ({
        plan,
        judged: isOwn ? ownOf(results.get(plan)!) : outcomes.get(folderOf(trained, on, runName(plan))),
      }));
      const titles = new Map(runs.map(({ plan }) => [rowOf(plan), runTitle(plan)]));
      return [...titles].flatMap(([algorithm, title]): TransferCell[] => {
        const after = runs.flatMap(({ plan, judged }) =>
          rowOf(plan) === algorithm && judged ? [{ seed: plan.seed, ...judged }] : [],
        );
        if (!before || after.length === 0) return [];
        return [{ algorithm, title, trainedOn: trained.task.env, judgedOn: on.env, before, after }];
      });
    }),
  );
  return { cells, failures };
}

/** Controls are judged, too: what carries over from play must be more than from more imitation. */
const rowOf = ({ algorithm, control }: RunPlan): string => control ?? algorithm;

const START = 'start';

/** Measured by the run itself after its last update. */
const ownOf = ({ after, evaluations }: RunResult): Judged => ({
  episodes: after,
  legalRate: evaluations.at(-1)?.legalRate,
});

/** Trained weights, and what their habits win: a success rate that is not above it shows no sight. */
async function judgeBoth(
  { weights, start, task, folder }: Judgment,
  how: Pick<JudgeOptions, 'threads' | 'signal'>,
): Promise<Judged> {
  const judged = await judge({ player: { weights }, task, folder, ...how });
  const hasHabits = weights !== start && judged.episodes.some(({ success }) => success);
  if (!hasHabits) return judged;
  const { episodes } = await judge({ player: { like: folder }, task, folder: `${folder}-without-looking`, ...how });
  return { ...judged, withoutLooking: episodes };
}

async function judgeAll(
  judgments: readonly Judgment[],
  { jobs, context: { signal, stderr } }: TransferOptions,
): Promise<{ outcomes: Map<string, Judged>; failures: readonly NotJudgedError[] }> {
  const outcomes = new Map<string, Judged>();
  const failures: NotJudgedError[] = [];
  const progress = new Progress({ label: 'transfer', total: judgments.length, unit: 'evaluations', stream: stderr });
  const queue = [...judgments];
  const lane = async () => {
    for (let next = queue.shift(); next && !signal.aborted; next = queue.shift()) {
      try {
        outcomes.set(next.folder, await judgeBoth(next, { threads: threadsPerJob(jobs), signal }));
      } catch (error) {
        if (signal.aborted) return;
        if (!(error instanceof NotJudgedError)) throw error;
        failures.push(error);
      }
      progress.update(outcomes.size + failures.length, next.task.env);
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(jobs, judgments.length) }, lane));
  } finally {
    progress.end('');
  }
  return { outcomes, failures };
}
