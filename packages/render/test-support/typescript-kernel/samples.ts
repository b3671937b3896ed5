/**
 * The samples of a tile that an edge or a change in depth order crosses: which of them the primitive covers, and where it
 * is the nearest.
 */
import type { KernelMemory } from '../../src/soft/kernel.js';
import { FRAME, SURFACE, TILE, TILE_SPLIT } from '../../src/soft/layout.js';
import type { Primitive } from './primitive.js';

const { fround } = Math;

/** Sample positions in a pixel: the usual rotated grid, or the center for one sample. */
const SAMPLE_X = [0.375, 0.875, 0.125, 0.625] as const;
const SAMPLE_Y = [0.125, 0.375, 0.625, 0.875] as const;

/** Tiles whose corners are within this distance of an edge, in pixels, are tested sample by sample. */
export const MARGIN = 1e-4;
/** The smallest positive number, the threshold of exclusive edges: samples on them belong to the neighbor. */
const TINY = fround(1.4e-45);

/** Draws into one tile at a time; each kernel reuses one instance. */
export class Samples {
  readonly #memory: KernelMemory;
  readonly #primitive: Primitive;

  constructor(memory: KernelMemory, primitive: Primitive) {
    this.#memory = memory;
    this.#primitive = primitive;
  }

  /**
   * @param index  Number of the tile, whose state lies at `tile` and whose first pixel at x, y.
   * @param full   No edge crosses it.
   */
  draw(index: number, tile: number, x: number, y: number, full: boolean, nearest: number): void {
    const { i32, f32 } = this.#memory;
    const primitive = this.#primitive;
    const samples = i32[(primitive.frame + FRAME.samples) >> 2]!;
    const groupWords = samples * 8;
    const data = (i32[(primitive.frame + FRAME.sampleData) >> 2]! >> 2) + index * 16 * groupWords;

    // Edges that cross the tile.
    const crossing: number[] = [];
    for (let each = 0; each < primitive.edges && !full; each += 1) {
      const a = primitive.edge[each * 3]!;
      const b = primitive.edge[each * 3 + 1]!;
      const here = a * x + b * y + primitive.edge[each * 3 + 2]!;
      const least = here + (a > 0 ? 0 : a * TILE) + (b > 0 ? 0 : b * TILE);
      if (!(least >= MARGIN)) {
        const most = here + (a > 0 ? a * TILE : 0) + (b > 0 ? b * TILE : 0);
        if (!(most >= -MARGIN)) return;
        const inclusive = a > 0 || (a === 0 && b > 0);
        crossing.push(fround(here), fround(a), fround(b), inclusive ? 0 : TINY);
      }
    }
    const state = i32[tile]!;
    if (state !== TILE_SPLIT) this.#split(tile, data, x, y, samples);
    const surface = primitive.record();

    const stepX = fround(primitive.nearnessX);
    const stepY = fround(primitive.nearnessY);
    const origin = fround(primitive.nearnessX * x + primitive.nearnessY * y + primitive.nearness0);
    // Groups that overlap the bounds.
    const firstRow = Math.max(Math.floor(primitive.minY - y), 0);
    const lastRow = Math.min(Math.floor(primitive.maxY - y), TILE - 1);
    const firstHalf = primitive.minX - x < 4 ? 0 : 1;
    const lastHalf = primitive.maxX - x < 4 ? 0 : 1;
    const all = lastRow - firstRow === TILE - 1 && firstHalf !== lastHalf;
    let farthest = Number.POSITIVE_INFINITY;
    for (let group = firstRow * 2; group < lastRow * 2 + 2; group += 1) {
      if ((group & 1) < firstHalf || (group & 1) > lastHalf) continue;
      const groupX = (group & 1) * 4;
      const groupY = group >> 1;
      const at = data + group * groupWords;
      for (let sample = 0; sample < samples; sample += 1) {
        const sampleX = samples === 4 ? SAMPLE_X[sample]! : 0.5;
        const sampleY = samples === 4 ? SAMPLE_Y[sample]! : 0.5;
        for (let lane = 0; lane < 4; lane += 1) {
          const inX = fround(lane + sampleX);
          let inside = true;
          for (let each = 0; each < crossing.length; each += 4) {
            const a = crossing[each + 1]!;
            const b = crossing[each + 2]!;
            const start = fround(fround(crossing[each]! + fround(a * inX)) + fround(b * sampleY));
            const value = fround(start + fround(fround(a * groupX) + fround(b * groupY)));
            inside &&= value >= crossing[each + 3]!;
          }
          const start = fround(fround(origin + fround(stepX * inX)) + fround(stepY * sampleY));
          const nearness = fround(start + fround(fround(stepX * groupX) + fround(stepY * groupY)));
          const place = at + sample * 4 + lane;
          if (inside && nearness > f32[place]!) {
            f32[place] = nearness;
            i32[place + samples * 4] = surface;
          }
          if (f32[place]! < farthest) farthest = f32[place]!;
        }
      }
    }
    f32[tile + 1] = Math.max(f32[tile + 1]!, fround(nearest));
    if (all) f32[tile + 2] = farthest;
  }

  /** Expands an empty tile, or a tile of one surface, to separate samples. */
  #split(tile: number, data: number, x: number, y: number, samples: number): void {
    const { i32, f32, f64 } = this.#memory;
    const state = i32[tile]!;
    i32[tile] = TILE_SPLIT;
    const groupWords = samples * 8;
    let stepX = 0;
    let stepY = 0;
    let origin = -1;
    if (state >= 0) {
      const surface =
        (i32[(this.#primitive.frame + FRAME.primitives) >> 2]! + state * SURFACE.size + SURFACE.nearness) >> 3;
      stepX = fround(f64[surface]!);
      stepY = fround(f64[surface + 1]!);
      origin = fround(f64[surface]! * x + f64[surface + 1]! * y + f64[surface + 2]!);
    }
    for (let group = 0; group < 16; group += 1) {
      const groupX = (group & 1) * 4;
      const groupY = group >> 1;
      for (let sample = 0; sample < samples; sample += 1) {
        const sampleX = samples === 4 ? SAMPLE_X[sample]! : 0.5;
        const sampleY = samples === 4 ? SAMPLE_Y[sample]! : 0.5;
        for (let lane = 0; lane < 4; lane += 1) {
          const place = data + group * groupWords + sample * 4 + lane;
          const start = fround(fround(origin + fround(stepX * fround(lane + sampleX))) + fround(stepY * sampleY));
          f32[place] = fround(start + fround(fround(stepX * groupX) + fround(stepY * groupY)));
          i32[place + samples * 4] = state;
        }
      }
    }
  }
}
