/**
 * Memory for new pictures: not cleared first, and collected without a pass over the whole heap.
 *
 * `slice` and `new Uint8Array` clear the memory, which costs as much as copying a picture into it. And V8 counts the bytes of
 * pictures against a limit that grows with its own heap: an environment that allocates little else keeps the young heap
 * small, so that V8 marks all objects of the process again and again. With a little garbage on V8's own heap, 8 % of a
 * picture's bytes, the young heap grows: 15,000 steps of NumberLine take 3 such passes instead of 47 (`node --trace-gc`). The
 * other games make enough garbage themselves.
 */

/** Elements of 8 bytes; larger arrays would not be young. */
const MAX_ELEMENTS = 8192;

/** The last garbage; kept until the next, so that its allocation is not optimized away. */
const kept: { garbage: unknown[] } = { garbage: [] };

/** @returns Bytes that hold anything until they are written, in a separate `ArrayBuffer`. */
export function pictureMemory(length: number): Uint8Array {
  if (typeof Buffer === 'undefined') return new Uint8Array(length);
  kept.garbage = new Array(Math.min(MAX_ELEMENTS, Math.floor(length / 100)));
  // Unlike `allocUnsafe`, it never shares its `ArrayBuffer`, so that a picture can be transferred to another thread.
  return new Uint8Array(Buffer.allocUnsafeSlow(length).buffer);
}
