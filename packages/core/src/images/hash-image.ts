/**
 * The name of a picture: a hash of its pixels, not of the file that stores them, so that it does not depend on the encoder.
 *
 * sha256 over the ASCII line `image/1 <height> <width> <channels>\n` and the bytes of `data`.
 */
import { builtin } from '../files/builtin.js';
import type { Image } from '../image.js';
import { assertImage } from './is-image.js';

/** @returns `sha256:` and 64 hexadecimal digits. @throws {ImageInvalidError} when sizes and bytes do not agree. */
export function hashImage(image: Image): string {
  assertImage(image);
  const { data, height, width, channels } = image;
  const hash = builtin('node:crypto').createHash('sha256');
  return `sha256:${hash.update(`image/1 ${height} ${width} ${channels}\n`).update(data).digest('hex')}`;
}
