/** Ratios, clips, KL estimators, and how losses are summed. */
export { type Aggregation, type AggregationOptions, aggregationWeights, type Totals, totalsOf } from './aggregation.js';
export { type ImportanceOptions, type ImportanceWeights, importanceWeights } from './importance-weights.js';
export {
  exactKl,
  exactKlTensor,
  type KlEstimator,
  type KlReduction,
  klEstimate,
  klEstimateTensor,
  type StepKlOptions,
  stepKl,
} from './kl-estimators.js';
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
} from './ratio.js';
export {
  type ClipStatistics,
  clipStatistics,
  type RatioStatistics,
  ratioStatistics,
  type TokenDrift,
  tokenDrift,
} from './ratio-statistics.js';
export { type LossTerm, type LossTerms, regularize } from './regularizer.js';
export { sftLoss } from './sft-loss.js';
export { type ValueTargets, valueLoss } from './value-loss.js';
