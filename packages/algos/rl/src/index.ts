export * from './advantages/gigpo.js';
export * from './advantages/group.js';
export * from './advantages/normalize.js';
export * from './advantages/shifts.js';
export * from './advantages/step-gae.js';
export * from './advantages/targets.js';
export * from './advantages/tokens.js';
export * from './config/compose.js';
export * from './config/option-groups.js';
export {
  type OptionKind,
  type OptionSchema,
  optionEntries,
  speedOption,
  taskOption,
  valueAtPath,
} from './config/option-kinds.js';
export * from './config/types.js';
export * from './diagnostics/alarms.js';
export * from './diagnostics/metrics.js';
export * from './diagnostics/self-bleu.js';
export * from './losses/aggregation.js';
export * from './losses/correction.js';
export * from './losses/importance-weights.js';
export * from './losses/kl-estimators.js';
export * from './losses/ratio.js';
export * from './losses/ratio-statistics.js';
export * from './losses/regularizer.js';
export * from './losses/sft-loss.js';
export * from './losses/value-loss.js';
export * from './model-input.js';
export * from './policy.js';
export { BufferBuilder, joinBuffers } from './rollout/buffer-builder.js';
export * from './rollout/collector.js';
export { EnvironmentFailedError, type SlotState } from './rollout/episode-slot.js';
export * from './rollout/play-episode.js';
export * from './rollout/record.js';
export * from './rollout/rescore.js';
export * from './rollout/sampler.js';
export type { CollectorState } from './rollout/slot-player.js';
export * from './rollout/source.js';
export * from './rollout/step-reward.js';
export * from './rollout/token-versions.js';
export * from './tensor.js';
export * from './training/algorithm.js';
export * from './training/checkpoint.js';
export * from './training/evaluation.js';
export * from './training/evaluation-settings.js';
export * from './training/ranks.js';
export * from './training/registry.js';
export * from './training/resolve-options.js';
export * from './training/tensorboard.js';
export * from './training/train.js';
export * from './training/types.js';
export * from './update/accumulate.js';
export * from './update/cosine.js';
export * from './update/critic.js';
export * from './update/loss-batch.js';
export * from './update/minibatches.js';
export * from './update/objective.js';
export * from './update/optimize.js';
export * from './update/reduce.js';
export * from './update/supervise.js';
export * from './warm-start/demonstrations.js';
export * from './warm-start/supervised-warm-start.js';
export {
  type SupervisedProgress,
  type SupervisedTrainingOptions,
  trainSupervised,
} from './warm-start/train-supervised.js';
