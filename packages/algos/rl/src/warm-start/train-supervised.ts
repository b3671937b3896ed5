/**
 * Supervised training on labeled sequences, step by step: the caller says what each step learns from, so that a run is
 * repeated and continued exactly.
 *
 * Loss: token mean over the labels of a step (`docs/specs/algorithms.md` 10). The rate rises linearly, then falls along
 * half a cosine.
 */
import type { Awaitable } from '@vlgym/core';
import { checkNames, names } from '@vlgym/core/internal';
import { MetricsTally } from '../diagnostics/metrics.js';
import type { Policy } from '../policy.js';
import { warmupCosine } from '../update/cosine.js';
import { type LabeledSequence, supervise } from '../update/supervise.js';

export interface SupervisedTrainingOptions {
  readonly policy: Policy;
  /** Optimizer steps of the whole run. */
  readonly steps: number;
  /** Steps that are already done; default 0. */
  readonly from?: number | undefined;
  /** The examples of a step; steps count from 0. */
  readonly batchOf: (step: number) => Awaitable<readonly LabeledSequence[]>;
  /** Highest learning rate. */
  readonly learningRate: number;
  /** Share of the steps in which the rate rises; default 0.03. */
  readonly warmupRatio?: number | undefined;
  /** Largest gradient norm; default 1. */
  readonly maxGradNorm?: number | undefined;
  /** Sequences per forward pass; default 32. */
  readonly microBatch?: number | undefined;
  /** Tokens per forward pass, padding included; default 8192. */
  readonly batchTokens?: number | undefined;
  /** Called after each step; `false` ends the run there. */
  readonly onStep?: ((progress: SupervisedProgress) => Awaitable<boolean | undefined>) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface SupervisedProgress {
  /** Steps done, this one included. */
  readonly step: number;
  /** Mean negative log-probability per label of this step, nats; NaN where it had no label. */
  readonly loss: number;
  readonly learningRate: number;
  readonly gradNorm: number;
  /** Labels of this step. */
  readonly labels: number;
}

const TRAIN_SUPERVISED_OPTIONS = names<SupervisedTrainingOptions>({
  policy: 0,
  steps: 0,
  from: 0,
  batchOf: 0,
  learningRate: 0,
  warmupRatio: 0,
  maxGradNorm: 0,
  microBatch: 0,
  batchTokens: 0,
  onStep: 0,
  signal: 0,
});

/** @throws the signal's reason when aborted, between steps and between forward passes. */
export async function trainSupervised(options: SupervisedTrainingOptions): Promise<void> {
  checkNames('options', options, TRAIN_SUPERVISED_OPTIONS);
  const {
    policy,
    steps,
    from = 0,
    batchOf,
    learningRate: peak,
    warmupRatio = 0.03,
    maxGradNorm = 1,
    microBatch = 32,
    batchTokens = 8192,
    onStep,
    signal,
  } = options;
  for (let step = from; step < steps; step += 1) {
    signal?.throwIfAborted();
    const samples = await batchOf(step);
    const metrics = new MetricsTally();
    await supervise({ policy, metrics, signal }, samples, {
      coefficient: 1,
      microBatch,
      microBatchTokens: batchTokens,
    });
    // the rate of the middle of the step: the first is then not 0
    const learningRate = warmupCosine(step + 0.5, { peak, total: steps, warmupRatio });
    const { gradNorm } = await policy.step({ learningRate, maxGradNorm });
    const labels = samples.reduce((sum, { labelMask }) => sum + labelMask.reduce((n, bit) => n + bit, 0), 0);
    const loss = metrics.toMetrics()['loss/sft'] ?? Number.NaN;
    if ((await onStep?.({ step: step + 1, loss, learningRate, gradNorm, labels })) === false) return;
  }
}
