/**
 * Pictures as the decoder reads them, each encoded once: a frozen vision encoder gives the same tokens in sampling, in
 * scoring, in every epoch, for the agent, its teacher and its critic.
 *
 * A picture is known by the digest of its pixels. It is encoded alone, so that what comes out does not depend on which
 * pictures came with it or before it. The pictures that were not asked for the longest go first.
 */
import type { Image } from '@vlgym/core';
import { cat, keep, noGrad, type Tensor, tidy, tidyAsync } from '@vlgym/gpu';
import type { LanguageModel } from '../language-model.js';
import { bytesOf } from '../layers/bytes-of.js';
import { finished, inTurns } from '../layers/steps.js';
import { digestOfPicture } from './picture-digest.js';

const DEFAULT_BYTES = 2 ** 29;

export class PictureCache {
  readonly #model: LanguageModel;
  readonly #capacity: number;
  /** Least recently used first. */
  readonly #encoded = new Map<string, Tensor>();
  #bytes = 0;

  constructor(model: LanguageModel, capacity = DEFAULT_BYTES) {
    this.#model = model;
    this.#capacity = capacity;
  }

  /** The model can encode a picture alone, and there is room for some. */
  get isUsable(): boolean {
    return this.#capacity > 0 && this.#model.encodeImage !== undefined;
  }

  /** Bytes held. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Encodes what is not there yet, with turns of the event loop between the layers. Nothing if the model cannot. */
  async prefetch(images: readonly Image[]): Promise<void> {
    const model = this.#model;
    if (!model.encodeImage) return;
    for (const image of images) {
      const key = digestOfPicture(image);
      if (this.#encoded.has(key)) continue;
      this.#add(key, await tidyAsync(async () => keep((await inTurns(model.encodeImage!(image), noGrad)).clone())));
    }
  }

  /** [tokens of all pictures, features], one picture after the other without gaps. To be called inside a `tidy`. */
  encode(images: readonly Image[]): Tensor {
    const all = cat(
      images.map((image) => this.#get(image)),
      0,
    );
    this.#shrink();
    return all;
  }

  clear(): void {
    for (const tensor of this.#encoded.values()) tensor.dispose();
    this.#encoded.clear();
    this.#bytes = 0;
  }

  #get(image: Image): Tensor {
    const key = digestOfPicture(image);
    const known = this.#encoded.get(key);
    if (!known)
      return this.#add(
        key,
        noGrad(() => tidy(() => keep(finished(this.#model.encodeImage!(image)).clone()))),
      );
    // moved to the end: it is the most recently used
    this.#encoded.delete(key);
    this.#encoded.set(key, known);
    return known;
  }

  #add(key: string, tensor: Tensor): Tensor {
    this.#encoded.set(key, tensor);
    this.#bytes += bytesOf(tensor);
    return tensor;
  }

  #shrink(): void {
    for (const [key, tensor] of this.#encoded) {
      if (this.#bytes <= this.#capacity) return;
      this.#bytes -= bytesOf(tensor);
      tensor.dispose();
      this.#encoded.delete(key);
    }
  }
}
