/**
 * Computes colors and other outputs of the visible surfaces, in groups of four pixels of a row.
 *
 * Where surfaces meet in a pixel, each is shaded once at the pixel's center and weighted by the samples that it covers.
 */
import type { KernelMemory } from '../../src/soft/kernel.js';
import { FRAME, TILE, TILE_BYTES, TILE_EMPTY, TILE_SPLIT } from '../../src/soft/layout.js';
import { pack, writeOwners } from './outputs.js';
import { SurfaceColors } from './surface-colors.js';

export class Shading {
  readonly #memory: KernelMemory;
  readonly #colors: SurfaceColors;
  #frame = 0;
  readonly #owner = new Int32Array(4);
  readonly #ownerCount = new Int32Array(4);
  readonly #sum = new Int32Array(16);

  constructor(memory: KernelMemory) {
    this.#memory = memory;
    this.#colors = new SurfaceColors(memory);
  }

  shadeAll(frame: number): void {
    this.#frame = frame;
    this.#colors.begin(frame);
    const { i32 } = this.#memory;
    const tilesX = i32[(frame + FRAME.tilesX) >> 2]!;
    const tilesY = i32[(frame + FRAME.tilesY) >> 2]!;
    for (let row = 0; row < tilesY; row += 1) {
      for (let column = 0; column < tilesX; column += 1) this.#shadeTile(column, row, row * tilesX + column);
    }
    pack(this.#memory, frame);
  }

  #shadeTile(column: number, row: number, index: number): void {
    const { i32, u8 } = this.#memory;
    const { pixels } = this.#colors;
    const frame = this.#frame;
    const width = i32[(frame + FRAME.width) >> 2]!;
    const height = i32[(frame + FRAME.height) >> 2]!;
    const samples = i32[(frame + FRAME.samples) >> 2]!;
    const color = i32[(frame + FRAME.color) >> 2]!;
    const stride = i32[(frame + FRAME.tilesX) >> 2]! * TILE * 4;
    const state = i32[(i32[(frame + FRAME.tiles) >> 2]! + index * TILE_BYTES) >> 2]!;
    const data = (i32[(frame + FRAME.sampleData) >> 2]! >> 2) + index * 16 * samples * 8;
    const rows = Math.min(TILE, height - row * TILE);
    const groups = column * TILE + 4 < width ? 2 : 1;
    for (let groupY = 0; groupY < rows; groupY += 1) {
      for (let groupX = 0; groupX < groups; groupX += 1) {
        const x = column * TILE + groupX * 4;
        const y = row * TILE + groupY;
        const group = data + (groupY * 2 + groupX) * samples * 8;
        if (state === TILE_SPLIT) {
          this.#shadeSamples(group + samples * 4, samples, x, y, color !== 0);
        } else {
          this.#owner.fill(state);
          if (color) this.#colors.shade(state, x, y);
        }
        if (color) u8.set(pixels, color + y * stride + x * 4);
        writeOwners(this.#memory, frame, this.#owner, x, y);
      }
    }
  }

  /** Shades a group with separate samples; their surface numbers start at word `ids`. */
  #shadeSamples(ids: number, samples: number, x: number, y: number, color: boolean): void {
    const { i32 } = this.#memory;
    const { pixels } = this.#colors;
    const total = samples * 4;
    const share = 4 / samples;
    this.#sum.fill(0);
    this.#owner.fill(TILE_EMPTY);
    this.#ownerCount.fill(0);
    let done = 0;
    for (let start = 0; start < total; start += 1) {
      if ((done >> start) & 1) continue;
      const surface = i32[ids + start]!;
      const count = [0, 0, 0, 0];
      for (let sample = start; sample < total; sample += 1) {
        if (i32[ids + sample] === surface) {
          done |= 1 << sample;
          count[sample & 3]! += share;
        }
      }
      if (color) this.#colors.shade(surface, x, y);
      for (let lane = 0; lane < 4; lane += 1) {
        if (count[lane]! > this.#ownerCount[lane]!) {
          this.#ownerCount[lane] = count[lane]!;
          this.#owner[lane] = surface;
        }
        for (let byte = lane * 4; byte < lane * 4 + 4; byte += 1) {
          this.#sum[byte]! += pixels[byte]! * count[lane]!;
        }
      }
    }
    for (let byte = 0; byte < 16; byte += 1) pixels[byte] = (this.#sum[byte]! + 2) >> 2;
  }
}
