/** Linear memory of the TypeScript kernel: one ArrayBuffer, copied to a larger one to grow. */
import { HEAP_START, type KernelMemory } from '../../src/soft/kernel.js';

export class TypescriptMemory implements KernelMemory {
  u8 = new Uint8Array(0);
  i16 = new Int16Array(0);
  i32 = new Int32Array(0);
  f32 = new Float32Array(0);
  f64 = new Float64Array(0);

  constructor() {
    this.reserve(HEAP_START);
  }

  reserve(bytes: number): void {
    if (bytes <= this.u8.length) return;
    const size = Math.ceil(Math.max(bytes, this.u8.length * 1.5) / 65_536) * 65_536;
    const grown = new Uint8Array(size);
    grown.set(this.u8);
    this.u8 = grown;
    this.i16 = new Int16Array(grown.buffer);
    this.i32 = new Int32Array(grown.buffer);
    this.f32 = new Float32Array(grown.buffer);
    this.f64 = new Float64Array(grown.buffer);
  }
}
