/**
 * Rows of unequal length as one batch: prompts padded on the left, responses on the right, so that every response
 * starts in the same column and a cache grows by one column for all rows.
 *
 * Padding has no influence on any row: the mask hides it, and positions count tokens without padding.
 */
import type { Image } from '@vlgym/core';
import { arange, type Tensor, tensor, zeros } from '@vlgym/gpu';
import type { LanguageModel, PlacedImages } from '../language-model.js';
import type { PictureCache } from './picture-cache.js';
import { ImageMissingError, type TokenLayout, type TokenRow } from './token-rows.js';

export interface TokenBatch extends TokenLayout {
  /** int64 [B, T]; column `promptLength` holds the first response token. */
  readonly ids: Tensor;
  readonly images: PlacedImages | null;
}

/** Makes batches for one model. */
export class BatchBuilder {
  readonly #model: LanguageModel;

  readonly #cache: PictureCache | null;

  /**
   * @param imageToken  Id that stands for one token of a picture.
   * @param cache       Keeps encoded pictures; null encodes those of every batch.
   */
  constructor(
    model: LanguageModel,
    readonly imageToken: number,
    cache: PictureCache | null = null,
  ) {
    this.#model = model;
    this.#cache = cache?.isUsable ? cache : null;
  }

  /**
   * Prompts and the first `responseLength` tokens of responses side by side.
   *
   * @throws {ImageMissingError}  A row has more or fewer picture tokens in its prompt than its pictures make.
   */
  tokens(rows: readonly TokenRow[], responseLength: number): TokenBatch {
    const promptLengths = rows.map(({ promptIds }) => promptIds.length);
    const promptLength = Math.max(...promptLengths);
    const width = promptLength + responseLength;
    const ids = new Int32Array(rows.length * width);
    for (const [i, { promptIds, responseIds }] of rows.entries()) {
      ids.set(promptIds, i * width + promptLength - promptIds.length);
      if (responseIds) ids.set(responseIds.subarray(0, responseLength), i * width + promptLength);
    }
    return {
      rows,
      ids: this.ints(ids, [rows.length, width]),
      images: this.#images(rows, promptLength, width),
      promptLength,
      promptLengths,
    };
  }

  /** Encodes the pictures of rows beforehand, in turns with other work; only where they are kept. */
  async prefetch(rows: readonly Pick<TokenRow, 'images'>[]): Promise<void> {
    await this.#cache?.prefetch([...new Set(rows.flatMap(({ images }) => images))]);
  }

  /**
   * Mask of a full forward over `width` columns, float [B, 1, width, width]; null when no row is padded on the left, and no
   * picture's tokens attend to those behind them. Padding attends to itself, so that it stays finite.
   */
  causalMask({ rows: tokenRows, promptLength, promptLengths }: TokenLayout, width: number): Tensor | null {
    const blocks = this.#model.seesWholePictures
      ? pictureBlocks(tokenRows, this.imageToken, promptLength, width)
      : null;
    if (!blocks && promptLengths.every((length) => length === promptLength)) return null;
    const rows = promptLengths.length;
    const { dtype, device } = this.#model;
    const columns = arange(0, width, 1, { dtype: 'int64', device });
    const keys = columns.view([1, 1, 1, width]);
    const queries = columns.view([1, 1, width, 1]);
    const starts = Int32Array.from(promptLengths, (length) => promptLength - length);
    const isPadding = keys.lt(this.ints(starts, [rows, 1, 1, 1]));
    const isUnseen = keys.gt(queries).logicalOr(isPadding).logicalAnd(keys.ne(queries));
    const isHidden = blocks ? isUnseen.logicalAnd(this.#sameBlock(blocks, [rows, 1, width]).logicalNot()) : isUnseen;
    return zeros([rows, 1, width, width], { dtype, device }).maskedFill(isHidden, Number.NEGATIVE_INFINITY);
  }

  /** Mask of a new token over `width` columns, float [B, 1, 1, width]; null when no row is padded. */
  keyMask({ promptLength, promptLengths }: TokenLayout, width: number): Tensor | null {
    if (promptLengths.every((length) => length === promptLength)) return null;
    const mask = new Float32Array(promptLengths.length * width);
    for (const [row, length] of promptLengths.entries())
      mask.fill(Number.NEGATIVE_INFINITY, row * width, row * width + promptLength - length);
    return this.floats(mask, [promptLengths.length, 1, 1, width]);
  }

  /** bool [B, 1, width, width]: both tokens belong to one picture. */
  #sameBlock(blocks: Int32Array, shape: readonly number[]): Tensor {
    const ids = this.ints(blocks, shape);
    const queries = ids.unsqueeze(3);
    return queries.eq(ids.unsqueeze(2)).logicalAnd(queries.ge(0));
  }

  ints(data: Int32Array, shape: readonly number[]): Tensor {
    return tensor(data, { shape, dtype: 'int64', device: this.#model.device });
  }

  /** Values in the dtype of the model. */
  floats(data: Float32Array | Float64Array, shape: readonly number[]): Tensor {
    return tensor(data, { shape, dtype: this.#model.dtype, device: this.#model.device });
  }

  #images(rows: readonly TokenRow[], promptLength: number, width: number): PlacedImages | null {
    // the same picture object in several rows is encoded once
    const pictures = [...new Set(rows.flatMap(({ images }) => images))];
    const counts = new Map(pictures.map((image) => [image, this.#model.imageTokens(image)]));
    const tokensPerPicture = Math.max(...counts.values(), 0);
    const firstToken = new Map<Image, number>();
    let next = 0;
    for (const image of pictures) {
      firstToken.set(image, next);
      next += this.#cache ? counts.get(image)! : tokensPerPicture;
    }

    const source: number[] = [];
    const target: number[] = [];
    for (const [i, { promptIds, images }] of rows.entries()) {
      const before = target.length;
      const start = i * width + promptLength - promptIds.length;
      for (const [column, id] of promptIds.entries()) if (id === this.imageToken) target.push(start + column);
      for (const image of images) {
        for (let token = 0; token < counts.get(image)!; token += 1) source.push(firstToken.get(image)! + token);
      }
      if (source.length !== target.length)
        throw new ImageMissingError(target.length - before, source.length - before, 'picture tokens');
    }
    if (pictures.length === 0) return null;
    return {
      ...(this.#cache
        ? { batch: undefined, encoded: this.#cache.encode(pictures) }
        : { batch: this.#model.prepareImages(pictures) }),
      source: this.ints(Int32Array.from(source), [source.length]),
      target: this.ints(Int32Array.from(target), [target.length]),
    };
  }
}

/** [rows * width] the number of the run of picture tokens in each column, -1 elsewhere; null without pictures. */
function pictureBlocks(
  rows: readonly TokenRow[],
  imageToken: number,
  promptLength: number,
  width: number,
): Int32Array | null {
  const blocks = new Int32Array(rows.length * width).fill(-1);
  let runs = 0;
  for (const [i, { promptIds }] of rows.entries()) {
    const start = i * width + promptLength - promptIds.length;
    for (const [column, id] of promptIds.entries()) {
      if (id !== imageToken) continue;
      if (promptIds[column - 1] !== imageToken) runs += 1;
      blocks[start + column] = runs;
    }
  }
  return runs > 0 ? blocks : null;
}
