/** Pictures in requests as PNG, and which picture the bytes of a request are: cassettes need not decode them. */
import type { Image } from '@vlgym/core';
import { encodePng } from '@vlgym/core/images';

const pictures = new WeakMap<Uint8Array, Image>();

/** The picture without loss. */
export function pngOf(image: Image): Uint8Array {
  const bytes = encodePng(image);
  pictures.set(bytes, image);
  return bytes;
}

/** The picture that `pngOf` made these bytes of; `undefined` for a copy, or for bytes of others. */
export const pictureOf = (bytes: Uint8Array): Image | undefined => pictures.get(bytes);
