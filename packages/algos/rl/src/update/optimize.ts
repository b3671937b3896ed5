/**
 * The inner loop that every PPO variant shares: epochs over the buffer, mini-batches, micro-batches, optimizer steps.
 *
 * An algorithm says what its loss is made of. While the critic warms up, the rest of the loss is left out. A critic
 * that leaves the backbone alone is fitted apart (`critic.ts`) unless `value.epochs` is null. Gradients of the policy and
 * of the value head are clipped apart, unless `value.maxGradNorm` is null.
 */
import type { PolicyOutputs } from '../policy.js';
import type { RolloutBuffer } from '../rollout/record.js';
import { cosine } from '../schedules/cosine.js';
import type { Tensor } from '../tensor.js';
import { accumulate } from '../training/accumulate.js';
import { type MicroBatch, miniBatches } from '../training/minibatches.js';
import { type LossParts, recordLosses } from '../training/record-losses.js';
import type { Run } from '../training/run.js';
import type { Targets } from '../training/targets.js';
import { type CriticLoss, fitCritic, hasOwnCritic } from './critic.js';

/** The parts of the loss of one micro-batch, computed when asked for. */
export interface Objective {
  readonly actor: (outputs: PolicyOutputs, batch: MicroBatch) => NonNullable<LossParts['actor']>;
  /** A function of the values alone where the critic is fitted apart. */
  readonly critic: CriticLoss;
  readonly regularizer?: (outputs: PolicyOutputs, batch: MicroBatch) => NonNullable<LossParts['regularizer']>;
}

/** What else happens during an update; only `beforeEpoch` is called while the critic warms up. */
export interface OptimizeHooks {
  readonly beforeEpoch?: () => void;
  /** Adds gradients to those of an optimizer step. */
  readonly beforeStep?: (microBatches: readonly MicroBatch[]) => Promise<void>;
  readonly afterEpoch?: () => void;
}

/** Only the critic is trained in this update. */
export const isWarmup = ({ update, config }: Pick<Run, 'update' | 'config'>): boolean =>
  update < config.value.warmupUpdates;

export async function optimize(
  run: Run,
  buffer: RolloutBuffer,
  targets: Targets,
  objective: Objective,
  hooks: OptimizeHooks = {},
): Promise<void> {
  const { policy, config, rng, metrics } = run;
  const { optimizer, value, loss } = config;
  const onlyValue = isWarmup(run);
  const learningRate = cosine(run.update, optimizer.learningRate);
  const forward = { temperature: loss.temperature, stopGradient: value.stopGradient || onlyValue };
  const step = {
    learningRate,
    valueLearningRate: learningRate * value.learningRateFactor,
    maxGradNorm: optimizer.maxGradNorm,
    ...(value.maxGradNorm !== null && { valueMaxGradNorm: value.maxGradNorm }),
    onlyValue,
  };
  const { kl, klTo } = config.regularizer;
  if (kl === 'exact' && klTo === 'old' && !onlyValue) policy.keepOld();
  await metrics.timed('update', async () => {
    if (hasOwnCritic(config)) await fitCritic(run, buffer, targets, objective.critic, learningRate);
    const epochs = hasOwnCritic(config) && onlyValue ? 0 : optimizer.epochs;
    for (let epoch = 0; epoch < epochs; epoch++) {
      hooks.beforeEpoch?.();
      for (const { microBatches } of miniBatches(buffer, targets, config, rng)) {
        for (const batch of microBatches) {
          const total = (outputs: PolicyOutputs) => totalLoss(run, outputs, batch, objective);
          await accumulate(run, batch.sequences, total, forward);
        }
        if (!onlyValue) await hooks.beforeStep?.(microBatches);
        const { gradNorm, valueGradNorm } = await policy.step(step);
        if (!onlyValue) metrics.mean('optimizer/grad-norm', gradNorm);
        if (!hasOwnCritic(config)) metrics.mean('optimizer/value-grad-norm', valueGradNorm);
      }
      if (!onlyValue) hooks.afterEpoch?.();
    }
  });
  metrics.setAll({ 'optimizer/learning-rate': learningRate, 'optimizer/only-value': onlyValue ? 1 : 0 });
}

/** actor + coefficient · critic + regularizer: without the critic where it is fitted apart, alone while it warms up. */
function totalLoss(run: Run, outputs: PolicyOutputs, batch: MicroBatch, objective: Objective): Tensor {
  const critic = hasOwnCritic(run.config) ? undefined : objective.critic(outputs, batch);
  const weighted = critic?.mul(run.config.value.coefficient);
  if (critic && weighted && isWarmup(run)) return recordLosses(run, batch, { critic }, weighted);
  const actor = objective.actor(outputs, batch);
  const regularizer = objective.regularizer?.(outputs, batch);
  const total = actor.loss.add(weighted ?? 0).add(regularizer?.loss ?? 0);
  return recordLosses(run, batch, { actor, ...(critic && { critic }), ...(regularizer && { regularizer }) }, total);
}
