/** Supervised warm starts from demonstrations. */
export { type Demonstration, type DemonstrationOptions, DemonstrationPool, demonstrations } from './demonstrations.js';
export {
  supervisedWarmStart,
  type WarmStartGoal,
  type WarmStartOptions,
  type WarmStartProgress,
  type WarmStartReport,
} from './supervised-warm-start.js';
export { type SupervisedProgress, type SupervisedTrainingOptions, trainSupervised } from './train-supervised.js';
