/** Validation of pictures. */
import type { Image } from '../image.js';
import { ImageInvalidError } from './image-error.js';

/** A complete picture: positive whole sizes, 1, 3 or 4 channels, and one byte per pixel and channel. */
export function isImage(value: unknown): value is Image {
  if (typeof value !== 'object' || value === null) return false;
  const { data, height, width, channels } = value as Partial<Image>;
  return (
    data instanceof Uint8Array &&
    isSize(height) &&
    isSize(width) &&
    (channels === 1 || channels === 3 || channels === 4) &&
    data.length === height * width * channels
  );
}

/** @throws {ImageInvalidError} `IMAGE_INVALID`, with the sizes found. */
export function assertImage(value: unknown): asserts value is Image {
  if (isImage(value)) return;
  const { data, height, width, channels } = (value ?? {}) as Partial<Image>;
  throw new ImageInvalidError(
    `Invalid picture: height ${height}, width ${width}, channels ${channels}, ${data?.length ?? 'no'} bytes.`,
    { expected: '{ data: Uint8Array of height * width * channels bytes, height, width, channels: 1 | 3 | 4 }' },
  );
}

function isSize(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) > 0;
}
