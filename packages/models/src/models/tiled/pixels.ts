/**
 * Tiles to the patches that a vision transformer reads; deterministic, so that scoring sees what sampling saw.
 *
 * Bytes become numbers as in the Pillow processors of huggingface/transformers (`image_transforms.py`, `rescale` and
 * `normalize`): one rounding to float32 per operation.
 */
import type { Image } from '@vlgym/core';
import type { PixelConfig } from './config.js';

/** [channel][byte] */
function levelsOf({ mean, std, rescale, normalize }: PixelConfig): Float32Array[] {
  const { fround } = Math;
  return [0, 1, 2].map((channel) => {
    const [center, spread] = [fround(mean[channel]!), fround(std[channel]!)];
    return Float32Array.from({ length: 256 }, (_, byte) => {
      const scaled = rescale === null ? byte : fround(byte * rescale);
      return normalize ? fround(scaled - center) / spread : scaled;
    });
  });
}

export class PatchWriter {
  readonly #patch: number;
  readonly #levels: readonly Float32Array[];
  /** Patches per row and column of a tile; pixels behind the last whole one are not read. */
  readonly perSide: number;
  /** Numbers per patch: channels * patch * patch. */
  readonly patchLength: number;

  /** @param side  Pixels per row and column of a tile. */
  constructor(side: number, patch: number, pixels: PixelConfig) {
    this.#patch = patch;
    this.#levels = levelsOf(pixels);
    this.perSide = Math.floor(side / patch);
    this.patchLength = 3 * patch ** 2;
  }

  /** Numbers of a tile. */
  get tileLength(): number {
    return this.perSide ** 2 * this.patchLength;
  }

  /** [patches, channels, patch, patch] of each tile, in reading order. */
  write(tiles: readonly Image[]): Float32Array {
    const target = new Float32Array(tiles.length * this.tileLength);
    const patch = this.#patch;
    let next = 0;
    for (const { data, width, channels } of tiles)
      for (let row = 0; row < this.perSide; row += 1)
        for (let column = 0; column < this.perSide; column += 1)
          for (let channel = 0; channel < 3; channel += 1) {
            const levels = this.#levels[channel]!;
            // gray pictures show the same level on all three channels
            const source = channels === 1 ? 0 : channel;
            for (let y = row * patch; y < (row + 1) * patch; y += 1) {
              let pixel = (y * width + column * patch) * channels + source;
              for (let x = 0; x < patch; x += 1, pixel += channels) target[next++] = levels[data[pixel]!]!;
            }
          }
    return target;
  }
}

/** A part of a picture; what lies outside of it is black. */
export function crop(
  { data, height, width, channels }: Image,
  area: { readonly top: number; readonly left: number; readonly height: number; readonly width: number },
): Image {
  const part = new Uint8Array(area.height * area.width * channels);
  const first = Math.max(area.left, 0);
  const end = Math.min(area.left + area.width, width);
  for (let y = 0; y < area.height && end > first; y += 1) {
    const row = area.top + y;
    if (row < 0 || row >= height) continue;
    const pixels = data.subarray((row * width + first) * channels, (row * width + end) * channels);
    part.set(pixels, (y * area.width + first - area.left) * channels);
  }
  return { data: part, height: area.height, width: area.width, channels };
}
