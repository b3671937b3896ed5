/**
 * Supervised warm start: an expert's answers are imitated until the policy keeps the format and succeeds sometimes.
 *
 * The result becomes θ_0: adapters start at zero next to what they were taught, so that reference, task vectors and KL all count
 * from here. Reinforcement learning needs a start that is neither hopeless nor done; hence the band.
 * Rules: `docs/specs/algorithms.md` 10. The loss is pinned by `test/golden/algos/sft_loss.json`.
 */
import { evaluate, policyAgent } from '@vlgym/agents';
import { type AnyEnv, type Awaitable, Generator } from '@vlgym/core';
import { checkNames, names } from '@vlgym/core/internal';
import { rolloutOptions } from '../config/option-groups.js';
import { MetricsTally } from '../diagnostics/metrics.js';
import type { WarmStartPolicy } from '../policy.js';
import { type EvaluationSettings, evaluationSettings, policyOptions } from '../training/evaluation-settings.js';
import { warmupCosine } from '../update/cosine.js';
import { supervise } from '../update/supervise.js';
import { DemonstrationPool, demonstrations } from './demonstrations.js';

/** The band of success that ends a warm start. */
export interface WarmStartGoal {
  readonly low?: number | undefined;
  /** Above this there is little left to learn; the report says so. Default 0.7. */
  readonly high?: number | undefined;
  readonly seeds?: readonly number[] | undefined;
  /** Evaluate every N examples; default 1000. */
  readonly every?: number | undefined;
  /** How the policy is judged: `evaluationSettings(algorithm.config)` of the training that follows. Default: those of its defaults. */
  readonly settings?: EvaluationSettings | undefined;
  readonly maxSteps?: number | undefined;
}

export interface WarmStartOptions {
  readonly policy: WarmStartPolicy;
  readonly makeEnv: (index: number) => Awaitable<AnyEnv>;
  /** Examples to train on at most; default 20 000. The last step takes what is left of them. */
  readonly examples?: number | undefined;
  /** Stop as soon as greedy success reaches `low`; null trains on all examples. Default: from 0.2 on, 64 seeds. */
  readonly until?: WarmStartGoal | null | undefined;
  /** Examples per optimizer step; default 32. */
  readonly batch?: number | undefined;
  /** Sequences per forward; default 8. */
  readonly microBatch?: number | undefined;
  /** Tokens per forward, padding included; default 8192. A longer sequence gets a separate forward. */
  readonly batchTokens?: number | undefined;
  /** Highest rate of a cosine after a linear warm-up; default 1e-4. */
  readonly learningRate?: number | undefined;
  /** Share of the steps in which the rate rises; default 0.03. */
  readonly warmupRatio?: number | undefined;
  readonly maxGradNorm?: number | undefined;
  /** Distinct episodes to learn from, again and again; every one is new when left out. */
  readonly episodes?: number | undefined;
  /** `position`: every position in the episode has an equal share of a batch (default); `none`: every step shown has. */
  readonly balance?: 'position' | 'none' | undefined;
  /** Share of steps that leave the path shown, without a label for where they go; default 0.1. */
  readonly exploration?: number | undefined;
  /**
   * Share of steps at which the teacher errs: an allowed action drawn at random is the label; default 0. A mediocre
   * teacher makes the start that reinforcement learning is for: fluent, seeing, and far from the best play.
   */
  readonly mistakes?: number | undefined;
  readonly seed: number;
  readonly onProgress?: ((progress: WarmStartProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface WarmStartProgress {
  /** Examples trained on so far. */
  readonly examples: number;
  /** At most this many will be. */
  readonly limit: number;
  /** Mean negative log-probability per token of the last optimizer step, nats. */
  readonly loss: number;
  readonly learningRate: number;
  /** Greedy success, where it was just measured. */
  readonly success?: number;
}

export interface WarmStartReport {
  readonly examples: number;
  readonly loss: number;
  /** The last measured greedy success; absent if it was not measured. */
  readonly success?: number;
  /** Its position relative to the band: below, inside, or above it. */
  readonly band?: 'below' | 'inside' | 'above';
}

const GOAL_OPTIONS = names<WarmStartGoal>({ low: 0, high: 0, seeds: 0, every: 0, settings: 0, maxSteps: 0 });

const DEFAULT_SETTINGS = evaluationSettings({ rollout: rolloutOptions.parse({}) });

const SUPERVISED_WARM_START_OPTIONS = names<WarmStartOptions>({
  policy: 0,
  makeEnv: 0,
  examples: 0,
  until: 0,
  batch: 0,
  microBatch: 0,
  batchTokens: 0,
  learningRate: 0,
  warmupRatio: 0,
  maxGradNorm: 0,
  episodes: 0,
  balance: 0,
  exploration: 0,
  mistakes: 0,
  seed: 0,
  onProgress: 0,
  signal: 0,
});

/**
 * Trains `policy` on expert answers and makes the result its θ_0.
 *
 * @throws {NoDemonstrationError} The environment has no oracle or cannot demonstrate; the signal's reason when aborted.
 */
export async function supervisedWarmStart(options: WarmStartOptions): Promise<WarmStartReport> {
  checkNames('options', options, SUPERVISED_WARM_START_OPTIONS);
  checkNames('until', options.until ?? undefined, GOAL_OPTIONS);
  const {
    policy,
    makeEnv,
    examples: limit = 20_000,
    until = {},
    batch = 32,
    microBatch = 8,
    batchTokens = 8192,
    learningRate: peak = 1e-4,
    warmupRatio = 0.03,
    maxGradNorm = 1,
    episodes,
    balance = 'position',
    exploration = 0.1,
    mistakes = 0,
    seed,
    onProgress,
    signal,
  } = options;
  const rng = new Generator(seed);
  const env = await makeEnv(0);
  const pool = new DemonstrationPool(episodes === undefined ? 4 * batch : undefined);
  const source = demonstrations({ policy, env, seed: rng.integers(0, 2 ** 31), exploration, mistakes });
  const {
    low = 0.2,
    high = 0.7,
    every = 1000,
    seeds = Array.from({ length: 64 }, (_, i) => i),
    settings = DEFAULT_SETTINGS,
    maxSteps,
  } = until ?? {};
  const total = Math.ceil(limit / batch);
  let examples = 0;
  let loss = Number.NaN;
  let success: number | undefined;
  try {
    if (episodes !== undefined) {
      for await (const demonstration of source) {
        if (demonstration.episode === episodes) break;
        pool.add(demonstration);
      }
    }
    for (let step = 0; step < total; step++) {
      signal?.throwIfAborted();
      const size = Math.min(batch, limit - examples);
      if (episodes === undefined) for (let i = 0; i < size; i++) pool.add((await source.next()).value);
      const drawn = balance === 'none' ? pool.drawUniform(size, rng) : pool.drawBalanced(size, rng);
      const metrics = new MetricsTally();
      await supervise({ policy, metrics, signal }, drawn, {
        coefficient: 1,
        microBatch,
        microBatchTokens: batchTokens,
      });
      // the rate of the middle of the step: the first is then not 0
      const learningRate = warmupCosine(step + 0.5, { peak, total, warmupRatio });
      await policy.step({ learningRate, maxGradNorm });
      examples += size;
      loss = metrics.toMetrics()['loss/sft'] ?? loss;

      const isDue =
        until !== null && (Math.floor(examples / every) > Math.floor((examples - size) / every) || step === total - 1);
      if (isDue) {
        const agent = policyAgent(policy, policyOptions(settings));
        const result = await evaluate({
          env: () => makeEnv(1),
          agent,
          seeds,
          fallback: settings.fallback,
          parallel: batch,
          ...(maxSteps !== undefined && { maxSteps }),
          ...(signal && { signal }),
        });
        signal?.throwIfAborted();
        success = result.successRate;
      }
      onProgress?.({ examples, limit, loss, learningRate, ...(isDue && success !== undefined && { success }) });
      if (isDue && success !== undefined && success >= low) break;
    }
  } finally {
    await source.return(undefined);
    await env.close();
  }
  policy.foldIntoReference();
  if (success === undefined) return { examples, loss };
  return { examples, loss, success, band: success < low ? 'below' : success > high ? 'above' : 'inside' };
}
