/** Color to gray, as in Pillow's mode `L`. */
import type { Image } from '../image.js';
import { assertImage } from './is-image.js';

/**
 * Luma of ITU-R BT.601: 0.299 R + 0.587 G + 0.114 B in 16-bit fixed point, rounded. Alpha is ignored.
 *
 * @see Pillow, `src/libImaging/Convert.c`; `images.test.ts` compares with its output.
 */
export function grayscale(image: Image): Image<1> {
  assertImage(image);
  const { data, height, width, channels } = image;
  if (channels === 1) return { data: new Uint8Array(data), height, width, channels };
  const gray = new Uint8Array(height * width);
  for (let i = 0, from = 0; i < gray.length; i++, from += channels) {
    gray[i] = (data[from]! * 19595 + data[from + 1]! * 38470 + data[from + 2]! * 7471 + 0x8000) >> 16;
  }
  return { data: gray, height, width, channels: 1 };
}
