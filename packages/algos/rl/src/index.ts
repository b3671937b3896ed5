/** The public interface; `docs/api/rl.txt` lists it. */
export { type GigpoAdvantages, type GigpoOptions, type GigpoRows, gigpo } from './advantages/gigpo.js';
export {
  type GroupAdvantageKind,
  type GroupAdvantageOptions,
  type GroupAdvantages,
  groupAdvantage,
  membersOf,
  onEveryStep,
  trajectoryGroups,
  trajectoryReturns,
  uniformShare,
} from './advantages/group.js';
export { type Moments, moments, type NormalizeOptions, normalize } from './advantages/normalize.js';
export { type Shift, type ShiftEntry, type ShiftedAdvantages, shiftedAdvantages } from './advantages/shifts.js';
export {
  type Advantages,
  type GaeOptions,
  type StepRewards,
  type StorageRewards,
  stepGae,
  storageGae,
} from './advantages/step-gae.js';
export {
  estimateTargets,
  normalizeTokens,
  type PerStepOrToken,
  rawAdvantages,
  type Targets,
  targetsFrom,
} from './advantages/targets.js';
export { alongEpisodes, type EpisodeTokens, type TokenEstimates, tokenRewards } from './advantages/tokens.js';
export { composeConfig, InvalidConfigError, mergeDeep, type OptionsSchema, type Overrides } from './config/compose.js';
export {
  actorCriticOptions,
  advantageOptions,
  clipOptions,
  commonOptions,
  correctionOptions,
  criticOptions,
  filterOptions,
  groupAlgorithmOptions,
  groupOptions,
  optimizerOptions,
  optionGroup,
  regularizerOptions,
  rewardOptions,
  rolloutOptions,
  shiftEntry,
  stepLossOptions,
  tokenLossOptions,
  tokenLossShape,
} from './config/option-groups.js';
export { type OptionKind, type OptionSchema, optionEntries, taskOption, valueAtPath } from './config/option-kinds.js';
export type {
  ActorCriticConfig,
  AnyConfig,
  CommonConfig,
  GroupConfig,
  RegularizerConfig,
  StepLossConfig,
  TokenLossConfig,
} from './config/types.js';
export { type Alarm, type AlarmState, Alarms } from './diagnostics/alarms.js';
export { type Metrics, MetricsTally } from './diagnostics/metrics.js';
export {
  type Aggregation,
  type AggregationOptions,
  aggregationWeights,
  type Totals,
  totalsOf,
} from './losses/aggregation.js';
export { type ImportanceOptions, type ImportanceWeights, importanceWeights } from './losses/importance-weights.js';
export {
  exactKl,
  exactKlTensor,
  type KlEstimator,
  type KlReduction,
  klEstimate,
  klEstimateTensor,
  type StepKlOptions,
  stepKl,
} from './losses/kl-estimators.js';
export {
  type ClipBounds,
  clipRatio,
  exceeds,
  max,
  ratioOf,
  type SpanConvention,
  type SpanOptions,
  type Spans,
  spanWeights,
  stepLogProb,
} from './losses/ratio.js';
export {
  type ClipStatistics,
  clipStatistics,
  type RatioStatistics,
  ratioStatistics,
  type TokenDrift,
  tokenDrift,
} from './losses/ratio-statistics.js';
export { type LossTerm, type LossTerms, regularize } from './losses/regularizer.js';
export { sftLoss } from './losses/sft-loss.js';
export { type ValueTargets, valueLoss } from './losses/value-loss.js';
export type { ModelInput } from './model-input.js';
export type {
  AccumulateOptions,
  Divergence,
  ForwardOptions,
  GradientNorms,
  OptimizerStep,
  Policy,
  PolicyOutputs,
  ScoreOptions,
  Scores,
  Sequence,
  WarmStartPolicy,
  WeightSet,
} from './policy.js';
export { BufferBuilder, joinBuffers } from './rollout/buffer-builder.js';
export { Collector, type CollectorOptions } from './rollout/collector.js';
export type { SlotState } from './rollout/episode-slot.js';
export { type PlayEpisodeOptions, type PlayedEpisode, playEpisode } from './rollout/play-episode.js';
export type { EpisodeSummary, RewardParts, RolloutBuffer, Sampler, StepRecord } from './rollout/record.js';
export { type RescoreOptions, rescore, sequenceOf } from './rollout/rescore.js';
export type { RolloutSampler, SampledResponse } from './rollout/sampler.js';
export type { CollectorState } from './rollout/slot-player.js';
export type {
  CollectEpisodesOptions,
  CollectOptions,
  OpenSource,
  RolloutSource,
  SourceParts,
} from './rollout/source.js';
export { checkTokenVersions, tokenVersions, versionNumber } from './rollout/token-versions.js';
export { type Backend, type DType, disposeAll, type Tensor, type WeightMap } from './tensor.js';
export {
  type Algorithm,
  type AlgorithmChart,
  type AlgorithmDefinition,
  type AlgorithmOverrides,
  type AlgorithmState,
  type ControlOfAlgorithm,
  defineAlgorithm,
  type Preset,
  type PresetOf,
  type PresetOptions,
  type Presets,
  type Reporting,
  type Run,
} from './training/algorithm.js';
export { CheckpointStore, FolderInUseError } from './training/checkpoint.js';
export { assertSameSettings, CheckpointDamagedError, CheckpointMismatchError } from './training/checkpoint-errors.js';
export { evaluatePolicy } from './training/evaluation.js';
export {
  type EvaluationChoices,
  type EvaluationSettings,
  evaluationSettings,
  policyOptions,
} from './training/evaluation-settings.js';
export type { Ranks } from './training/ranks.js';
export { registerAlgorithms, registeredAlgorithms } from './training/registry.js';
export {
  type Departure,
  departuresOf,
  type LeftOutOption,
  type OptionLayer,
  type ResolvedOption,
  type ResolvedOptions,
  resolveOptions,
} from './training/resolve-options.js';
export { type TrainReport, train } from './training/train.js';
export type { EvaluationOptions, TargetsOfUpdate, TrainOptions, UpdateRecord } from './training/types.js';
export { type CosineOptions, cosine, type WarmupCosineOptions, warmupCosine } from './update/cosine.js';
export type { CriticLoss } from './update/critic.js';
export { LossBatch } from './update/loss-batch.js';
export { type MicroBatch, type MiniBatch, miniBatches } from './update/minibatches.js';
export type { Actor, ActorLoss, Objective } from './update/objective.js';
export { isWarmup, type OptimizeHooks, optimize } from './update/optimize.js';
export { type Averaging, type ReduceOptions, reduceCritic, reduceLoss } from './update/reduce.js';
export { type LabeledSequence, type SuperviseOptions, supervise } from './update/supervise.js';
export {
  type Demonstration,
  type DemonstrationOptions,
  DemonstrationPool,
  demonstrations,
} from './warm-start/demonstrations.js';
export {
  supervisedWarmStart,
  type WarmStartGoal,
  type WarmStartOptions,
  type WarmStartProgress,
  type WarmStartReport,
} from './warm-start/supervised-warm-start.js';
export {
  type SupervisedProgress,
  type SupervisedTrainingOptions,
  trainSupervised,
} from './warm-start/train-supervised.js';
