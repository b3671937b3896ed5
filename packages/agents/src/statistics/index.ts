/** Intervals, paired comparisons, and corrections for several tests. */

export { type CellComparison, type CellPair, compareCells, pairsWithin } from '../suite/compare.js';
export { type Estimate, type EstimateOptions, estimate } from '../suite/estimate.js';
export {
  type BlockComparison,
  type BlockComparisonOptions,
  blockComparison,
  standardDeviation,
} from './block-comparison.js';
export { type BootstrapMean, type BootstrapOptions, bootstrapMean } from './bootstrap.js';
export type { TrainedRun } from './crossed.js';
export { minimumDetectableEffect, type PowerOptions, plannedPower } from './detectable-effect.js';
export { holm } from './holm.js';
export { newTasksInterval } from './new-tasks.js';
export { type PairedComparison, pairedComparison } from './paired-comparison.js';
export { type PassRate, passAtK, passHatK, passRate } from './pass-at-k.js';
export {
  type SequentialPairs,
  type SequentialPairsOptions,
  type SuccessPair,
  sequentialPairs,
} from './sequential/pairs.js';
export {
  type SequentialRate,
  type SequentialRateOptions,
  type SequentialVerdict,
  sequentialRate,
} from './sequential/rate.js';
export type { FlipOptions } from './sign-flips.js';
export { type SpreadComparison, spreadComparison } from './spread-comparison.js';
export { type Covers, type SuccessRate, successRate, trainedSuccessRate } from './success-rate.js';
export { equalTaskMean, type TaskCount, taskShares } from './task-mean.js';
export type { TaskOutcome, TasksBy } from './task-outcome.js';
export { type TrainingComparison, type TrainingPair, trainingComparison } from './training-comparison.js';
