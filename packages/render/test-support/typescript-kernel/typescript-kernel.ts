/**
 * The kernel in plain TypeScript: the reference that the WebAssembly kernel equals byte for byte. Single-precision steps are
 * rounded with `Math.fround`, as in SIMD.
 */
import type { Kernel } from '../../src/soft/kernel.js';
import { FRAME, TILE_BYTES, TILE_EMPTY } from '../../src/soft/layout.js';
import { Coverage } from './coverage.js';
import { TypescriptMemory } from './memory.js';
import { Shading } from './shading.js';
import { transformVertices } from './vertices.js';

export function createTypescriptKernel(): Kernel {
  const memory = new TypescriptMemory();
  const coverage = new Coverage(memory);
  const shading = new Shading(memory);
  return {
    memory,
    begin(frame) {
      const { i32, f32 } = memory;
      const count = i32[(frame + FRAME.tilesX) >> 2]! * i32[(frame + FRAME.tilesY) >> 2]!;
      const tiles = i32[(frame + FRAME.tiles) >> 2]! >> 2;
      i32[(frame + FRAME.primitiveCount) >> 2] = 0;
      for (let tile = tiles; tile < tiles + count * (TILE_BYTES >> 2); tile += TILE_BYTES >> 2) {
        i32[tile] = TILE_EMPTY;
        f32[tile + 1] = -1;
        f32[tile + 2] = -1;
      }
    },
    draw(frame, call) {
      transformVertices(memory, call, memory.i32[(frame + FRAME.vertices) >> 2]!);
      coverage.drawAll(frame, call);
    },
    finish: (frame) => shading.shadeAll(frame),
  };
}
