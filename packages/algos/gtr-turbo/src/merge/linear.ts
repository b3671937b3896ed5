/**
 * Linear merges of dense task vectors, and DARE: drop at random, rescale, then merge.
 *
 * Rules: `docs/specs/algorithms.md` 7.4 and 7.5. Pinned by `test/golden/algos/linear_merge.json` and `dare_merge.json`.
 */
import type { Tensor } from '@vlgym/rl';

/**
 * Σ w_i·Δ_i of one matrix, in one pass.
 *
 * @throws {RangeError} No task vectors, or a number of weights other than theirs.
 */
export function linearMerge(taskVectors: Iterable<Tensor>, weights: ArrayLike<number>): Tensor {
  let sum: Tensor | undefined;
  let count = 0;
  for (const vector of taskVectors) {
    const weight = weights[count];
    if (weight === undefined) throw new RangeError(`the number of task vectors exceeds the ${weights.length} weights`);
    const previous: Tensor | undefined = sum;
    sum = vector.backend.tidy(() => (previous ? previous.add(vector.mul(weight)) : vector.mul(weight)));
    previous?.dispose();
    count += 1;
  }
  if (!sum) throw new RangeError('a merge needs at least one task vector');
  if (count !== weights.length) throw new RangeError(`${count} task vectors but ${weights.length} weights`);
  return sum;
}

/** Something that draws from [0, 1): `Generator` of `@vlgym/core`. */
export interface UniformSource {
  random(): number;
}

/** [n] uniform draws. */
export function uniformDraws(rng: UniformSource, count: number): Float64Array {
  const draws = new Float64Array(count);
  for (let i = 0; i < count; i++) draws[i] = rng.random();
  return draws;
}

/**
 * Keeps entry j where draws[j] < density and divides it by the density, so that the expectation stays.
 *
 * @param draws One uniform draw per entry, in C order.
 */
export function dareDrop(taskVector: Tensor, draws: ArrayLike<number>, density: number): Tensor {
  if (!(density > 0 && density <= 1)) throw new RangeError(`density must be in (0, 1], got ${density}`);
  return taskVector.backend.tidy(() => {
    const keep = Float64Array.from(draws, (draw) => (draw < density ? 1 : 0));
    return taskVector.mul(taskVector.newTensor(keep, taskVector.shape)).div(density);
  });
}
