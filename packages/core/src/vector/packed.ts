/**
 * Results between threads: typed arrays go through shared memory, everything else as a structured clone.
 *
 * `pack` writes every typed array that fits into its region and notes the offset; arrays that do not fit stay in the
 * message. `unpack` copies the bytes, or returns views.
 */

import { isTypedArray } from '../type-tests.js';
import { isPlainObject, type TypedArray } from '../wrappers/copy-value.js';

/** A region of shared memory that one writer owns until its message has been read. */
export interface Region {
  readonly memory: SharedArrayBuffer;
  /** Bytes; a multiple of 8. */
  readonly offset: number;
  readonly length: number;
}

export interface Packed {
  /** The value without its packed arrays. */
  readonly rest: unknown;
  readonly arrays: readonly PackedArray[];
}

interface PackedArray {
  readonly path: readonly (string | number)[];
  readonly type: string;
  readonly offset: number;
  /** Entries, not bytes. */
  readonly length: number;
}

type TypedArrayConstructor = {
  new (buffer: ArrayBufferLike, offset: number, length: number): TypedArray;
  readonly BYTES_PER_ELEMENT: number;
};

const CONSTRUCTORS = new Map<string, TypedArrayConstructor>(
  [
    Uint8Array,
    Uint8ClampedArray,
    Int8Array,
    Uint16Array,
    Int16Array,
    Uint32Array,
    Int32Array,
    Float32Array,
    Float64Array,
    BigInt64Array,
    BigUint64Array,
  ].map((arrayClass) => [arrayClass.name, arrayClass as unknown as TypedArrayConstructor]),
);

const align = (bytes: number) => Math.ceil(bytes / 8) * 8;

/** Bytes that `pack` needs for all typed arrays in `value`. */
export function packedSize(value: unknown): number {
  if (isTypedArray(value)) return align(value.byteLength);
  return children(value).reduce<number>((sum, [, child]) => sum + packedSize(child), 0);
}

export function pack(value: unknown, region: Region | undefined): Packed {
  if (!region || region.length === 0) return { rest: value, arrays: [] };
  const { memory, offset: start, length } = region;
  const arrays: PackedArray[] = [];
  let used = 0;
  const take = (node: unknown, path: readonly (string | number)[]): unknown => {
    if (isTypedArray(node)) {
      if (used + node.byteLength > length) return node;
      const offset = start + used;
      new Uint8Array(memory, offset, node.byteLength).set(
        new Uint8Array(node.buffer, node.byteOffset, node.byteLength),
      );
      arrays.push({ path, type: typeName(node), offset, length: node.length });
      used += align(node.byteLength);
      return null;
    }
    const entries = children(node);
    if (entries.length === 0) return node;
    const taken = entries.map(([key, child]) => [key, take(child, [...path, key])] as const);
    if (taken.every(([, child], index) => child === entries[index]![1])) return node;
    return Array.isArray(node) ? taken.map(([, child]) => child) : Object.fromEntries(taken);
  };
  return { rest: take(value, []), arrays };
}

/** @param share  Return views instead of copies: valid until the writer's memory is reused. */
export function unpack({ rest, arrays }: Packed, memory: SharedArrayBuffer | undefined, share: boolean): unknown {
  const root = { value: rest };
  for (const { path, type, offset, length } of arrays) {
    const view = new (CONSTRUCTORS.get(type)!)(memory!, offset, length);
    let holder = root as Record<string | number, unknown>;
    let key: string | number = 'value';
    for (const step of path) {
      holder = holder[key] as Record<string | number, unknown>;
      key = step;
    }
    holder[key] = share ? view : ownCopy(view);
  }
  return root.value;
}

/** Like `view.slice()`, but without zero-filling the memory first: half the time for a picture. */
function ownCopy(view: TypedArray): TypedArray {
  if (typeof Buffer === 'undefined') return view.slice();
  const { buffer } = Buffer.allocUnsafeSlow(view.byteLength);
  new Uint8Array(buffer).set(new Uint8Array(view.buffer, view.byteOffset, view.byteLength));
  return new (view.constructor as TypedArrayConstructor)(buffer, 0, view.length);
}

/** The constructor name; a Buffer counts as Uint8Array. */
function typeName(array: TypedArray): string {
  const { name } = array.constructor;
  return CONSTRUCTORS.has(name) ? name : 'Uint8Array';
}

function children(value: unknown): [string | number, unknown][] {
  if (Array.isArray(value)) return value.map((child, index) => [index, child]);
  return isPlainObject(value) ? Object.entries(value) : [];
}
