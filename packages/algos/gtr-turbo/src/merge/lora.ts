/**
 * LoRA factors and their merges: the exact ones, and those in factor space kept for replication.
 *
 * Merging A and B separately is not merging: for n nearly equal checkpoints with weights 1/n the linear variant comes out n
 * times too large and the TIES variant n times too small. Results in factor space therefore carry `approximate: true`.
 * Rules: `docs/specs/algorithms.md` 7.5. Pinned by `test/golden/algos/lora_merge.json`.
 */
import type { Tensor } from '@vlgym/rl';
import { linearMerge } from './linear.js';
import { tiesMerge } from './ties.js';

/** One adapter on one matrix: Δ = scaling · B·A. */
export interface LoraFactors {
  /** [r, in] */
  readonly a: Tensor;
  /** [out, r] */
  readonly b: Tensor;
}

/** [out, in] (α/r)·B·A, the exact task vector. */
export function loraDelta({ a, b }: LoraFactors, scaling: number): Tensor {
  return a.backend.tidy(() => b.matmul(a).mul(scaling));
}

/** Factors of rank n·r whose product B·A (scaling 1) is Σ w_i·Δ_i exactly. */
export function concatenateFactors(
  adapters: readonly LoraFactors[],
  weights: ArrayLike<number>,
  scaling: number,
): LoraFactors {
  const first = adapters[0];
  if (!first) throw new RangeError('no adapters to concatenate');
  const inputs = first.a.shape[1]!;
  const outputs = first.b.shape[0]!;
  const rank = adapters.reduce((sum, { a }) => sum + a.shape[0]!, 0);
  const a = new Float64Array(rank * inputs);
  const b = new Float64Array(outputs * rank);
  let offset = 0;
  adapters.forEach((adapter, index) => {
    const own = adapter.a.shape[0]!;
    const aData = adapter.a.detach().toArray() as Float32Array;
    const bData = adapter.b.detach().toArray() as Float32Array;
    const factor = weights[index]! * scaling;
    for (let i = 0; i < aData.length; i++) a[offset * inputs + i] = aData[i]! * factor;
    for (let row = 0; row < outputs; row++) {
      for (let column = 0; column < own; column++) b[row * rank + offset + column] = bData[row * own + column]!;
    }
    offset += own;
  });
  return { a: first.a.newTensor(a, [rank, inputs]), b: first.b.newTensor(b, [outputs, rank]) };
}

export interface FactorMerge extends LoraFactors {
  /** [out, in] product of the merged factors, scaling 1. */
  readonly delta: Tensor;
  /** Not the merge of the task vectors. */
  readonly approximate: true;
}

/**
 * Adapter-level merging: A and B separately, each with weights √(w_i·α/r). Only for replication.
 *
 * @param method `linear`, or `ties` with the unweighted vote and the division by the count.
 */
export function mergeFactors(
  adapters: readonly LoraFactors[],
  {
    weights,
    scaling,
    method,
    density = 1,
  }: {
    readonly weights: ArrayLike<number>;
    readonly scaling: number;
    readonly method: 'linear' | 'ties';
    readonly density?: number | undefined;
  },
): FactorMerge {
  const roots = Float64Array.from(weights, (weight) => Math.sqrt(weight * scaling));
  const merge = (factors: readonly Tensor[]) =>
    method === 'linear'
      ? linearMerge(factors, roots)
      : tiesMerge(factors, { density, weights: roots, vote: 'unweighted', reduction: 'count' }).merged;
  const a = merge(adapters.map((adapter) => adapter.a));
  const b = merge(adapters.map((adapter) => adapter.b));
  return { a, b, delta: b.matmul(a), approximate: true };
}
