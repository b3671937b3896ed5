/**
 * The few tensor operations that losses, guidance and merging are written in.
 *
 * `Tensor` of `@vlgym/gpu` satisfies this interface as it is; names and semantics are PyTorch's in camelCase, float
 * gradients included. Algorithms import these types only, so that they run on any back-end that offers them.
 */

export type DType = 'float32' | 'float64' | 'float16' | 'bfloat16' | 'int64' | 'int32' | 'uint8' | 'bool';

export interface Tensor {
  readonly shape: readonly number[];
  readonly dtype: string;
  readonly backend: Backend;

  add(other: Tensor | number): Tensor;
  sub(other: Tensor | number): Tensor;
  mul(other: Tensor | number): Tensor;
  div(other: Tensor | number): Tensor;
  neg(): Tensor;
  abs(): Tensor;
  sign(): Tensor;
  exp(): Tensor;
  log(): Tensor;
  clamp(min?: number, max?: number): Tensor;
  minimum(other: Tensor): Tensor;
  maximum(other: Tensor): Tensor;
  matmul(other: Tensor): Tensor;
  sum(dim?: number, keepdim?: boolean): Tensor;
  mean(dim?: number, keepdim?: boolean): Tensor;
  softmax(dim: number): Tensor;
  logSoftmax(dim: number): Tensor;
  /** Entries along `dim` at the int64 positions of `index`. */
  gather(dim: number, index: Tensor): Tensor;
  scatter(dim: number, index: Tensor, source: Tensor): Tensor;
  eq(other: Tensor | number): Tensor;
  lt(other: Tensor | number): Tensor;
  gt(other: Tensor | number): Tensor;
  maskedFill(mask: Tensor, value: number): Tensor;
  /** Sorted values and their int64 positions; stable, so equal values keep their order. */
  sort(dim: number, options?: { descending?: boolean; stable?: boolean }): { values: Tensor; indices: Tensor };
  /** The k-th smallest value along `dim`, k from 1. */
  kthvalue(k: number, dim: number): { values: Tensor };
  cumsum(dim: number): Tensor;
  narrow(dim: number, start: number, length: number): Tensor;
  reshape(shape: readonly number[]): Tensor;
  unsqueeze(dim: number): Tensor;
  squeeze(dim: number): Tensor;
  /** Converts to a dtype; returns the same tensor if it already has that dtype. */
  to(dtype: DType): Tensor;
  detach(): Tensor;
  clone(): Tensor;
  /** A constant of this tensor's dtype and device. */
  newTensor(data: ArrayLike<number>, shape?: readonly number[]): Tensor;
  newZeros(shape: readonly number[]): Tensor;
  /** The only entry, as a number. */
  item(): number;
  /** All entries in C order; copies. */
  toArray(): Float64Array | Float32Array | Int32Array | Uint8Array | BigInt64Array | Uint16Array;
  dispose(): void;
}

export interface Backend {
  /** Runs `fn` and frees every tensor made in it but those it returns (in arrays, objects or maps) or keeps. */
  tidy<T>(fn: () => T): T;
  /** Takes a tensor out of the surrounding `tidy`; the caller frees it. */
  keep<T extends Tensor>(tensor: T): T;
  noGrad<T>(fn: () => T): T;
}

/** Tensors by name; whoever holds the map frees them. */
export interface WeightMap extends ReadonlyMap<string, Tensor> {
  /** For weights in a file, which are read when they are asked for: lets go of the file. */
  dispose?(): void;
}

export function disposeAll(weights: WeightMap): void {
  if (weights.dispose) weights.dispose();
  else for (const tensor of weights.values()) tensor.dispose();
}
