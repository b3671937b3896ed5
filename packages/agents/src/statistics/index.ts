/** Intervals, paired comparisons, and corrections for several tests. */

export { type CellComparison, type CellPair, compareCells, pairsWithin } from '../suite/compare.js';
export { type Estimate, type EstimateOptions, estimate } from '../suite/estimate.js';
export { type BootstrapMean, type BootstrapOptions, bootstrapMean } from './bootstrap.js';
export type { TrainedRun } from './crossed.js';
export { holm } from './holm.js';
export { type PairedComparison, pairedComparison } from './paired-comparison.js';
export { type PassRate, passAtK, passHatK, passRate } from './pass-at-k.js';
export { type Covers, type SuccessRate, successRate, trainedSuccessRate } from './success-rate.js';
export type { TaskOutcome, TasksBy } from './task-outcome.js';
export { type TrainingComparison, type TrainingPair, trainingComparison } from './training-comparison.js';
