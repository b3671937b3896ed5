/**
 * The time that `vlgym train --record 5` adds to a training, in CPU-seconds on one thread.
 *
 *     npx tsx apps/cli/bench/record.ts [BLOCKS] [ALGORITHM] [ENVIRONMENT]
 *
 * Three equal trainings take turns, one update each, so that other load on the machine affects all of them alike: one
 * records, two do not. A block is five updates, of which one is recorded; its ratio is the time of the run that records by
 * the mean of the others. The ratio of those two is what the measurement itself varies by. Goal: at most 1.02 (median).
 */
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

const [blocks = 4, algorithm = 'vl-dac', name = 'vlgym/EZPoints-v1'] = [
  Number(process.argv[2] ?? 4),
  ...process.argv.slice(3),
];
const EVERY = 5;
setNumThreads(1);

const home = await mkdtemp(join(tmpdir(), 'vlgym-record-cost-'));
const { env } = await withEnvironment({ env: name, import: [] });
// a policy whose critic warms up does less per update
const spec = runSchema.parse({
  algorithm,
  env,
  record: EVERY,
  warmStartExamples: 512,
  evaluationEpisodes: 8,
  set: { value: { warmupUpdates: 0 } },
});
const task = completeTask(spec);
const start = join(home, 'start');
await ensureWarmStart(task, start, { signal: new AbortController().signal });

/** CPU-seconds by update. */
const costs: [number[], number[], number[]] = [[], [], []];
let current = 0;
const waiting = new Map<number, () => void>();
const turn = (arm: number) =>
  arm === current ? Promise.resolve() : new Promise<void>((resolve) => waiting.set(arm, resolve));
function passOn(): void {
  current = (current + 1) % costs.length;
  waiting.get(current)?.();
  waiting.delete(current);
}

async function trainInTurns(arm: number): Promise<TrainingRecord | undefined> {
  const policy = await newPolicy(task);
  await policy.load(weightsOf(start), { weightsOnly: true });
  const own = algorithmOf(spec);
  const folder = join(home, String(arm));
  const record = arm > 0 ? undefined : await trainingRecord({ folder, policy, ...recordChoices(spec, own.config) });
  let before = process.cpuUsage();
  await train({
    policy,
    algorithm: {
      ...own,
      async update(run) {
        await turn(arm);
        before = process.cpuUsage();
        return own.update(run);
      },
    },
    makeEnv: trainingEnvironment(task),
    // the last block has its end in the update after it
    updates: blocks * EVERY + 1,
    stepsPerUpdate: task.stepsPerUpdate,
    numEnvs: task.numEnvs,
    seed: 1,
    ...record?.hooks,
    onMetrics: ({ update }) => {
      record?.finished(update);
      const { user, system } = process.cpuUsage(before);
      costs[arm]!.push((user + system) / 1e6);
      passOn();
    },
  });
  await record?.close();
  policy.close();
  return record;
}

const bytesOf = async (folder: string): Promise<number> => {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const sizes = entries.map((entry) => (entry.isFile() ? stat(join(entry.parentPath, entry.name)) : { size: 0 }));
  return (await Promise.all(sizes)).reduce((sum, { size }) => sum + size, 0);
};

try {
  const [record] = await Promise.all(costs.map((_, arm) => trainInTurns(arm)));
  const sum = (arm: number, block: number) =>
    costs[arm]!.slice(block * EVERY + 1, (block + 1) * EVERY + 1).reduce((total, seconds) => total + seconds, 0);
  const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!;
  const all = Array.from({ length: blocks }, (_, block) => [sum(0, block), sum(1, block), sum(2, block)] as const);
  const perUpdate = median(all.map(([, a, b]) => (a + b) / 2 / EVERY));
  console.log(`${algorithm} on ${env}: ${perUpdate.toFixed(2)} CPU-s per update of ${task.stepsPerUpdate} steps`);
  const show = (what: string, ratios: readonly number[]) =>
    console.log(
      `${what.padEnd(36)} ${median(ratios).toFixed(4)} (${ratios.map((ratio) => ratio.toFixed(3)).join(' ')})`,
    );
  show(
    '--record 5 / without',
    all.map(([recorded, a, b]) => recorded / ((a + b) / 2)),
  );
  show(
    'without / without',
    all.map(([, a, b]) => a / b),
  );
  console.log(`${recordNote(record!.tally)}; ${((await bytesOf(join(home, '0'))) / 1e6).toFixed(1)} MB on disk`);
} finally {
  await rm(home, { recursive: true });
}
