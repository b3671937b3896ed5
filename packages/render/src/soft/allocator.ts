/** First-fit allocator for a kernel's memory, in multiples of 64 bytes. Adjacent free ranges are merged. */
import { RenderError } from '../errors.js';
import { HEAP_START, type KernelMemory } from './kernel.js';

const GRAIN = 64;
const LIMIT = 1 << 30;

interface Gap {
  start: number;
  end: number;
}

export class Allocator {
  readonly #memory: KernelMemory;
  readonly #sizes = new Map<number, number>();
  /** Sorted by address; the last gap is unbounded. */
  readonly #gaps: Gap[] = [{ start: HEAP_START, end: Number.POSITIVE_INFINITY }];

  constructor(memory: KernelMemory) {
    this.#memory = memory;
  }

  /** Bytes in use. */
  get used(): number {
    return [...this.#sizes.values()].reduce((sum, size) => sum + size, 0);
  }

  /** @returns The address of `bytes` uninitialized bytes, a multiple of 64. */
  allocate(bytes: number): number {
    const size = Math.max(GRAIN, Math.ceil(bytes / GRAIN) * GRAIN);
    const index = this.#gaps.findIndex(({ start, end }) => end - start >= size);
    const gap = this.#gaps[index]!;
    const address = gap.start;
    if (!(address + size <= LIMIT)) {
      throw new RenderError('The scene and the frame exceed the memory of the software renderer.', {
        code: 'OUT_OF_MEMORY',
        value: bytes,
        expected: 'at most 1 GiB for textures, geometries and frames together',
        hint: 'use smaller textures or frames, or dispose of geometries and textures that are no longer drawn',
      });
    }
    gap.start += size;
    if (gap.start === gap.end) this.#gaps.splice(index, 1);
    this.#sizes.set(address, size);
    this.#memory.reserve(address + size);
    return address;
  }

  free(address: number): void {
    const size = this.#sizes.get(address);
    if (size === undefined) return;
    this.#sizes.delete(address);
    const index = this.#gaps.findIndex(({ start }) => start > address);
    this.#gaps.splice(index, 0, { start: address, end: address + size });
    for (const at of [index, index - 1]) {
      const [left, right] = [this.#gaps[at], this.#gaps[at + 1]];
      if (left && right && left.end === right.start) this.#gaps.splice(at, 2, { start: left.start, end: right.end });
    }
  }
}
