/**
 * Measures the cost of the merged teacher: updates of GTR-Turbo (KL) and of RL4VLM, with equal steps, in one run.
 *
 *     npx tsx packages/algos/gtr-turbo/bench/cost.ts [rounds] [epochs]
 *
 * Three trainings take turns, one update each per round, so that other load on the machine affects all of them equally.
 * Compares CPU-seconds of whole updates on one thread, including collecting, scoring, merging and diagnostics; prints
 * medians over the rounds after the first two (several checkpoints are merged from the third on). Epochs of PPO
 * are 4 as published, or what the second argument says: scoring by the teacher costs one forward however many there are.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rl4vlm, rl4vlmStabilized } from '@vlgym/baselines';
import { setNumThreads } from '@vlgym/gpu';
import { createPolicy } from '@vlgym/models';
import { EZPointsEnv } from '@vlgym/points24';
import { type Algorithm, type AlgorithmOverrides, type Metrics, train } from '@vlgym/rl';
import { supervisedWarmStart } from '@vlgym/rl/warm-start';
import { gtrTurboKl } from '../src/index.js';

const rounds = Number(process.argv[2] ?? 8);
const epochs = Number(process.argv[3] ?? 4);
setNumThreads(1);

const overrides: AlgorithmOverrides = {
  rollout: { maxNewTokens: 64, temperature: 0.5 },
  reward: { scale: 10 },
  loss: { temperature: 0.5 },
  value: { warmupUpdates: 0 },
  optimizer: { epochs, batch: 64, microBatch: 64, learningRate: { initial: 6e-5, final: 2e-5 } },
};
const algorithms: readonly Algorithm[] = [rl4vlm(overrides), rl4vlmStabilized(overrides), gtrTurboKl(overrides)];
const makeEnv = () => new EZPointsEnv({ dialogue: 'compact-v1', size: { height: 84, width: 112 } });

interface Cost {
  readonly cpuSeconds: number;
  readonly metrics: Metrics;
}

const costs: Cost[][] = algorithms.map(() => []);
let current = 0;
const waiting = new Map<number, () => void>();
const turn = (index: number) =>
  index === current ? Promise.resolve() : new Promise<void>((resolve) => waiting.set(index, resolve));
function passOn(): void {
  current = (current + 1) % algorithms.length;
  waiting.get(current)?.();
  waiting.delete(current);
}

const start = await mkdtemp(join(tmpdir(), 'vlgym-cost-'));
const teacher = await createPolicy({ preset: 'tiny', seed: 1 });
await supervisedWarmStart({ policy: teacher, makeEnv, examples: 4096, learningRate: 2e-3, until: null, seed: 1 });
await teacher.save(start);
teacher.close();

async function trainInTurns(algorithm: Algorithm, index: number): Promise<void> {
  const policy = await createPolicy({ preset: 'tiny', seed: 1 });
  await policy.load(start);
  let before = process.cpuUsage();
  await train({
    policy,
    algorithm: {
      ...algorithm,
      async update(run) {
        await turn(index);
        before = process.cpuUsage();
        return algorithm.update(run);
      },
    },
    makeEnv,
    updates: rounds,
    stepsPerUpdate: 512,
    numEnvs: 64,
    seed: 1,
    onMetrics: ({ metrics }) => {
      const { user, system } = process.cpuUsage(before);
      costs[index]!.push({ cpuSeconds: (user + system) / 1e6, metrics });
      passOn();
    },
  });
  policy.close();
}

await Promise.all(algorithms.map(trainInTurns));
await rm(start, { recursive: true });

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!;
const counted = costs.map((all) => all.slice(2));
for (const [index, { name }] of algorithms.entries()) {
  const all = counted[index]!;
  const phase = (key: string) => median(all.map(({ metrics }) => metrics[`time/${key}`] ?? 0)).toFixed(2);
  const phases = ['sample', 'score', 'merge', 'optimize', 'diagnostics', 'update']
    .map((key) => `${key} ${phase(key)}`)
    .join(', ');
  console.log(
    `${name.padEnd(18)} ${median(all.map(({ cpuSeconds }) => cpuSeconds)).toFixed(2)} CPU-s per update; seconds: ${phases}`,
  );
}
const guided = counted.at(-1)!;
for (const [index, { name }] of algorithms.slice(0, -1).entries()) {
  const ratios = guided.map(({ cpuSeconds }, round) => cpuSeconds / counted[index]![round]!.cpuSeconds);
  console.log(`gtr-turbo-kl / ${name}: ${median(ratios).toFixed(3)} (${ratios.length} rounds)`);
}
