/**
 * Memory that decoding a PNG file needs, estimated from its header: a small file can claim any size, and 16 bits per channel
 * need three times the memory of 8.
 */
import { ImageInvalidError } from './image-error.js';

/** Maximum size of a decoded picture, because a small file can claim any size; larger ones are not written either. */
export const MAX_PNG_PIXELS = 64 * 1024 * 1024;
/** Bytes of memory while one picture is decoded, and of the pixels of one message: 512 MiB. */
const MAX_PNG_MEMORY = 2 ** 29;

export interface PngShape {
  readonly width: number;
  readonly height: number;
  /** Bits of a sample: 1, 2, 4, 8 or 16. */
  readonly depth: number;
  /** 0 gray, 2 RGB, 3 palette, 4 gray with alpha, 6 RGBA. */
  readonly colorType: number;
}

/** Samples of a pixel in the file, and bytes of a pixel when it is decoded, transparency included. */
const SAMPLES: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 4, 4: 4, 6: 4 };
/** The inflated rows are there four times: once to check their length, in pieces, joined, and without filters. */
const COPIES = 4;

/** Bytes of the inflated rows. One filter byte per row; seven passes where interlaced. */
export function rowBytes({ width, height, depth, colorType }: PngShape): number {
  const line = Math.ceil((width * depth * (SAMPLES[colorType] ?? 4)) / 8);
  return line * height + 7 * (height + 8);
}

/** @param bytes  The data of `IHDR`. */
export function readShape(bytes: Uint8Array): PngShape {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { width: view.getUint32(0), height: view.getUint32(4), depth: bytes[8]!, colorType: bytes[9]! };
}

/** @throws {ImageInvalidError} Too many pixels, or decoding would take too much memory. */
export function refuseTooLarge(shape: PngShape, message: string, hint?: string): void {
  const { width, height, depth, colorType } = shape;
  const more = hint === undefined ? {} : { hint };
  const pixels = width * height;
  if (pixels > MAX_PNG_PIXELS || pixels === 0) {
    const expected = `at least one and at most ${MAX_PNG_PIXELS} pixels`;
    throw new ImageInvalidError(`${message}: ${width} by ${height} pixels.`, {
      value: [width, height],
      expected,
      ...more,
    });
  }
  const memory = COPIES * rowBytes(shape) + pixels * (CHANNELS[colorType] ?? 4);
  if (memory > MAX_PNG_MEMORY) {
    throw new ImageInvalidError(
      `${message}: ${width} by ${height} pixels of ${SAMPLES[colorType] ?? 4} times ${depth} bits take ${memory} bytes to decode.`,
      { value: memory, expected: `at most ${MAX_PNG_MEMORY} bytes of memory`, ...more },
    );
  }
}

/** Bytes of the decoded picture, from the start of a file; 0 for anything but a PNG file. */
function claimedBytes(file: Uint8Array): number {
  if (file.length < 33) return 0;
  const { width, height, colorType } = readShape(file.subarray(16, 29));
  return width * height * (CHANNELS[colorType] ?? 4);
}

/** The pictures of one message, row or episode share a bound: a few kilobytes each may claim 256 MB each. */
export class PictureBudget {
  readonly #bytes: number;
  #left: number;

  /** @param bytes  Maximum bytes of pixels. */
  constructor(bytes = MAX_PNG_MEMORY) {
    this.#bytes = bytes;
    this.#left = bytes;
  }

  /** @throws {ImageInvalidError} Together with those before, it is more than one message may have. */
  spend(file: Uint8Array): void {
    const bytes = claimedBytes(file);
    this.#left -= bytes;
    if (this.#left >= 0) return;
    throw new ImageInvalidError('The pictures are too large together.', {
      value: bytes,
      expected: `at most ${this.#bytes} bytes of pixels in one message, row or episode`,
      hint: 'send fewer or smaller pictures',
    });
  }
}
