/** A comparison from warm start to report, with progress for the person who waits. */
import { cpus } from 'node:os';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { make, writeFileAtomic } from '@vlgym/core';
import type { CommandContext } from '../command.js';
import { reportPage } from '../report/page.js';
import { type Row, summarise } from '../report/statistics.js';
import { Progress } from '../terminal/progress.js';
import { bold, dim, duration, percent, table, yellow } from '../terminal/style.js';
import { warmStartProgress } from '../terminal/warm-start-progress.js';
import { VERSION } from '../version.js';
import { titleOf } from './algorithms.js';
import { checkRun } from './check-run.js';
import { type ComparisonOutcome, compare, runName } from './comparison.js';
import { evaluationSeeds } from './evaluate-policy.js';
import type { RunMessage } from './messages.js';
import { cores, threadsPerJob } from './resources.js';
import type { RunPlan } from './run.js';
import { completeTask } from './settings.js';
import type { Task } from './spec.js';
import { collectStrips } from './strips.js';
import { ensureWarmStart } from './warm-start.js';

export interface BenchmarkOptions extends Task {
  readonly algorithms: readonly string[];
  readonly seeds: readonly number[];
  readonly baseline: string;
  readonly set: Readonly<Record<string, unknown>>;
  readonly jobs: number;
  readonly out: string;
  readonly title: string;
  readonly lead: string;
  readonly command: string;
  readonly context: CommandContext;
}

/** @returns the exit code. */
export async function benchmark(options: BenchmarkOptions): Promise<number> {
  const { signal, stderr } = options.context;
  try {
    return await compareAndReport(options);
  } finally {
    if (signal.aborted) stderr.write('stopped; the same command goes on from the last checkpoint of every run\n');
  }
}

async function compareAndReport(options: BenchmarkOptions): Promise<number> {
  const { algorithms, seeds, baseline, set, jobs, out, title, lead, command, context, ...task } = options;
  const { signal, stdout, stderr } = context;
  for (const algorithm of algorithms) await checkRun({ ...task, algorithm, set: { ...set }, seed: 0 });
  const complete = completeTask(task);
  const start = join(out, 'start');

  const progress = warmStartProgress();
  const warmStart = await ensureWarmStart(complete, start, { signal, onProgress: progress.update });
  progress.end();
  stdout.write(
    `warm start: greedy success ${percent(warmStart.successes / warmStart.episodes)} on ${warmStart.episodes} fixed seeds\n`,
  );

  const plans = seeds.flatMap((seed) =>
    algorithms.map(
      (algorithm): RunPlan => ({
        ...task,
        algorithm,
        seed,
        set: { ...set },
        resume: true,
        start,
        folder: join(out, runName({ algorithm, seed })),
      }),
    ),
  );
  const outcome = await withProgress(plans, complete.updates, stderr, (listen) =>
    compare({ plans, jobs, signal, listen }),
  );
  for (const failure of outcome.failures) stderr.write(`${failure.message}\n`);
  if (signal.aborted || outcome.results.length === 0) return 1;

  const env = await make(task.env, { options: complete.envOptions });
  const dialogue = env.dialogue?.version ?? 'none';
  await env.close();
  const page = reportPage(
    {
      title,
      lead,
      command,
      envId: task.env,
      dialogue,
      model: `${task.model}, from random weights`,
      evaluationSeeds: evaluationSeeds(complete),
      warmStart,
      runs: outcome.results,
      strips: await collectStrips(start, outcome.results),
      facts: [
        ['options', JSON.stringify(complete.envOptions)],
        ['training seeds', seeds.join(', ')],
        ['vlgym', VERSION],
        [
          'machine',
          `${cpus()[0]?.model ?? 'unknown'}, ${cores()} cores, ${jobs} runs side by side, ${threadsPerJob(jobs)} threads each, Node ${process.versions.node}`,
        ],
      ],
    },
    baseline,
  );
  const file = join(out, 'report.html');
  await writeFileAtomic(file, page);
  stdout.write(
    `\n${summary(summarise(outcome.results, baseline), baseline)}\n\n${bold('report')} ${relative(process.cwd(), file)}\n${dim(pathToFileURL(file).href)}\n`,
  );
  return outcome.failures.length > 0 ? 1 : 0;
}

/** One bar for all runs; the note says how each stands. */
async function withProgress(
  plans: readonly RunPlan[],
  updates: number,
  stderr: NodeJS.WriteStream,
  work: (listen: (plan: RunPlan, message: RunMessage) => void) => Promise<ComparisonOutcome>,
): Promise<ComparisonOutcome> {
  const done = new Map<RunPlan, number>();
  const success = new Map<RunPlan, string>();
  const progress = new Progress({ label: 'training', total: plans.length * updates, unit: 'updates', stream: stderr });
  const outcome = await work((plan, message) => {
    if (message.type === 'alarm')
      stderr.write(
        `${stderr.isTTY ? '\r\x1b[2K' : ''}${yellow('alarm')} ${titleOf(plan.algorithm)} seed ${plan.seed}, ${message.text}\n`,
      );
    if (message.type !== 'update') return;
    done.set(plan, message.update);
    if (message.evaluation) success.set(plan, percent(message.evaluation.successes / message.evaluation.episodes, 0));
    const note = [...success]
      .filter(([each]) => done.get(each) !== updates || each === plan)
      .map(([each, rate]) => `${runName(each)} ${rate}`);
    progress.update(
      [...done.values()].reduce((sum, count) => sum + count, 0),
      note.join(' · '),
    );
  });
  progress.end('');
  return outcome;
}

function summary(rows: readonly Row[], baseline: string): string {
  return table([
    ['', 'before', 'after', '95 % interval', 'gain', `against ${titleOf(baseline)}`, 'time'],
    ...rows.map((row) => [
      row.title,
      percent(row.start),
      percent(row.end),
      `${percent(row.interval[0])} to ${percent(row.interval[1])}`,
      `${row.gain.toFixed(1)}`,
      row.paired ? `${(100 * row.paired.difference).toFixed(1)} (p ${row.paired.pValue.toPrecision(2)})` : '–',
      duration(row.trainSeconds),
    ]),
  ]);
}
