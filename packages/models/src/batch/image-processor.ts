/**
 * Pictures to the patches a vision encoder reads; deterministic, so that scoring sees what sampling saw.
 *
 * Rules of the Qwen-VL family: sides become multiples of patch * merge within limits on the number of pixels
 * (`smart_resize` of `huggingface/transformers`, models/qwen2_vl/image_processing_qwen2_vl.py), values are scaled to [0, 1]
 * and normalized, and patches come in blocks of merge × merge so that one block becomes one token. A picture of fitting
 * size is not resampled.
 */
import { GymError, type Image } from '@vlgym/core';
import { resizeImage } from '@vlgym/core/images';
import { roundHalfEven } from '@vlgym/core/internal';
import { onWhite } from './on-white.js';
import { ResizedPictures } from './resized-pictures.js';

/** The fields of a Qwen2-VL configuration that decide how pictures are read. */
export interface ImageProcessorConfig {
  readonly vision: {
    /** Side of a patch in pixels. */
    readonly patchSize: number;
    /** This many patches per side become one token. */
    readonly spatialMergeSize: number;
    /** A picture is repeated as this many frames. */
    readonly temporalPatchSize: number;
  };
  readonly image: {
    readonly minPixels: number;
    readonly maxPixels: number;
    /** Per channel, of values in [0, 1]. */
    readonly mean: readonly [number, number, number];
    readonly std: readonly [number, number, number];
    /** Default bilinear. */
    readonly resample?: 'bilinear' | 'bicubic' | undefined;
  };
}

/** Patches per column and row of a picture. */
export interface Grid {
  readonly rows: number;
  readonly columns: number;
}

/** A picture without pixels, or with one side over 200 times the other. */
export class ImageSizeError extends GymError {
  constructor({ height, width }: Pick<Image, 'height' | 'width'>) {
    super(`Invalid picture size: ${height} × ${width} pixels.`, {
      code: 'IMAGE_SIZE',
      value: { height, width },
      expected: 'at least one pixel, and no side over 200 times the other',
      hint: 'crop the picture, or pad it to a more even shape',
    });
  }
}

/** Height and width after resizing: multiples of `factor` with a number of pixels within the limits. */
export function smartResize(
  height: number,
  width: number,
  { factor, minPixels, maxPixels }: { factor: number; minPixels: number; maxPixels: number },
): { height: number; width: number } {
  if (!(Math.min(height, width) >= 1) || Math.max(height, width) / Math.min(height, width) > 200) {
    throw new ImageSizeError({ height, width });
  }
  const nearest = (side: number) => roundHalfEven(side / factor) * factor;
  const pixels = nearest(height) * nearest(width);
  if (pixels > maxPixels) {
    const shrink = Math.sqrt((height * width) / maxPixels);
    const side = (length: number) => Math.max(factor, Math.floor(length / shrink / factor) * factor);
    return { height: side(height), width: side(width) };
  }
  if (pixels < minPixels) {
    const grow = Math.sqrt(minPixels / (height * width));
    const side = (length: number) => Math.ceil((length * grow) / factor) * factor;
    return { height: side(height), width: side(width) };
  }
  return { height: nearest(height), width: nearest(width) };
}

/** Numbers of a batch whose memory is kept for the next one, 16 MB. */
const KEPT_NUMBERS = 2 ** 22;

export class ImageProcessor {
  readonly #patch: number;
  readonly #merge: number;
  readonly #frames: number;
  readonly #limits: { factor: number; minPixels: number; maxPixels: number };
  readonly #filter: 'bilinear' | 'bicubic';
  /** Processors of published models put transparent pictures on white. */
  readonly #onWhite: boolean;
  /** [channel][byte] normalized value. */
  readonly #levels: readonly Float32Array[];
  /** Numbers per patch: channels * frames * patch * patch. */
  readonly patchLength: number;
  readonly #kept = new ResizedPictures();
  #room = new Float32Array(0);

  constructor({ vision, image }: ImageProcessorConfig) {
    this.#patch = vision.patchSize;
    this.#merge = vision.spatialMergeSize;
    this.#frames = vision.temporalPatchSize;
    this.patchLength = 3 * this.#frames * this.#patch ** 2;
    this.#filter = image.resample ?? 'bilinear';
    this.#onWhite = this.#filter === 'bicubic';
    this.#limits = { ...image, factor: this.#patch * this.#merge };
    this.#levels = image.mean.map((mean, channel) => {
      const std = Math.fround(image.std[channel]!);
      const level = (byte: number) => Math.fround(Math.fround(byte * (1 / 255)) - Math.fround(mean)) / std;
      return Float32Array.from({ length: 256 }, (_, byte) => level(byte));
    });
  }

  /** The grid of a picture, which its size determines. @throws {ImageSizeError} */
  grid({ height, width }: Pick<Image, 'height' | 'width'>): Grid {
    const size = smartResize(height, width, this.#limits);
    return { rows: size.height / this.#patch, columns: size.width / this.#patch };
  }

  /** Tokens of the decoder for a grid. */
  tokens({ rows, columns }: Grid): number {
    return (rows * columns) / this.#merge ** 2;
  }

  /** Row and column of every patch, in the order in which patches are read: [patches * 2]. */
  positions({ rows, columns }: Grid): Int32Array {
    const merge = this.#merge;
    const result = new Int32Array(rows * columns * 2);
    let next = 0;
    for (let blockRow = 0; blockRow < rows; blockRow += merge)
      for (let blockColumn = 0; blockColumn < columns; blockColumn += merge)
        for (let row = blockRow; row < blockRow + merge; row += 1)
          for (let column = blockColumn; column < blockColumn + merge; column += 1) {
            result[next++] = row;
            result[next++] = column;
          }
    return result;
  }

  /** The picture in the size that the encoder reads; a picture that has it is returned as it is. @throws {ImageSizeError} */
  resized(image: Image): Image {
    if (this.#fits(image)) return image;
    const { height, width } = this.#size(image);
    const source = this.#onWhite ? onWhite(image) : image;
    return resizeImage(source, { height, width, filter: this.#filter });
  }

  #fits(image: Image): boolean {
    const { height, width } = this.#size(image);
    return image.height === height && image.width === width && !(this.#onWhite && image.channels === 4);
  }

  #size(image: Image): { height: number; width: number } {
    const { rows, columns } = this.grid(image);
    return { height: rows * this.#patch, width: columns * this.#patch };
  }

  /** The same, which nobody may write to. */
  #inSize(image: Image): Image {
    if (this.#fits(image)) return image;
    return this.#kept.get(image, (picture) => this.resized(picture));
  }

  /**
   * Zeros to write patches to, valid until the next call. A fresh array of this size for every batch would make the garbage
   * collector walk through its whole heap: it counts the memory outside of it.
   */
  room(count: number): Float32Array {
    if (count > KEPT_NUMBERS) return new Float32Array(count);
    if (this.#room.length < count) this.#room = new Float32Array(count);
    return this.#room.subarray(0, count).fill(0);
  }

  /** Writes the patches of `image` to `target` from `offset`: [patches, channels, frames, patch, patch]. */
  write(image: Image, target: Float32Array, offset: number): void {
    const grid = this.grid(image);
    const patch = this.#patch;
    const { data, width, channels } = this.#inSize(image);
    const positions = this.positions(grid);
    let next = offset;
    for (let i = 0; i < positions.length; i += 2) {
      const corner = (positions[i]! * width + positions[i + 1]!) * patch;
      for (let channel = 0; channel < 3; channel += 1) {
        const levels = this.#levels[channel]!;
        // gray pictures show the same level on all three channels; alpha that is still there is dropped
        const source = channels === 1 ? 0 : channel;
        for (let frame = 0; frame < this.#frames; frame += 1)
          for (let y = 0; y < patch; y += 1) {
            let pixel = (corner + y * width) * channels + source;
            for (let x = 0; x < patch; x += 1, pixel += channels) target[next++] = levels[data[pixel]!]!;
          }
      }
    }
  }
}
