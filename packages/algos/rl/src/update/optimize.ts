/**
 * The inner loop that every algorithm shares: epochs over the buffer, mini-batches, micro-batches, optimizer steps.
 *
 * An algorithm says what its loss consists of. While the critic warms up, the rest of the loss is left out. A critic
 * that does not train the backbone is fitted separately (`critic.ts`) unless `value.epochs` is null. Gradients of the
 * policy and of the value head are clipped separately, unless `value.maxGradNorm` is null.
 */
import type { Targets } from '../advantages/targets.js';
import type { ActorCriticConfig, AnyConfig } from '../config/types.js';
import type { PolicyOutputs } from '../policy.js';
import type { RolloutBuffer } from '../rollout/record.js';
import type { Tensor } from '../tensor.js';
import type { Run } from '../training/algorithm.js';
import { accumulate } from './accumulate.js';
import { cosine } from './cosine.js';
import { fitCritic, hasSeparateCritic } from './critic.js';
import { LossBatch } from './loss-batch.js';
import { type MicroBatch, miniBatches } from './minibatches.js';
import type { Objective } from './objective.js';
import { recordLosses } from './record-losses.js';
import { reduceCritic, reduceLoss } from './reduce.js';

/** Optional hooks of an update; only `beforeEpoch` is called while the critic warms up. */
export interface OptimizeHooks {
  readonly beforeEpoch?: () => void;
  /** Adds gradients to those of an optimizer step. */
  readonly beforeStep?: (microBatches: readonly MicroBatch[]) => Promise<void>;
  readonly afterEpoch?: () => void | Promise<void>;
}

/** Only the critic is trained in this update. */
export const isWarmup = ({ updateIndex, config }: Pick<Run<AnyConfig>, 'updateIndex' | 'config'>): boolean =>
  updateIndex < (config.value?.warmupUpdates ?? 0);

export async function optimize<State>(
  run: Run<AnyConfig, State>,
  buffer: RolloutBuffer,
  targets: Targets,
  objective: Objective,
  hooks: OptimizeHooks = {},
): Promise<void> {
  const { policy, config, rng, metrics } = run;
  const { optimizer, value, loss, regularizer } = config;
  await run.onTargets?.(buffer, targets);
  const onlyValue = isWarmup(run);
  const criticApart = hasSeparateCritic(config);
  const learningRate = cosine(run.updateIndex, optimizer.learningRate);
  const forward = { temperature: loss.temperature, stopGradient: (value?.stopGradient ?? true) || onlyValue };
  const step = {
    learningRate,
    maxGradNorm: optimizer.maxGradNorm,
    ...(value && { valueLearningRate: learningRate * value.learningRateFactor }),
    ...(value && value.maxGradNorm !== null && { valueMaxGradNorm: value.maxGradNorm }),
    onlyValue,
  };
  if (regularizer?.kl === 'exact' && regularizer.klTo === 'old' && !onlyValue) policy.keepOld();
  await metrics.timed('optimize', async () => {
    if (criticApart) {
      await fitCritic(run as Run<ActorCriticConfig>, buffer, targets, objective.critic!, learningRate);
    }
    const epochs = criticApart && onlyValue ? 0 : optimizer.epochs;
    const trainedOnly = hooks.beforeStep === undefined && (criticApart || objective.critic === undefined);
    for (let epoch = 0; epoch < epochs; epoch++) {
      hooks.beforeEpoch?.();
      for (const { microBatches } of miniBatches(buffer, targets, config, rng, { trainedOnly })) {
        // with a critic that warms up other parameters are stepped, and a hook accumulates more
        const isAll = !onlyValue && hooks.beforeStep === undefined;
        for (const [index, batch] of microBatches.entries()) {
          const total = (outputs: PolicyOutputs) => totalLoss(run, outputs, batch, objective);
          const remaining = isAll && { remaining: microBatches.length - 1 - index };
          await accumulate(run, batch.sequences, total, { ...forward, ...remaining });
        }
        if (!onlyValue) await hooks.beforeStep?.(microBatches);
        const { gradNorm, valueGradNorm } = await policy.step(step);
        if (!onlyValue) metrics.mean('optimizer/grad-norm', gradNorm);
        if (value && !criticApart) metrics.mean('optimizer/value-grad-norm', valueGradNorm);
      }
      if (!onlyValue) await hooks.afterEpoch?.();
    }
  });
  metrics.setAll({ 'optimizer/learning-rate': learningRate, 'optimizer/only-value': onlyValue ? 1 : 0 });
}

/** actor + coefficient · critic + regularizer: without the critic where it is fitted separately, alone while it warms up. */
function totalLoss<State>(
  run: Run<AnyConfig, State>,
  outputs: PolicyOutputs,
  batch: MicroBatch,
  objective: Objective,
): Tensor {
  const { averaging } = objective;
  const tensors = new LossBatch(batch, outputs.logProbs);
  const perValue = hasSeparateCritic(run.config) ? undefined : objective.critic?.(outputs, tensors);
  const critic = perValue && reduceCritic(perValue, batch);
  const weighted = critic?.mul(run.config.value!.coefficient);
  if (critic && weighted && isWarmup(run)) return recordLosses(run, batch, { critic }, weighted);

  const actor = objective.actor(outputs, tensors);
  const policy = reduceLoss(actor.loss, batch, { averaging, corrected: true });
  const regularizers = Object.entries(objective.regularizer?.(outputs, tensors) ?? {}).map(
    ([name, { perToken, coefficient }]) => ({ name, mean: reduceLoss(perToken, batch, { averaging }), coefficient }),
  );
  const added = regularizers
    .map(({ mean, coefficient }) => mean.mul(coefficient))
    .reduce<Tensor | undefined>((sum, term) => sum?.add(term) ?? term, undefined);
  const total = policy.add(weighted ?? 0).add(added ?? 0);
  const logProbs = outputs.logProbs.detach().toArray() as Float32Array;
  return recordLosses(run, batch, { actor, policy, logProbs, regularizers, ...(critic && { critic }) }, total);
}
