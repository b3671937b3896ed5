/** What the host needs of a kernel, the code that turns draw calls into pixels: its memory and three functions. */

/** Linear memory; the views are replaced when it grows. */
export interface KernelMemory {
  readonly u8: Uint8Array;
  readonly i16: Int16Array;
  readonly i32: Int32Array;
  readonly f32: Float32Array;
  readonly f64: Float64Array;
  /** Makes the memory at least this long; what it holds stays. */
  reserve(bytes: number): void;
}

/** All addresses are those of records in `layout.ts`. A kernel keeps nothing outside its memory. */
export interface Kernel {
  readonly name: 'wasm' | 'typescript';
  readonly memory: KernelMemory;
  /** Empties all tiles. */
  begin(frame: number): void;
  /** Decides which samples the primitives of a draw call cover. */
  draw(frame: number, call: number): void;
  /** Shades what is visible and writes the outputs. */
  finish(frame: number): void;
}

/** The first address that the host may use; below it lies what the kernel keeps for one call. */
export const HEAP_START = 65_536;
