/**
 * A small canvas for textures: tileable fields of numbers, and their conversion to colors.
 *
 * All random numbers come from the seeds of a recipe, so a texture has the same bytes on every machine.
 */
import type { RgbImage } from '@vlgym/core';

/** Red, green and blue from 0 to 255. */
export type Rgb = readonly [number, number, number];

/** Numbers over a grid, rows from the top. */
export interface Field {
  readonly width: number;
  readonly height: number;
  readonly data: Float32Array;
}

/** Mulberry32: numbers in [0, 1) from a 32-bit seed. For textures only, never for dynamics. */
export function pseudoRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export function field(width: number, height: number): Field {
  return { width, height, data: new Float32Array(width * height) };
}

/** Adds smooth tileable noise on `cellsX` by `cellsY` lattice points, from -amplitude to amplitude. */
export function addNoise(target: Field, cellsX: number, cellsY: number, seed: number, amplitude = 1): Field {
  const { width, height, data } = target;
  const random = pseudoRandom(seed);
  const lattice = new Float64Array(cellsX * cellsY);
  for (let index = 0; index < lattice.length; index += 1) lattice[index] = (2 * random() - 1) * amplitude;
  // Stretch the lattice rows to the full width, then interpolate between rows.
  const stretched = new Float64Array(width * cellsY);
  for (let x = 0; x < width; x += 1) {
    const [left, right, share] = step((x * cellsX) / width, cellsX);
    for (let row = 0; row < cellsY; row += 1) {
      const value = lattice[row * cellsX + left]!;
      stretched[row * width + x] = value + (lattice[row * cellsX + right]! - value) * share;
    }
  }
  for (let y = 0; y < height; y += 1) {
    const [low, high, share] = step((y * cellsY) / height, cellsY);
    const top = low * width;
    const bottom = high * width;
    const at = y * width;
    for (let x = 0; x < width; x += 1) {
      const value = stretched[top + x]!;
      data[at + x]! += value + (stretched[bottom + x]! - value) * share;
    }
  }
  return target;
}

/** Neighbors on the lattice and the smoothed share of the second. */
function step(position: number, cells: number): readonly [low: number, high: number, share: number] {
  const low = Math.floor(position);
  const t = position - low;
  return [low % cells, (low + 1) % cells, t * t * (3 - 2 * t)];
}

/** Independent noise in every pixel. */
function addGrain(target: Field, seed: number, amplitude = 1): Field {
  const random = pseudoRandom(seed);
  for (let index = 0; index < target.data.length; index += 1) target.data[index]! += (2 * random() - 1) * amplitude;
  return target;
}

/** One layer of noise: the distance of its lattice points in pixels (1 for grain), and its standard deviation. */
export type Layer = readonly [cellX: number, cellY: number, deviation: number];

/** The sum of independent layers; the sizes of their cells and their deviations are the texture's spectrum. */
export function layers(width: number, height: number, seed: number, spectrum: readonly Layer[]): Field {
  const target = field(width, height);
  for (const [index, [cellX, cellY, deviation]] of spectrum.entries()) {
    const layer = field(width, height);
    if (cellX === 1 && cellY === 1) addGrain(layer, seed + index);
    else addNoise(layer, Math.max(1, Math.round(width / cellX)), Math.max(1, Math.round(height / cellY)), seed + index);
    normalize(layer, deviation);
    for (let at = 0; at < target.data.length; at += 1) target.data[at]! += layer.data[at]!;
  }
  return target;
}

/** Light from the upper left on a surface whose heights are the field: the difference to the pixel up and left. */
export function relief({ width, height, data }: Field): Field {
  const lit = field(width, height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const upperLeft = ((y + height - 1) % height) * width + ((x + width - 1) % width);
      lit.data[y * width + x] = data[y * width + x]! - data[upperLeft]!;
    }
  }
  return lit;
}

/** Thin lines where the field crosses 0, from 0 to 1; `thin` is the half width in units of the field. */
export function veins(source: Field, thin: number): Field {
  const data = source.data.map((value) => Math.max(0, 1 - Math.abs(value) / thin));
  return { ...source, data };
}

/**
 * Distances in pixels to the nearest and the second nearest of `columns` x `columns` points, about one per cell.
 *
 * @param bend  Shifts positions by this many pixels, so that the borders of cells are not straight.
 */
export function cells(
  size: number,
  columns: number,
  seed: number,
  bend: Field,
): { readonly nearest: Field; readonly second: Field } {
  const random = pseudoRandom(seed);
  const points = Array.from({ length: columns * columns }, () => [0.1 + 0.8 * random(), 0.1 + 0.8 * random()] as const);
  const [nearest, second] = [field(size, size), field(size, size)];
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      const shift = bend.data[y * size + x]!;
      const [u, v] = [((x + shift) / size) * columns, ((y - shift) / size) * columns];
      let [first, next] = [Infinity, Infinity];
      for (let row = Math.floor(v) - 1; row <= Math.floor(v) + 1; row += 1) {
        for (let column = Math.floor(u) - 1; column <= Math.floor(u) + 1; column += 1) {
          const point = points[wrap(row, columns) * columns + wrap(column, columns)]!;
          const distance = (column + point[0] - u) ** 2 + (row + point[1] - v) ** 2;
          if (distance < first) [first, next] = [distance, first];
          else if (distance < next) next = distance;
        }
      }
      nearest.data[y * size + x] = (Math.sqrt(first) * size) / columns;
      second.data[y * size + x] = (Math.sqrt(next) * size) / columns;
    }
  }
  return { nearest, second };
}

/** Adds `depth` inside an ellipse, fading towards its rim, across the edges of the tile. */
export function addSpot(
  { width, height, data }: Field,
  [x, y]: readonly [number, number],
  [radiusX, radiusY]: readonly [number, number],
  depth: number,
): void {
  for (let dy = -Math.ceil(radiusY); dy <= radiusY; dy += 1) {
    for (let dx = -Math.ceil(radiusX); dx <= radiusX; dx += 1) {
      const share = 1 - (dx / radiusX) ** 2 - (dy / radiusY) ** 2;
      if (share <= 0) continue;
      data[wrap(Math.round(y) + dy, height) * width + wrap(Math.round(x) + dx, width)]! += depth * share;
    }
  }
}

/** The remainder, never negative. */
export const wrap = (position: number, length: number): number => ((position % length) + length) % length;

/** Shifts and scales to mean 0 and the given standard deviation. */
export function normalize(target: Field, deviation = 1): Field {
  const { data } = target;
  let sum = 0;
  for (let index = 0; index < data.length; index += 1) sum += data[index]!;
  const mean = sum / data.length;
  let squares = 0;
  for (let index = 0; index < data.length; index += 1) squares += (data[index]! - mean) * (data[index]! - mean);
  const variance = squares / data.length;
  const factor = variance > 0 ? deviation / Math.sqrt(variance) : 0;
  for (let index = 0; index < data.length; index += 1) data[index] = (data[index]! - mean) * factor;
  return target;
}

/** Adds a field to a base color in all three channels, weighted by `tint`. */
export function paint({ width, height, data }: Field, base: (index: number) => Rgb, tint: Rgb = [1, 1, 1]): RgbImage {
  // Uint8ClampedArray clamps and rounds.
  const pixels = new Uint8ClampedArray(3 * width * height);
  const [tintRed, tintGreen, tintBlue] = tint;
  for (let index = 0; index < data.length; index += 1) {
    const color = base(index);
    const value = data[index]!;
    pixels[3 * index] = color[0] + value * tintRed;
    pixels[3 * index + 1] = color[1] + value * tintGreen;
    pixels[3 * index + 2] = color[2] + value * tintBlue;
  }
  return { data: new Uint8Array(pixels.buffer), width, height, channels: 3 };
}

/** Shifts each channel to the mean `mean`, keeping the contrast. */
export function withMean(image: RgbImage, mean: Rgb): RgbImage {
  const { data } = image;
  const count = data.length / 3;
  const counts = new Int32Array(3 * 256);
  for (let index = 0; index < data.length; index += 3) {
    counts[data[index]!]! += 1;
    counts[256 + data[index + 1]!]! += 1;
    counts[512 + data[index + 2]!]! += 1;
  }
  // The new value for each old value of each channel.
  const values = Uint8Array.from(counts, (_, index) => index);
  for (let channel = 0; channel < 3; channel += 1) {
    const [from, to] = [256 * channel, 256 * (channel + 1)];
    // Two passes, because clamping at 0 or 255 shifts the mean again.
    for (let pass = 0; pass < 2; pass += 1) {
      let sum = 0;
      for (let index = from; index < to; index += 1) sum += values[index]! * counts[index]!;
      const shift = mean[channel]! - sum / count;
      for (let index = from; index < to; index += 1) values[index] = clampByte(values[index]! + shift);
    }
  }
  for (let index = 0; index < data.length; index += 3) {
    data[index] = values[data[index]!]!;
    data[index + 1] = values[256 + data[index + 1]!]!;
    data[index + 2] = values[512 + data[index + 2]!]!;
  }
  return image;
}

const clampByte = (value: number): number => Math.min(255, Math.max(0, Math.round(value)));
