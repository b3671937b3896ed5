/** The public interface; `docs/api/rl.txt` lists it. */

export { gigpo } from './advantages/gigpo.js';
export { groupAdvantage, uniformShare } from './advantages/group.js';
export { moments, normalize } from './advantages/normalize.js';
export { stepGae, storageGae } from './advantages/step-gae.js';
export { composeConfig, InvalidConfigError, mergeDeep, type OptionsSchema, type Overrides } from './config/compose.js';
export { type Alarm, type AlarmState, Alarms } from './diagnostics/alarms.js';
export { type Metrics, MetricsTally } from './diagnostics/metrics.js';
export { aggregationWeights } from './losses/aggregation.js';
export { importanceWeights } from './losses/importance-weights.js';
export { exactKl, klEstimate, stepKl } from './losses/kl-estimators.js';
export { clipRatio, ratioOf } from './losses/ratio.js';
export { sftLoss } from './losses/sft-loss.js';
export { valueLoss } from './losses/value-loss.js';
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
export type { RolloutBuffer, StepRecord } from './rollout/record.js';
export { rescore } from './rollout/rescore.js';
export type { RolloutSource } from './rollout/source.js';
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
export { optimize } from './update/optimize.js';
export { demonstrations } from './warm-start/demonstrations.js';
export { supervisedWarmStart } from './warm-start/supervised-warm-start.js';
