/** The interface of a kernel, the code that turns draw calls into pixels: its memory and three functions. */

/** Linear memory. Growing replaces the views. */
export interface KernelMemory {
  readonly u8: Uint8Array;
  readonly i16: Int16Array;
  readonly i32: Int32Array;
  readonly f32: Float32Array;
  readonly f64: Float64Array;
  /** Grows the memory to at least this size and keeps its content. */
  reserve(bytes: number): void;
}

/** All addresses point to records described in `layout.ts`. A kernel keeps no state outside its memory. */
export interface Kernel {
  readonly memory: KernelMemory;
  /** Clears all tiles. */
  begin(frame: number): void;
  /** Decides which samples the primitives of a draw call cover. */
  draw(frame: number, call: number): void;
  /** Shades what is visible and writes the outputs. */
  finish(frame: number): void;
}

/** The first address that the host may use; the kernel uses the memory below it during a call. */
export const HEAP_START = 65_536;
