/**
 * Colors of one surface at four pixels of a row: its texture times its light.
 *
 * The level of detail is chosen at the middle of the four pixels; for the fast filter, at the middle of the tile.
 */
import type { KernelMemory } from '../../src/soft/kernel.js';
import { FRAME, LIGHT_STEPS, SURFACE, TILE } from '../../src/soft/layout.js';
import { TextureFilter } from './texture-filter.js';

const { fround } = Math;
const HALF = 0.5;

/** a * b / 32768, rounded to nearest: `i16x8.q15mulr_sat_s`. */
const scale15 = (a: number, b: number) => (a * b + 0x4000) >> 15;

export class SurfaceColors {
  /** RGBA of the last four shaded pixels. */
  readonly pixels = new Uint8Array(16);
  readonly #memory: KernelMemory;
  readonly #filter: TextureFilter;
  #frame = 0;
  /** Lower bound of 1/w in attribute lookups: a pixel's center may lie outside the surface that it partly shows. */
  #leastInverseW = 0;
  /** Light on the four pixels, RGBA as multiples of 1/32767. */
  readonly #factor = new Int32Array(16);

  constructor(memory: KernelMemory) {
    this.#memory = memory;
    this.#filter = new TextureFilter(memory);
  }

  begin(frame: number): void {
    this.#frame = frame;
    const { i32, f64 } = this.#memory;
    const orthographic = i32[(frame + FRAME.orthographic) >> 2]!;
    this.#leastInverseW = fround(orthographic ? 0.5 : 0.5 / f64[(frame + FRAME.far) >> 3]!);
  }

  /** Colors of a surface at the centers of the pixels x to x + 3. */
  shade(surface: number, x: number, y: number): void {
    const { i32, i16, f64 } = this.#memory;
    if (surface < 0) {
      this.#fill(i32[(this.#frame + FRAME.clearColor) >> 2]!);
      return;
    }
    const address = i32[(this.#frame + FRAME.primitives) >> 2]! + surface * SURFACE.size;
    const texture = i32[(address + SURFACE.texture) >> 2]!;
    const shaded = i32[(address + SURFACE.shaded) >> 2]!;
    if (!texture && !shaded) {
      this.#fill(i32[(address + SURFACE.flatColor) >> 2]!);
      return;
    }
    // Planes start at the center of the tile's first pixel; from there, single precision as in SIMD.
    const step = (plane: number, axis: 0 | 1) => fround(f64[((address + plane) >> 3) + axis]!);
    const row = y & (TILE - 1);
    const valueIn = (plane: number, column: number, line: number) => {
      const at = (address + plane) >> 3;
      const tileX = (x & -TILE) + 0.5;
      const tileY = (y & -TILE) + 0.5;
      const corner = fround(f64[at]! * tileX + f64[at + 1]! * tileY + f64[at + 2]!);
      const across = fround(corner + fround(step(plane, 0) * column));
      return fround(across + fround(step(plane, 1) * line));
    };
    const valueAt = (plane: number, lane: number) => valueIn(plane, (x & (TILE - 1)) + lane, row);
    const farOf = (inverseW: number) => fround(1 / Math.max(inverseW, this.#leastInverseW));
    const distance = (lane: number) => farOf(valueAt(SURFACE.inverseW, lane));

    for (let channel = 0; channel < 3; channel += 1) {
      const plane = SURFACE.red + channel * 24;
      for (let lane = 0; lane < 4; lane += 1) {
        if (shaded) {
          const value = fround(valueAt(plane, lane) * distance(lane));
          const unit = Math.min(Math.max(value, 0), 1);
          this.#factor[lane * 4 + channel] = Math.trunc(fround(fround(unit * 32767) + HALF));
        } else {
          this.#factor[lane * 4 + channel] = i16[(address + SURFACE.flatFactor) / 2 + channel]!;
        }
      }
    }
    if (!texture) {
      for (let lane = 0; lane < 4; lane += 1) this.#writePixel(lane, LIGHT_STEPS, LIGHT_STEPS, LIGHT_STEPS);
      return;
    }

    const fast = i32[(this.#frame + FRAME.fast) >> 2] === 1;
    const [middleX, middleY] = fast ? [3.5, 3.5] : [(x & (TILE - 1)) + 1.5, row];
    const far = farOf(valueIn(SURFACE.inverseW, middleX, middleY));
    const uMiddle = fround(valueIn(SURFACE.u, middleX, middleY) * far);
    const vMiddle = fround(valueIn(SURFACE.v, middleX, middleY) * far);
    const [uX, vX] = [step(SURFACE.u, 0), step(SURFACE.v, 0)];
    const [inverseWX, inverseWY] = [step(SURFACE.inverseW, 0), step(SURFACE.inverseW, 1)];
    const filter = this.#filter;
    const level = filter.levelOfDetail(
      texture,
      fround(fround(uX - fround(uMiddle * inverseWX)) * far),
      fround(fround(vX - fround(vMiddle * inverseWX)) * far),
      fround(fround(step(SURFACE.u, 1) - fround(uMiddle * inverseWY)) * far),
      fround(fround(step(SURFACE.v, 1) - fround(vMiddle * inverseWY)) * far),
    );
    for (let lane = 0; lane < 4; lane += 1) {
      const far = distance(lane);
      const u = fround(valueAt(SURFACE.u, lane) * far);
      const v = fround(valueAt(SURFACE.v, lane) * far);
      if (fast) filter.takeTexel(texture, level, u, v);
      else filter.lookUp(texture, level, u, v);
      this.#writePixel(lane, filter.red, filter.green, filter.blue);
    }
  }

  #fill(color: number): void {
    for (let lane = 0; lane < 4; lane += 1) {
      this.pixels[lane * 4] = color;
      this.pixels[lane * 4 + 1] = color >> 8;
      this.pixels[lane * 4 + 2] = color >> 16;
      this.pixels[lane * 4 + 3] = color >> 24;
    }
  }

  /** Texture times light, both in multiples of about 1/32767, in bytes of the output color space. */
  #writePixel(lane: number, red: number, green: number, blue: number): void {
    const { i32, u8 } = this.#memory;
    const encoding = i32[(this.#frame + FRAME.encoding) >> 2]!;
    const byte = (light: number) => (encoding ? u8[encoding + light]! : (light + 64) >> 7);
    const at = lane * 4;
    this.pixels[at] = byte(scale15(red, this.#factor[at]!));
    this.pixels[at + 1] = byte(scale15(green, this.#factor[at + 1]!));
    this.pixels[at + 2] = byte(scale15(blue, this.#factor[at + 2]!));
    this.pixels[at + 3] = 255;
  }
}
