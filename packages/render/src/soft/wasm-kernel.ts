/** The WebAssembly kernel: one instance of the module in `kernel.generated.ts` per renderer. */

import { KERNEL } from './kernel.generated.js';
import { HEAP_START, type Kernel, type KernelMemory } from './kernel.js';

const PAGE = 65_536;

/** The used part of WebAssembly's types. TypeScript ships them with the DOM types, which this package does not load. */
interface Memory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}
interface WebAssemblyApi {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
}

interface Exports {
  readonly memory: Memory;
  begin(frame: number): void;
  draw(frame: number, call: number): void;
  finish(frame: number): void;
}

/** The compiled module, shared by all instances; it holds code and no state. */
let compiled: object | undefined;

/** @throws The error of WebAssembly if it or its SIMD is missing. */
export function createWasmKernel(): Kernel {
  const { Module, Instance } = (globalThis as unknown as { WebAssembly: WebAssemblyApi }).WebAssembly;
  compiled ??= new Module(Uint8Array.from(atob(KERNEL), (character) => character.charCodeAt(0)));
  const { memory, begin, draw, finish } = new Instance(compiled).exports as Exports;
  return { memory: new WasmMemory(memory), begin, draw, finish };
}

class WasmMemory implements KernelMemory {
  u8!: Uint8Array;
  i16!: Int16Array;
  i32!: Int32Array;
  f32!: Float32Array;
  f64!: Float64Array;
  readonly #memory: Memory;

  constructor(memory: Memory) {
    this.#memory = memory;
    this.#view();
    this.reserve(HEAP_START);
  }

  reserve(bytes: number): void {
    const missing = bytes - this.u8.length;
    if (missing <= 0) return;
    // Grow by more than requested, because each growth replaces all views.
    this.#memory.grow(Math.ceil(Math.max(missing, this.u8.length / 8) / PAGE));
    this.#view();
  }

  #view(): void {
    const { buffer } = this.#memory;
    this.u8 = new Uint8Array(buffer);
    this.i16 = new Int16Array(buffer);
    this.i32 = new Int32Array(buffer);
    this.f32 = new Float32Array(buffer);
    this.f64 = new Float64Array(buffer);
  }
}
