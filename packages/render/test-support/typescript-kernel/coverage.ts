/**
 * Finds the samples that primitives cover and where each is the nearest surface.
 *
 * Coverage is stored per tile of 8 x 8 pixels. A tile covered by one primitive is a single number; only tiles crossed
 * by an edge or a change in depth order store their samples (`samples.ts`). Shading happens later.
 */
import type { KernelMemory } from '../../src/soft/kernel.js';
import { DRAW, FRAME, PRIMITIVE_BYTES, SURFACE, TILE, TILE_BYTES, TILE_EMPTY } from '../../src/soft/layout.js';
import { Primitive } from './primitive.js';
import { MARGIN, Samples } from './samples.js';

/** As `MARGIN` for depth, relative. */
const DEPTH_MARGIN = 1e-6;

/** Draws one primitive at a time; each kernel reuses one instance. */
export class Coverage {
  readonly #memory: KernelMemory;
  readonly #primitive: Primitive;
  readonly #samples: Samples;

  constructor(memory: KernelMemory) {
    this.#memory = memory;
    this.#primitive = new Primitive(memory);
    this.#samples = new Samples(memory, this.#primitive);
  }

  /** Draws all primitives of a draw call; its vertices must be transformed. */
  drawAll(frame: number, call: number): void {
    const { i32 } = this.#memory;
    const count = i32[(call + DRAW.primitiveCount) >> 2]!;
    let primitive = i32[(call + DRAW.primitives) >> 2]! >> 2;
    for (let index = 0; index < count; index += 1, primitive += PRIMITIVE_BYTES >> 2) {
      if (this.#primitive.setUp(frame, call, primitive)) this.#drawTiles();
    }
  }

  #drawTiles(): void {
    const primitive = this.#primitive;
    const { edge } = primitive;
    const firstColumn = Math.floor(primitive.minX / TILE);
    const tilesX = this.#memory.i32[(primitive.frame + FRAME.tilesX) >> 2]!;
    const tilesY = this.#memory.i32[(primitive.frame + FRAME.tilesY) >> 2]!;
    const lastColumn = Math.min(Math.floor(primitive.maxX / TILE), tilesX - 1);
    const lastRow = Math.min(Math.floor(primitive.maxY / TILE), tilesY - 1);
    for (let row = Math.floor(primitive.minY / TILE); row <= lastRow; row += 1) {
      let first = firstColumn;
      let last = lastColumn;
      let firstFull = firstColumn;
      let lastFull = lastColumn;
      for (let index = 0; index < primitive.edges; index += 1) {
        const a = edge[index * 3]!;
        const b = edge[index * 3 + 1]!;
        const here = b * (row * TILE) + edge[index * 3 + 2]!;
        const stepX = a * TILE;
        const stepY = b * TILE;
        const most = here + (a > 0 ? stepX : 0) + (b > 0 ? stepY : 0) + MARGIN;
        const least = here + (a > 0 ? 0 : stepX) + (b > 0 ? 0 : stepY) - MARGIN;
        if (stepX > 1e-8) {
          first = Math.max(first, Math.ceil(-most / stepX));
          firstFull = Math.max(firstFull, Math.ceil(-least / stepX));
        } else if (stepX < -1e-8) {
          last = Math.min(last, Math.floor(-most / stepX));
          lastFull = Math.min(lastFull, Math.floor(-least / stepX));
        } else {
          if (!(most >= 0)) last = -1;
          if (!(least >= 0)) lastFull = -1;
        }
      }
      for (let column = first; column <= last; column += 1) {
        this.#drawTile(column, row, column >= firstFull && column <= lastFull);
      }
    }
  }

  #drawTile(column: number, row: number, full: boolean): void {
    const { i32, f32, f64 } = this.#memory;
    const primitive = this.#primitive;
    const { frame } = primitive;
    const index = row * i32[(frame + FRAME.tilesX) >> 2]! + column;
    const tile = (i32[(frame + FRAME.tiles) >> 2]! + index * TILE_BYTES) >> 2;
    const state = i32[tile]!;
    const x = column * TILE;
    const y = row * TILE;
    const stepX = primitive.nearnessX * TILE;
    const stepY = primitive.nearnessY * TILE;
    const origin = primitive.nearnessX * x + primitive.nearnessY * y + primitive.nearness0;
    const nearest = origin + Math.max(stepX, 0) + Math.max(stepY, 0);
    const farthest = origin + Math.min(stepX, 0) + Math.min(stepY, 0);

    if (state >= 0) {
      // The difference of two planes is largest and smallest at corners.
      const other = (i32[(frame + FRAME.primitives) >> 2]! + state * SURFACE.size + SURFACE.nearness) >> 3;
      const apartX = stepX - f64[other]! * TILE;
      const apartY = stepY - f64[other + 1]! * TILE;
      const apart = origin - (f64[other]! * x + f64[other + 1]! * y + f64[other + 2]!);
      const most = apart + Math.max(apartX, 0) + Math.max(apartY, 0);
      const least = apart + Math.min(apartX, 0) + Math.min(apartY, 0);
      const margin = DEPTH_MARGIN * (Math.abs(nearest) + Math.abs(farthest));
      if (most < -margin) return;
      if (full && least > margin) {
        this.#cover(tile, nearest, farthest);
        return;
      }
    } else if (full && (state === TILE_EMPTY || farthest > f32[tile + 1]! * (1 + DEPTH_MARGIN))) {
      this.#cover(tile, nearest, farthest);
      return;
    } else if (nearest < f32[tile + 2]! * (1 - DEPTH_MARGIN)) {
      return; // behind everything in the tile
    }
    this.#samples.draw(index, tile, x, y, full, nearest);
  }

  #cover(tile: number, nearest: number, farthest: number): void {
    const { i32, f32 } = this.#memory;
    i32[tile] = this.#primitive.record();
    f32[tile + 1] = nearest;
    f32[tile + 2] = farthest;
  }
}
