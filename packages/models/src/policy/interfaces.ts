/**
 * The policy of `@vlgym/rl` in two parts: what every algorithm trains, and what only merging of checkpoints needs
 * (GTR-Turbo).
 */
import type { Policy } from '@vlgym/rl';

/** Task vectors θ_i − θ_0 and the weights that they are merged into. */
export interface MergeablePolicy
  extends Pick<
    Policy,
    'adaptedNames' | 'adapterState' | 'delta' | 'setTeacher' | 'foldIntoReference' | 'saveWeights' | 'loadWeights'
  > {}

/** Encode, sample, score, accumulate, step, save. */
export interface TrainablePolicy extends Omit<Policy, keyof MergeablePolicy> {}
