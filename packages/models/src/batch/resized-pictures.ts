/**
 * Pictures in the size that an encoder reads, each resized once: sampling, scoring and every epoch of an update read the same
 * ones, and an update of `tiny` in a room spent 6 to 20 % of its time on it. A picture is known by the digest of its pixels.
 * Those that were not asked for the longest go first.
 */
import type { Image } from '@vlgym/core';
import { digestOfPicture } from './picture-digest.js';

const DEFAULT_BYTES = 2 ** 26;

export class ResizedPictures {
  readonly #capacity: number;
  /** Least recently used first. */
  readonly #resized = new Map<string, Image>();
  #bytes = 0;

  constructor(capacity = DEFAULT_BYTES) {
    this.#capacity = capacity;
  }

  /** @param resize  Makes the picture that is not there yet. @returns a picture that others read too. */
  get(image: Image, resize: (image: Image) => Image): Image {
    const key = digestOfPicture(image);
    const known = this.#resized.get(key);
    const resized = known ?? resize(image);
    if (known) this.#resized.delete(key);
    else this.#bytes += resized.data.length;
    this.#resized.set(key, resized); // at the end: it is the most recently used
    for (const [oldest, { data }] of this.#resized) {
      if (this.#bytes <= this.#capacity) break;
      this.#bytes -= data.length;
      this.#resized.delete(oldest);
    }
    return resized;
  }
}
