/**
 * The CPU that `vlgym train --record 5` adds to a training.
 *
 *     npx tsx apps/cli/bench/record.ts [BLOCKS] [ALGORITHM] [ENVIRONMENT] [--alone]
 *
 * Three equal trainings, each a process of its own with one thread, take turns, one update each, in an order that rotates:
 * one records, two do not. What counts is the CPU time of the whole process between the ends of two turns, whatever its
 * threads do, so that other load on the machine delays but hardly counts. A block is five updates, of which one is recorded;
 * its ratio is the CPU of the run that records by the mean of the others. The ratio of those two is what the measurement
 * itself varies by. Intervals are order statistics of the blocks that hold the median with at least 95 %. Beside them the CPU
 * that is used while the trainer waits for the record, or while an episode is taken down for it, whatever else is done in that
 * time: an upper bound, which no other run is needed for, and which varies ten times less; `--alone` measures only that, in
 * a third of the time. The first block also pays what is paid once per process. Goal: at most 1.02 (median).
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EpisodeRecorder } from '@vlgym/core/trajectory';
import { setNumThreads } from '@vlgym/gpu';
import { train } from '@vlgym/rl';
import { withEnvironment } from '../src/environments.js';
import { trainingEnvironment } from '../src/experiment/evaluation/evaluate-policy.js';
import { newPolicy } from '../src/experiment/policy.js';
import { recordChoices, recordNote } from '../src/experiment/record/record-options.js';
import { type TrainingRecord, trainingRecord } from '../src/experiment/record/training-record.js';
import { algorithmOf } from '../src/experiment/run-options.js';
import { completeTask } from '../src/experiment/settings/settings.js';
import { runSchema } from '../src/experiment/spec.js';
import { ensureWarmStart, weightsOf } from '../src/experiment/warm-start/warm-start.js';

const EVERY = 5;
type Arm = 'recorded' | 'first' | 'second';

interface Turn {
  /** CPU-seconds of the process so far, and of the time in which the record was worked on. */
  readonly cpu: number;
  readonly inRecord: number;
  readonly note?: string;
}

setNumThreads(1);
const isArm = process.argv.includes('--arm');
const isAlone = process.argv.includes('--alone');
const words = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const [blocks = '6', algorithm = 'vl-dac', name = 'vlgym/EZPoints-v1', home = '', arm = ''] = words;
const arms: readonly Arm[] = isAlone ? ['recorded'] : ['recorded', 'first', 'second'];
const updates = Number(blocks) * EVERY + 1; // the last block has its end in the update after it
const { env } = await withEnvironment({ env: name, import: [] });
// a policy whose critic warms up does less per update
const spec = runSchema.parse({
  ...{ algorithm, env, record: EVERY, warmStartExamples: 512, evaluationEpisodes: 8 },
  set: { value: { warmupUpdates: 0 } },
});
const task = completeTask(spec);
if (isArm) await beArm(home, arm as Arm);
else await compare();

function secondsSince(before?: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

/** One of the trainings: an update for each message of the parent. */
async function beArm(folder: string, own: Arm): Promise<void> {
  const policy = await newPolicy(task);
  await policy.load(weightsOf(join(folder, 'start')), { weightsOnly: true });
  const method = algorithmOf(spec);
  const record =
    own === 'recorded'
      ? await trainingRecord({ folder: join(folder, own), policy, ...recordChoices(spec, method.config) })
      : undefined;
  let inRecord = 0;
  if (record) countRecorders((seconds) => (inRecord += seconds));
  const tell = (note?: string) =>
    process.send!({ cpu: secondsSince(), inRecord, ...(note !== undefined && { note }) } satisfies Turn);
  tell();
  await train({
    policy,
    algorithm: {
      ...method,
      async update(run) {
        await once(process, 'message');
        return method.update(run);
      },
    },
    makeEnv: trainingEnvironment(task),
    updates,
    ...{ stepsPerUpdate: task.stepsPerUpdate, numEnvs: task.numEnvs, seed: 1 },
    ...(record && hooksOf(record, (seconds) => (inRecord += seconds))),
    onMetrics: ({ update }) => {
      record?.finished(update);
      tell(record && recordNote(record.tally));
    },
  });
  await record?.close();
  policy.close();
  process.disconnect();
}

/** The trainer waits for `onTargets`: the CPU meanwhile is that of the record. */
function hooksOf({ hooks }: TrainingRecord, add: (seconds: number) => void): TrainingRecord['hooks'] {
  return {
    ...hooks,
    onTargets: async (batch) => {
      const before = process.cpuUsage();
      await hooks.onTargets!(batch);
      add(secondsSince(before));
    },
  };
}

/** Episodes are played in lock step, so that recorders overlap: the time in which at least one works counts once. */
function countRecorders(add: (seconds: number) => void): void {
  let working = 0;
  let since = process.cpuUsage();
  const counted = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } finally {
      working -= 1;
      if (working === 0) add(secondsSince(since));
    }
  };
  const wrap = (holder: object, name: string) => {
    const own = Reflect.get(holder, name) as (...words: unknown[]) => Promise<unknown>;
    Reflect.set(holder, name, function (this: unknown, ...words: unknown[]) {
      if (working === 0) since = process.cpuUsage();
      working += 1;
      return counted(own.apply(this, words));
    });
  };
  wrap(EpisodeRecorder, 'start');
  wrap(EpisodeRecorder.prototype, 'step');
  wrap(EpisodeRecorder.prototype, 'end');
}

async function compare(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'vlgym-record-cost-'));
  const children: ChildProcess[] = [];
  try {
    await ensureWarmStart(task, join(folder, 'start'), { signal: new AbortController().signal });
    const turns: Turn[][] = [];
    for (const each of arms) {
      const child = fork(fileURLToPath(import.meta.url), ['--arm', blocks, algorithm, name, folder, each]);
      children.push(child);
      turns.push([(await once(child, 'message'))[0] as Turn]);
    }
    for (let update = 0; update < updates; update += 1) {
      for (let place = 0; place < arms.length; place += 1) {
        const at = (update + place) % arms.length;
        children[at]!.send('go');
        turns[at]!.push((await once(children[at]!, 'message'))[0] as Turn);
      }
      if (update > 0 && update % EVERY === 0) {
        const { each, inRecord } = costOf(turns, update / EVERY - 1);
        const seconds = each.map((cpu) => cpu.toFixed(2)).join(', ');
        process.stderr.write(
          `block ${update / EVERY}: ${seconds} CPU-s (${arms.join(', ')}), ${inRecord.toFixed(2)} in the record\n`,
        );
      }
    }
    report(turns);
    console.log(
      `${turns[0]!.at(-1)!.note}; ${((await bytesOf(join(folder, 'recorded'))) / 1e6).toFixed(1)} MB on disk`,
    );
  } finally {
    for (const child of children) child.kill();
    await rm(folder, { recursive: true });
  }
}

/** CPU-seconds of a block, in the order of `arms`. */
function costOf(turns: readonly (readonly Turn[])[], block: number) {
  const of = (turnsOfArm: readonly Turn[], field: 'cpu' | 'inRecord'): number => {
    const [from, to] = [turnsOfArm[block * EVERY + 1]!, turnsOfArm[(block + 1) * EVERY + 1]!];
    return to[field] - from[field];
  };
  return { each: turns.map((turnsOfArm) => of(turnsOfArm, 'cpu')), inRecord: of(turns[0]!, 'inRecord') };
}

function report(turns: readonly (readonly Turn[])[]): void {
  const all = Array.from({ length: Number(blocks) }, (_, block) => costOf(turns, block));
  const seconds = all.reduce((sum, { each }) => sum + each[0]!, 0) / all.length / EVERY;
  console.log(
    `${algorithm} on ${env}: ${seconds.toFixed(2)} CPU-s per update of ${task.stepsPerUpdate} steps, recorded`,
  );
  if (!isAlone) {
    const pairs = all.map(({ each: [recorded, first, second] }) => [recorded!, first!, second!] as const);
    show(
      '--record 5 / without',
      pairs.map(([recorded, first, second]) => (2 * recorded) / (first + second)),
    );
    show(
      'without / without',
      pairs.map(([, first, second]) => first / second),
    );
  }
  show(
    '1 + CPU while recording / the rest',
    all.map(({ each, inRecord }) => 1 + inRecord / (each[0]! - inRecord)),
  );
}

function show(what: string, ratios: readonly number[]): void {
  const sorted = ratios.toSorted((a, b) => a - b);
  const middle = (sorted[(sorted.length - 1) >> 1]! + sorted[sorted.length >> 1]!) / 2;
  const out = leftOut(sorted.length);
  const interval = out < 0 ? 'too few blocks' : `${sorted[out]!.toFixed(4)} to ${sorted.at(-1 - out)!.toFixed(4)}`;
  const each = ratios.map((ratio) => ratio.toFixed(3)).join(' ');
  console.log(`${what.padEnd(34)} ${middle.toFixed(4)} [${interval}] (${each})`);
}

/** Values on each side that an interval may leave out: the median is in the rest with at least 95 %; -1 if in none. */
function leftOut(count: number): number {
  let outside = 0;
  let share = 2 ** -count;
  for (let each = 0; ; each += 1) {
    outside += 2 * share;
    if (outside > 0.05) return each - 1;
    share *= (count - each) / (each + 1);
  }
}

async function bytesOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const sizes = entries.map((entry) => (entry.isFile() ? stat(join(entry.parentPath, entry.name)) : { size: 0 }));
  return (await Promise.all(sizes)).reduce((sum, { size }) => sum + size, 0);
}
