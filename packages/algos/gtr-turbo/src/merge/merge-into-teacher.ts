/**
 * Earlier checkpoints become the teacher: one matrix at a time, in float32, always from θ_0 and all of them.
 *
 * Nothing is ever merged into an earlier merge: TIES is not associative, and repeated rounding would pile up.
 * Rules: `docs/specs/algorithms.md` 7.1 to 7.5 and 18 (mergeCheckpoints).
 */
import type { Tensor, WeightMap } from '@vlgym/rl';
import type { MergeablePolicy } from '../mergeable-policy.js';
import { dareDrop, type UniformSource, uniformDraws } from './linear.js';
import { type MergeMetrics, mergeMetrics } from './metrics.js';
import { type Merged, type MergeStatistics, tiesMerge } from './ties.js';
import { type MergeWeighting, mergeWeights } from './weights.js';

export type MergeMethod = 'ties' | 'linear' | 'dare-ties' | 'dare-linear';

export interface MergeTeacherOptions {
  readonly method: MergeMethod;
  /** For TIES the share kept, for DARE the probability to keep. */
  readonly density: number;
  readonly weighting: MergeWeighting;
  /** For the moving averages. */
  readonly alpha: number;
  /** For DARE. */
  readonly rng: UniformSource;
}

/**
 * Teacher := θ_0 + merge of the task vectors of `checkpoints`.
 *
 * @param checkpoints Adapter states, oldest first; at least one. They stay untouched.
 */
export function mergeIntoTeacher(
  policy: MergeablePolicy,
  checkpoints: readonly WeightMap[],
  options: MergeTeacherOptions,
): MergeMetrics {
  const weights = mergeWeights(checkpoints.length, options.weighting, options.alpha);
  const statistics: MergeStatistics[] = [];
  function* merges(): Generator<readonly [string, Tensor]> {
    for (const name of policy.adaptedNames) {
      const merged = mergeMatrix(taskVectors(policy, checkpoints, name), weights, options);
      statistics.push(merged.statistics);
      yield [name, merged.merged];
    }
  }
  policy.setTeacher(merges());
  return mergeMetrics(statistics);
}

/** Task vectors of one matrix; each is freed when the next is asked for. */
function* taskVectors(policy: MergeablePolicy, checkpoints: readonly WeightMap[], name: string): Generator<Tensor> {
  for (const checkpoint of checkpoints) {
    const delta = policy.delta(checkpoint, name);
    try {
      yield delta;
    } finally {
      delta.dispose();
    }
  }
}

function mergeMatrix(vectors: Iterable<Tensor>, weights: Float64Array, options: MergeTeacherOptions): Merged {
  const { method, density, rng } = options;
  switch (method) {
    case 'ties':
      return tiesMerge(vectors, { density, weights });
    case 'linear':
      return tiesMerge(vectors, { density: 1, weights, reduction: 'linear' });
    case 'dare-ties':
      return tiesMerge(dropped(vectors, density, rng), { density: 1, weights });
    case 'dare-linear':
      return tiesMerge(dropped(vectors, density, rng), { density: 1, weights, reduction: 'linear' });
  }
}

function* dropped(vectors: Iterable<Tensor>, density: number, rng: UniformSource): Generator<Tensor> {
  for (const vector of vectors) {
    const size = vector.shape.reduce((product, n) => product * n, 1);
    const kept = dareDrop(vector, uniformDraws(rng, size), density);
    try {
      yield kept;
    } finally {
      kept.dispose();
    }
  }
}
