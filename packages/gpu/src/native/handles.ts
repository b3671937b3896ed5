/** Arguments and results of the addon: tensors are integer handles, other values are opaque objects. */

/** Slot and generation of a tensor in the addon's table, as one exact integer. */
export type Handle = number;
export type Scalar = number | boolean | bigint;
export type Ints = readonly number[];
export type Pair = [Handle, Handle];

declare const brand: unique symbol;
/** A random generator owned by the garbage collector. */
export interface NativeGenerator {
  readonly [brand]: 'generator';
}
/** A group of processes, closed by the garbage collector. */
export interface NativeGroup {
  readonly [brand]: 'group';
}
/** Parameters whose gradients are summed over a group; `closeBuckets` lets go of them. */
export interface NativeBuckets {
  readonly [brand]: 'buckets';
}
/** The weights of a decoder; `closeDecoder` lets go of them. */
export interface NativeDecoder {
  readonly [brand]: 'decoder';
}
/** A recorded graph of CUDA; `closeGraph` frees its memory. */
export interface NativeGraph {
  readonly [brand]: 'graph';
}
/** An open file, closed by the garbage collector. */
export interface NativeFile {
  readonly [brand]: 'file';
}
