/**
 * Bilinear resizing with antialiasing, byte for byte equal to `Image.resize(size, BILINEAR)` of Pillow 9 to 11. (Pillow 13
 * resizes columns first for some shapes, which changes some bytes by one.)
 *
 * Vision-language models were trained on pictures resized this way; plain four-neighbor bilinear gives different
 * pixels. Two passes (rows, then columns) in 22-bit fixed point, hence equal on every machine. Colors of RGBA pictures
 * are weighted by alpha. Rules: Pillow, `src/libImaging/Resample.c`; `images.test.ts` pins its output.
 */
import type { Image } from '../image.js';
import { ImageInvalidError } from './image-error.js';
import { assertImage } from './is-image.js';

const PRECISION_BITS = 22;

/** The source pixels of each target pixel along one axis, and their fixed-point weights. */
interface Weights {
  /** First source pixel per target pixel. */
  readonly starts: Int32Array;
  readonly counts: Int32Array;
  /** `size` weights per target pixel, the first `counts[i]` in use. */
  readonly weights: Int32Array;
  readonly size: number;
}

/** @throws {ImageInvalidError} for a target without pixels. The result is always a new picture. */
export function resizeImage<Channels extends 1 | 3 | 4>(
  image: Image<Channels>,
  { height, width }: { readonly height: number; readonly width: number },
): Image<Channels> {
  assertImage(image);
  if (!(Number.isInteger(height) && height > 0 && Number.isInteger(width) && width > 0)) {
    throw new ImageInvalidError(`Cannot resize to ${height} by ${width}.`, {
      value: [height, width],
      expected: 'a positive whole height and width, in pixels',
    });
  }
  const { channels } = image;
  if (height === image.height && width === image.width) return { ...image, data: new Uint8Array(image.data) };

  let data: Uint8Array = channels === 4 ? premultiplied(image.data) : image.data;
  if (width !== image.width) data = resizeRows(data, image.height, image.width, width, channels);
  if (height !== image.height) data = resizeColumns(data, image.height, height, width * channels);
  return { data: channels === 4 ? unpremultiplied(data) : data, height, width, channels };
}

function triangleWeights(from: number, to: number): Weights {
  const scale = from / to;
  const support = Math.max(scale, 1);
  const size = Math.ceil(support) * 2 + 1;
  const starts = new Int32Array(to);
  const counts = new Int32Array(to);
  const weights = new Int32Array(to * size);
  const exact = new Float64Array(size);
  for (let i = 0; i < to; i++) {
    const center = (i + 0.5) * scale;
    const start = Math.max(Math.trunc(center - support + 0.5), 0);
    const count = Math.min(Math.trunc(center + support + 0.5), from) - start;
    let sum = 0;
    for (let k = 0; k < count; k++) {
      exact[k] = Math.max(1 - Math.abs((k + start - center + 0.5) * (1 / support)), 0);
      sum += exact[k]!;
    }
    for (let k = 0; k < count; k++) weights[i * size + k] = Math.trunc(0.5 + (exact[k]! / sum) * 2 ** PRECISION_BITS);
    starts[i] = start;
    counts[i] = count;
  }
  return { starts, counts, weights, size };
}

function resizeRows(data: Uint8Array, height: number, from: number, to: number, channels: number): Uint8Array {
  const { starts, counts, weights, size } = triangleWeights(from, to);
  const result = new Uint8Array(height * to * channels);
  for (let x = 0; x < to; x++) {
    const first = starts[x]! * channels;
    const last = first + counts[x]! * channels;
    for (let y = 0; y < height; y++) {
      for (let c = 0; c < channels; c++) {
        let sum = 1 << (PRECISION_BITS - 1);
        const row = y * from * channels + c;
        for (let source = first, k = x * size; source < last; source += channels, k++) {
          sum += data[row + source]! * weights[k]!;
        }
        result[(y * to + x) * channels + c] = toByte(sum);
      }
    }
  }
  return result;
}

function resizeColumns(data: Uint8Array, from: number, to: number, stride: number): Uint8Array {
  const { starts, counts, weights, size } = triangleWeights(from, to);
  const result = new Uint8Array(to * stride);
  const sums = new Int32Array(stride);
  for (let y = 0; y < to; y++) {
    sums.fill(1 << (PRECISION_BITS - 1));
    // whole rows at a time, in memory order: faster than pixel by pixel
    for (let k = 0; k < counts[y]!; k++) {
      const weight = weights[y * size + k]!;
      const source = (starts[y]! + k) * stride;
      for (let x = 0; x < stride; x++) sums[x]! += data[source + x]! * weight;
    }
    for (let x = 0; x < stride; x++) result[y * stride + x] = toByte(sums[x]!);
  }
  return result;
}

function toByte(fixed: number): number {
  return Math.min(fixed >> PRECISION_BITS, 255);
}

function premultiplied(data: Uint8Array): Uint8Array {
  const result = new Uint8Array(data);
  for (let i = 0; i < data.length; i += 4) {
    const alpha = data[i + 3]!;
    for (let c = 0; c < 3; c++) {
      const product = data[i + c]! * alpha + 128;
      result[i + c] = ((product >> 8) + product) >> 8; // product / 255, rounded
    }
  }
  return result;
}

function unpremultiplied(data: Uint8Array): Uint8Array {
  const result = new Uint8Array(data);
  for (let i = 0; i < data.length; i += 4) {
    const alpha = data[i + 3]!;
    if (alpha === 0 || alpha === 255) continue;
    for (let c = 0; c < 3; c++) result[i + c] = Math.min(Math.trunc((255 * data[i + c]!) / alpha), 255);
  }
  return result;
}
