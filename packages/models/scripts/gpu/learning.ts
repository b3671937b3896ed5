/** The parts of `checks/learn.ts`: imitation within a time, reinforcement within a time, and how the policy does on unseen tasks. */
import { evaluate, policyAgent } from '@vlgym/agents';
import { type AnyEnv, Generator, make } from '@vlgym/core';
import type { VlmPolicy } from '@vlgym/models';
import { MetricsTally, train } from '@vlgym/rl';
import { type LabeledSequence, supervise } from '@vlgym/rl/update';
import { vlDac } from '@vlgym/vl-dac';
import { labeled } from '../small/batches.js';
import { alfworld } from '../small/households.js';
import type { Example } from '../small/lesson.js';
import { rounded } from './result.js';

/** First seed of the unseen households. */
const FIRST_SEED = 1_000_000;
/** Share of the time in which the learning rate rises. */
const WARMUP = 0.05;

const now = () => performance.now() / 1000;

/** Limits of episodes. */
export interface Play {
  readonly maxNewTokens: number;
  readonly maxSteps: number;
}

export interface Success {
  readonly episodes: number;
  readonly successRate: number;
  readonly interval95: readonly [number, number];
  readonly legalRate: number | undefined;
  readonly meanLength: number;
  readonly seconds: number;
}

/** Greedy play of unseen households, all at once. */
export async function unseenSuccess(
  policy: VlmPolicy,
  episodes: number,
  { maxNewTokens, maxSteps }: Play,
): Promise<Success> {
  const started = now();
  const options = { ...alfworld.options, ...alfworld.splits.test, maxSteps };
  const result = await evaluate({
    env: async () => (await make(alfworld.env, { options })) as AnyEnv,
    agent: policyAgent(policy, { temperature: 0, maxNewTokens }),
    seeds: Array.from({ length: episodes }, (_, i) => FIRST_SEED + i),
    parallel: episodes,
  });
  return {
    episodes: result.counted,
    successRate: result.successRate,
    interval95: [rounded(result.interval95[0]), rounded(result.interval95[1])],
    legalRate: result.legalRate,
    meanLength: result.meanLength,
    seconds: rounded(now() - started),
  };
}

export interface ImitationOptions {
  readonly seconds: number;
  readonly batch: number;
  /** Tokens of one forward, padding included. */
  readonly tokens: number;
  /** Highest learning rate. */
  readonly rate: number;
}

export interface Imitation {
  readonly steps: number;
  readonly examples: number;
  readonly labels: number;
  readonly tokensPerSecond: number;
  readonly seconds: number;
  /** Mean over tenths of the run. */
  readonly losses: readonly number[];
}

/** Imitates the expert until the time is over; the rate follows the time, not the steps. */
export async function imitate(
  policy: VlmPolicy,
  examples: readonly Example[],
  options: ImitationOptions,
): Promise<Imitation> {
  const rng = new Generator(0);
  const known = new Map<number, LabeledSequence>();
  const sequenceAt = (place: number) => {
    const found = known.get(place) ?? labeled(policy, examples[place]!);
    known.set(place, found);
    return found;
  };
  let order: readonly number[] = [];
  const losses: { at: number; loss: number }[] = [];
  let [tokens, labels, taken] = [0, 0, 0];
  const started = now();
  for (let passed = 0; passed < 1; passed = (now() - started) / options.seconds) {
    if (order.length < options.batch) order = [...order, ...rng.permutation(examples.length)];
    const batch = order.slice(0, options.batch).map(sequenceAt);
    order = order.slice(options.batch);
    const metrics = new MetricsTally();
    const run = { policy, metrics, signal: undefined };
    await supervise(run, batch, { coefficient: 1, microBatch: options.batch, microBatchTokens: options.tokens });
    const share = passed < WARMUP ? (passed + 0.01) / (WARMUP + 0.01) : (1 + Math.cos(Math.PI * passed)) / 2;
    await policy.step({ learningRate: options.rate * Math.max(share, 0.02), maxGradNorm: 1 });
    losses.push({ at: Math.min(passed, 0.999), loss: metrics.toMetrics()['loss/sft'] ?? Number.NaN });
    tokens += batch.reduce((sum, { input, responseIds }) => sum + input.promptIds.length + responseIds.length, 0);
    labels += batch.reduce((sum, { labelMask }) => sum + labelMask.reduce((n, bit) => n + bit, 0), 0);
    taken += batch.length;
  }
  const seconds = now() - started;
  const tenths = Array.from({ length: 10 }, (_, i) => losses.filter(({ at }) => Math.floor(10 * at) === i));
  return {
    ...{ steps: losses.length, examples: taken, labels, seconds: rounded(seconds) },
    tokensPerSecond: rounded(tokens / seconds),
    losses: tenths.flatMap((part) =>
      part.length > 0 ? [rounded(part.reduce((sum, { loss }) => sum + loss, 0) / part.length)] : [],
    ),
  };
}

export interface ReinforcementOptions extends Play {
  readonly seconds: number;
  readonly environments: number;
  /** Environment steps of one update. */
  readonly steps: number;
  readonly batch: number;
  readonly tokens: number;
  readonly rate: number;
}

export interface Reinforcement {
  readonly updates: number;
  readonly environmentSteps: number;
  readonly secondsPerStep: number;
  readonly seconds: number;
  /** One entry per update. */
  readonly curve: readonly Readonly<Record<string, number>>[];
}

/** Figures of an update that are reported. */
const REPORTED = [
  ...[
    'train/success-rate',
    'train/return',
    'loss/policy',
    'loss/kl',
    'optimizer/grad-norm',
    'ratio/first-pass-deviation',
  ],
  ...['kl/update-k3', 'time/sample', 'time/environment', 'time/score', 'time/update', 'tokens/read', 'tokens/sampled'],
];

/** VL-DAC on households of the training side, whole updates until the time is over. */
export async function reinforce(policy: VlmPolicy, options: ReinforcementOptions): Promise<Reinforcement> {
  const { environments, steps, batch, tokens, rate, maxNewTokens, maxSteps } = options;
  const started = now();
  const controller = new AbortController();
  const curve: Record<string, number>[] = [];
  let last = started;
  const settings = { ...alfworld.options, ...alfworld.splits.train, reward: 'sparse', maxSteps };
  const report = await train({
    policy,
    algorithm: vlDac({
      rollout: { maxNewTokens },
      value: { warmupUpdates: 1 },
      // θ_0 is what imitation led to
      regularizer: { klCoefficient: 0.02 },
      optimizer: {
        ...{ epochs: 1, batch, microBatch: batch, microBatchTokens: tokens },
        learningRate: { initial: rate, final: rate, period: 100 },
      },
    }),
    makeEnv: async () => (await make(alfworld.env, { options: settings })) as AnyEnv,
    ...{ updates: 10_000, stepsPerUpdate: steps, numEnvs: environments, seed: 1 },
    signal: controller.signal,
    onMetrics: ({ update, environmentSteps, metrics }) => {
      const seconds = now();
      const found = REPORTED.flatMap((name) =>
        metrics[name] === undefined ? [] : [[name, rounded(metrics[name])] as const],
      );
      curve.push({ update, environmentSteps, seconds: rounded(seconds - started), ...Object.fromEntries(found) });
      // the next one would not end in time
      if (seconds - started + (seconds - last) > options.seconds) controller.abort();
      last = seconds;
    },
  });
  const seconds = last - started;
  const { updates, environmentSteps } = report;
  return {
    updates,
    environmentSteps,
    seconds: rounded(seconds),
    secondsPerStep: rounded(seconds / environmentSteps),
    curve,
  };
}
