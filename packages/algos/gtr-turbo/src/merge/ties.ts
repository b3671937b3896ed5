/**
 * TIES: trim each task vector, elect a sign per entry, average those that agree.
 *
 * One pass over the task vectors with a few running sums per matrix, so that thirty checkpoints of a large matrix
 * need no more memory than two. Base is θ_0; θ_0 itself is not in the set: it never votes.
 * Rules: `docs/specs/algorithms.md` 7.2, 7.3 and 7.6; arXiv 2306.01708, algorithm 1. Pinned by `test/golden/algos/ties_merge.json`.
 */
import type { Tensor } from '@vlgym/rl';

export interface TiesOptions {
  /** Share of entries kept per tensor, in (0, 1]; 0.8 drops the smallest fifth. */
  readonly density: number;
  /** [n] how much each task vector counts. */
  readonly weights: ArrayLike<number>;
  /**
   * `weighted`: sign of Σ w·x. `unweighted`: of Σ x. `frequency`: of Σ sign(x). Default `weighted`; a zero sum
   * elects +.
   */
  readonly vote?: 'weighted' | 'unweighted' | 'frequency' | undefined;
  /**
   * `mean` (default): Σ w·x / Σ w over agreeing entries. `count`: Σ w·x / count, as PEFT's `ties` does: weights that
   * sum to one then shrink the result. `linear`: Σ w·x over all entries untrimmed, no election; `linearMerge` with
   * statistics.
   */
  readonly reduction?: 'mean' | 'count' | 'linear' | undefined;
}

/** Sums over one matrix, to be added up over matrices (`mergeMetrics`). */
export interface MergeStatistics {
  readonly entries: number;
  /** Entries with votes for both signs. */
  readonly conflicts: number;
  /** Entries where every task vector votes for the same sign. */
  readonly unanimous: number;
  /** Σ τ². */
  readonly mergedSquares: number;
  /** Σ (Σ w·Δ)² of the untrimmed task vectors. */
  readonly meanSquares: number;
  /** Σ Δ_latest². */
  readonly latestSquares: number;
  /** Σ τ·Δ_latest. */
  readonly mergedDotLatest: number;
}

export interface Merged {
  /** The merged task vector τ; the caller frees it. */
  readonly merged: Tensor;
  readonly statistics: MergeStatistics;
}

/** The floor(density·n) entries of largest magnitude; of equal ones the lower flat index wins. The rest is 0. */
export function trim(taskVector: Tensor, density: number): Tensor {
  checkDensity(density);
  if (density >= 1) return taskVector.clone();
  return taskVector.backend.tidy(() => {
    const size = taskVector.shape.reduce((product, n) => product * n, 1);
    const kept = Math.floor(density * size);
    if (kept === 0) return taskVector.mul(0);
    const flat = taskVector.reshape([size]);
    const magnitudes = flat.abs();
    const threshold = magnitudes.kthvalue(size - kept + 1, 0).values;
    // of equal zeros it does not matter which are kept
    if (threshold.item() === 0) return flat.clone().reshape(taskVector.shape);
    const isKept = magnitudes.lt(threshold).eq(0);
    // unless equal magnitudes straddle the threshold, it says all
    if (isKept.to('float64').sum().item() === kept) {
      return flat.mul(isKept.to(flat.dtype as 'float32')).reshape(taskVector.shape);
    }
    // of those at the threshold, the first ones
    const isAbove = magnitudes.gt(threshold).to('float64');
    const isEqual = magnitudes.eq(threshold).to('float64');
    const places = kept - isAbove.sum().item();
    const isAmongFirst = isEqual.cumsum(0).gt(places).eq(0).to('float64');
    return flat.mul(isAbove.add(isEqual.mul(isAmongFirst)).to(flat.dtype as 'float32')).reshape(taskVector.shape);
  });
}

/**
 * Trims every tensor of one model by a single threshold: the floor(density·n) largest entries of all tensors together.
 * Reads all magnitudes into memory; meant for small models and for comparing with the TIES notebook's scope.
 */
export function trimWholeModel(taskVectors: readonly Tensor[], density: number): Tensor[] {
  checkDensity(density);
  const values = taskVectors.map((tensor) => Float64Array.from(tensor.detach().toArray() as Float32Array));
  const size = values.reduce((sum, tensor) => sum + tensor.length, 0);
  const kept = Math.floor(density * size);
  const magnitudes = new Float64Array(size);
  let offset = 0;
  for (const tensor of values) {
    for (const value of tensor) magnitudes[offset++] = Math.abs(value);
  }
  magnitudes.sort();
  const threshold = kept > 0 ? magnitudes[size - kept]! : Number.POSITIVE_INFINITY;
  let tiesLeft = kept;
  for (let i = size - 1; i >= 0 && magnitudes[i]! > threshold; i--) tiesLeft -= 1;
  return values.map((tensor, index) => {
    const trimmed = tensor.map((value) => {
      const magnitude = Math.abs(value);
      if (magnitude > threshold) return value;
      if (magnitude < threshold || tiesLeft === 0) return 0;
      tiesLeft -= 1;
      return value;
    });
    return taskVectors[index]!.newTensor(trimmed, taskVectors[index]!.shape);
  });
}

/** [shape] +1 or −1: the sign that wins the vote over trimmed task vectors. */
export function electSign(
  trimmed: Iterable<Tensor>,
  weights: ArrayLike<number>,
  vote: TiesOptions['vote'] = 'weighted',
) {
  let total: Tensor | undefined;
  let index = 0;
  for (const vector of trimmed) {
    const ballot = vote === 'frequency' ? vector.sign() : vote === 'unweighted' ? vector : vector.mul(weights[index]!);
    total = total ? total.add(ballot) : ballot;
    index += 1;
  }
  if (!total) throw new RangeError('no task vectors to elect a sign from');
  return positiveOrNegative(total);
}

/**
 * Merges the task vectors of one matrix.
 *
 * @param taskVectors n ≥ 1 tensors of one shape, float32 or wider, oldest first; each is read before the next is asked
 *   for, so a generator may free it after it was used.
 * @throws {RangeError} No task vectors, a density outside (0, 1], or a number of weights other than n.
 */
export function tiesMerge(taskVectors: Iterable<Tensor>, options: TiesOptions): Merged {
  const { density, weights, vote = 'weighted', reduction = 'mean' } = options;
  checkDensity(density);
  // the mean does not see a common factor; with a largest weight of 1 a single checkpoint comes back bit for bit
  const unit = reduction === 'mean' ? Math.max(...Array.from(weights)) : 1;
  let sums: Sums | undefined;
  let latest: Tensor | undefined;
  let count = 0;
  for (const vector of taskVectors) {
    const weight = weights[count];
    if (weight === undefined) throw new RangeError(`the number of task vectors exceeds the ${weights.length} weights`);
    const previous: Sums | undefined = sums;
    sums = vector.backend.tidy(() => addVote(previous, vector, trim(vector, density), { weight, unit, vote }));
    if (previous) for (const tensor of Object.values(previous)) tensor.dispose();
    latest?.dispose();
    latest = vector.clone();
    count += 1;
  }
  if (!sums || !latest) throw new RangeError('a merge needs at least one task vector');
  if (count !== weights.length) throw new RangeError(`${count} task vectors but ${weights.length} weights`);

  const held = { ...sums, latest };
  const result = latest.backend.tidy(() => {
    const merged = reduce(held, reduction);
    return { merged, statistics: statistics(held, merged, count) };
  });
  for (const tensor of Object.values(held)) tensor.dispose();
  return result;
}

/** Running sums of one matrix; a type and not an interface so that `Object.values` keeps its entries typed. */
type Sums = {
  /** The values that the sign election sums. */
  ballot: Tensor;
  /** Σ w·x over positive and over negative entries … */
  positive: Tensor;
  negative: Tensor;
  /** … and what divides them. */
  positiveWeight: Tensor;
  negativeWeight: Tensor;
  positiveCount: Tensor;
  negativeCount: Tensor;
  /** Σ w·x untrimmed, for the metrics. */
  mean: Tensor;
};

function addVote(
  sums: Sums | undefined,
  vector: Tensor,
  trimmed: Tensor,
  { weight, unit, vote }: { weight: number; unit: number; vote: NonNullable<TiesOptions['vote']> },
): Sums {
  const dtype = vector.dtype as 'float32';
  const isPositive = trimmed.gt(0).to(dtype);
  const isNegative = trimmed.lt(0).to(dtype);
  const weighted = trimmed.mul(weight / unit);
  const added: Sums = {
    ballot: vote === 'frequency' ? trimmed.sign() : vote === 'unweighted' ? trimmed : weighted,
    positive: weighted.mul(isPositive),
    negative: weighted.mul(isNegative),
    positiveWeight: isPositive.mul(weight / unit),
    negativeWeight: isNegative.mul(weight / unit),
    positiveCount: isPositive,
    negativeCount: isNegative,
    mean: vector.mul(weight),
  };
  // every entry is held on its own, so that each can be freed on its own
  const keys = Object.keys(added) as (keyof Sums)[];
  return Object.fromEntries(keys.map((key) => [key, sums ? sums[key].add(added[key]) : added[key].clone()])) as Sums;
}

function reduce(sums: Sums, reduction: NonNullable<TiesOptions['reduction']>): Tensor {
  if (reduction === 'linear') return sums.mean.clone();
  const dtype = sums.ballot.dtype as 'float32';
  const elected = positiveOrNegative(sums.ballot);
  const plus = elected.gt(0).to(dtype);
  const minus = elected.lt(0).to(dtype);
  const choose = (positive: Tensor, negative: Tensor) => positive.mul(plus).add(negative.mul(minus));
  const sum = choose(sums.positive, sums.negative);
  const divisor =
    reduction === 'count'
      ? choose(sums.positiveCount, sums.negativeCount)
      : choose(sums.positiveWeight, sums.negativeWeight);
  // where nothing agrees both are 0, and 0 / 1 is 0
  return sum.div(divisor.add(divisor.eq(0).to(dtype)));
}

function statistics({ latest, ...sums }: Sums & { latest: Tensor }, merged: Tensor, count: number): MergeStatistics {
  const dtype = latest.dtype as 'float32';
  const total = (tensor: Tensor) => tensor.sum().item();
  const has = (tensor: Tensor) => tensor.gt(0).to(dtype);
  return {
    entries: latest.shape.reduce((product, n) => product * n, 1),
    conflicts: total(has(sums.positiveCount).mul(has(sums.negativeCount))),
    unanimous: total(sums.positiveCount.eq(count).to(dtype)) + total(sums.negativeCount.eq(count).to(dtype)),
    mergedSquares: total(merged.mul(merged)),
    meanSquares: total(sums.mean.mul(sums.mean)),
    latestSquares: total(latest.mul(latest)),
    mergedDotLatest: total(merged.mul(latest)),
  };
}

function positiveOrNegative(total: Tensor): Tensor {
  return total.sign().add(total.eq(0).to(total.dtype as 'float32'));
}

function checkDensity(density: number): void {
  if (!(density > 0 && density <= 1)) throw new RangeError(`density must be in (0, 1], got ${density}`);
}
