/** The parts of `checks/learn.ts`: imitation within a time, reinforcement within a time, and how the policy does on unseen tasks. */
import { setImmediate } from 'node:timers/promises';
import { evaluate, policyAgent } from '@vlgym/agents';
import { pairedComparison, type TaskOutcome } from '@vlgym/agents/statistics';
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
  /** Those that count. */
  readonly episodes: number;
  readonly successRate: number;
  readonly interval95: readonly [number, number];
  readonly legalRate: number | undefined;
  readonly meanLength: number;
  readonly seconds: number;
}

/** Greedy play of unseen households, all at once: the first ones of a list that is the same for every call. */
export async function unseenSuccess(
  policy: VlmPolicy,
  episodes: number,
  { maxNewTokens, maxSteps }: Play,
): Promise<{ readonly success: Success; readonly outcomes: readonly TaskOutcome[] }> {
  const started = now();
  const options = { ...alfworld.options, ...alfworld.splits.test, maxSteps };
  const result = await evaluate({
    env: async () => (await make(alfworld.env, { options })) as AnyEnv,
    agent: policyAgent(policy, { temperature: 0, maxNewTokens }),
    seeds: Array.from({ length: episodes }, (_, i) => FIRST_SEED + i),
    parallel: episodes,
  });
  const success = {
    episodes: result.counted,
    successRate: result.successRate,
    interval95: [rounded(result.interval95[0]), rounded(result.interval95[1])] as const,
    legalRate: result.legalRate,
    meanLength: result.meanLength,
    seconds: rounded(now() - started),
  };
  return { success, outcomes: result.episodes };
}

/** Households that both have played: how many each won, the difference in the rate, and McNemar's exact p-value. */
export function pairs(later: readonly TaskOutcome[], earlier: readonly TaskOutcome[]) {
  const { pairs, bothSucceed, onlyFirst, onlySecond, neither, difference, interval95, pValue } = pairedComparison(
    later,
    earlier,
  );
  return {
    ...{ pairs, wonByBoth: bothSucceed, onlyLater: onlyFirst, onlyEarlier: onlySecond, neither },
    ...{ difference: rounded(difference), interval95: interval95.map(rounded), pValue: rounded(pValue) },
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
  // in tokens while the device computes the batch before
  const prepare = async () => {
    if (order.length < options.batch) order = [...order, ...rng.permutation(examples.length)];
    const places = order.slice(0, options.batch);
    order = order.slice(options.batch);
    const batch: LabeledSequence[] = [];
    for (const place of places) {
      await setImmediate();
      batch.push(sequenceAt(place));
    }
    return batch;
  };
  let coming = prepare();
  const losses: { at: number; loss: number }[] = [];
  let [tokens, labels, taken] = [0, 0, 0];
  const started = now();
  for (let passed = 0; passed < 1; passed = (now() - started) / options.seconds) {
    const batch = await coming;
    coming = prepare();
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
  /** Environment steps of one optimizer step. */
  readonly batch: number;
  /** Tokens of one forward, padding included. */
  readonly tokens: number;
  readonly rate: number;
  /** Learning rate of the value head. */
  readonly valueRate: number;
  /** Temperature of sampling and of the losses. */
  readonly temperature: number;
  /** Taken off the reward, which is 1 for winning, at each command that is not possible. */
  readonly illegal: number;
  /** Called after each update. */
  readonly onUpdate?: (sofar: Reinforcement) => void;
}

export interface Reinforcement {
  readonly updates: number;
  readonly environmentSteps: number;
  readonly secondsPerStep: number;
  readonly seconds: number;
  /** One entry per update; `won` of `episodes` that ended in it. */
  readonly curve: readonly Readonly<Record<string, number>>[];
  /** Codes of alarms, each with the update. */
  readonly alarms: readonly string[];
}

/** Figures of an update that are reported. */
const REPORTED = [
  ...['train/success-rate', 'response/legal', 'response/format-valid', 'entropy/response', 'value/explained-variance'],
  ...['loss/policy', 'kl/reference-k3', 'kl/update-k3', 'ratio/first-pass-deviation', 'optimizer/grad-norm'],
  ...['time/sample', 'time/environment', 'time/score', 'time/update', 'tokens/read', 'tokens/sampled'],
];

/**
 * The recommended settings, but for what a run of minutes needs: γ and λ of the published settings for ALFWorld; a wider
 * clip, as updates are few; a time limit that ends the task as it does in the evaluation, since what is bootstrapped there
 * lets a fresh critic take a lost household for one that is still to be won; and a KL to the policy before the
 * update, as the paper defines it, which takes no pass of the reference. The one run there was, at a rate of 2e-4, lost what
 * imitation had taught (BENCHMARKS.md).
 */
const householdVlDac = (options: ReinforcementOptions) =>
  vlDac({
    rollout: { maxNewTokens: options.maxNewTokens, temperature: options.temperature, fallback: 'illegal-noop' },
    loss: { temperature: options.temperature, clipLow: 0.2, clipHigh: 0.2 },
    advantage: { gamma: 0.99, lambda: 0.95, truncationIsTerminal: true },
    value: { warmupUpdates: 1, learningRateFactor: options.valueRate / options.rate },
    regularizer: { klTo: 'old', klCoefficient: 0.02 },
    optimizer: {
      ...{ epochs: 1, batch: options.batch, microBatch: options.batch, microBatchTokens: options.tokens },
      learningRate: { initial: options.rate, final: options.rate, period: 100 },
    },
  });

/** VL-DAC on households of the training side, whole updates until the time is over. */
export async function reinforce(policy: VlmPolicy, options: ReinforcementOptions): Promise<Reinforcement> {
  const { environments, steps, maxSteps } = options;
  const started = now();
  const controller = new AbortController();
  const curve: Record<string, number>[] = [];
  const alarms: string[] = [];
  let ended: Record<string, number> = {};
  let last = started;
  const sofar = (): Reinforcement => {
    const environmentSteps = curve.length * steps;
    const seconds = last - started;
    const secondsPerStep = rounded(seconds / Math.max(1, environmentSteps));
    return { updates: curve.length, environmentSteps, seconds: rounded(seconds), secondsPerStep, curve, alarms };
  };
  const settings = {
    ...{ ...alfworld.options, ...alfworld.splits.train, maxSteps },
    reward: { won: 1, illegal: options.illegal },
  };
  await train({
    policy,
    algorithm: householdVlDac(options),
    makeEnv: async () => (await make(alfworld.env, { options: settings })) as AnyEnv,
    ...{ updates: 10_000, stepsPerUpdate: steps, numEnvs: environments, seed: 1 },
    signal: controller.signal,
    onTargets: ({ buffer: { episodes } }) => {
      const won = episodes.filter(({ success }) => success).length;
      const turns = episodes.reduce((sum, { length }) => sum + length, 0);
      ended = { episodes: episodes.length, won, meanLength: rounded(turns / Math.max(1, episodes.length)) };
    },
    onMetrics: ({ update, environmentSteps, metrics }) => {
      const seconds = now();
      const found = REPORTED.flatMap((name) =>
        metrics[name] === undefined ? [] : [[name, rounded(metrics[name])] as const],
      );
      curve.push({
        update,
        environmentSteps,
        seconds: rounded(seconds - started),
        ...ended,
        ...Object.fromEntries(found),
      });
      // the next one would not end in time
      if (seconds - started + (seconds - last) > options.seconds) controller.abort();
      last = seconds;
      options.onUpdate?.(sofar());
    },
    onAlarm: ({ code, update }) => alarms.push(`${code} ${update}`),
  });
  return sofar();
}
