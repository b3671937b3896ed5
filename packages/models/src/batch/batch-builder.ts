/**
 * Rows of unequal length as one batch: prompts padded on the left, responses on the right, so that every response
 * begins in the same column and a cache grows by one column for all rows.
 *
 * Padding has no influence on any row: nobody looks at it (mask), and positions count real tokens only.
 */
import { GymError, type Image } from '@vlgym/core';
import { tensor } from '../tensor/creation.js';
import type { DType } from '../tensor/dtype.js';
import type { Tensor } from '../tensor/tensor.js';
import type { ModelConfig } from './config.js';
import { ImageProcessor } from './image-processor.js';
import { frequencies, type Rotary, rotary } from './rotary.js';
import { visionBatch } from './vision-batch.js';
import type { PlacedImages, VisionLanguageModel } from './vision-language-model.js';

export interface TokenRow {
  readonly promptIds: Int32Array;
  readonly images: readonly Image[];
  /** Empty when only the prompt is read. */
  readonly responseIds?: Int32Array;
}

/** A prompt whose places for pictures do not fit its pictures. */
export class ImageMissingError extends GymError {
  constructor(
    readonly places: number,
    readonly images: number,
    unit: 'pictures' | 'picture tokens',
  ) {
    super(`The prompt has places for ${places} ${unit}, its pictures make ${images}.`, {
      code: 'IMAGE_MISSING',
      value: { places, images },
      expected: 'one picture for every place, in the same order',
      hint: 'give each image part its picture, and keep `<|image_pad|>` out of texts',
    });
  }
}

export interface TokenBatch {
  /** int64 [B, T]; column `promptLength` holds the first response token. */
  readonly ids: Tensor;
  readonly images: PlacedImages | null;
  /** Columns of the prompts. */
  readonly promptLength: number;
  /** Real prompt tokens per row. */
  readonly promptLengths: readonly number[];
}

/** Makes batches for one model. */
export class BatchBuilder {
  readonly processor: ImageProcessor;
  readonly #config: ModelConfig;
  readonly #imageToken: number;
  readonly #kind: { readonly dtype: DType; readonly device: string };

  /** @param imageToken  Id that stands for one token of a picture. */
  constructor(model: VisionLanguageModel, imageToken: number) {
    this.#config = model.config;
    this.processor = new ImageProcessor(model.config);
    this.#imageToken = imageToken;
    const { dtype, device } = model.model.norm.weight;
    this.#kind = { dtype, device };
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
      ids: this.ints(ids, [rows.length, width]),
      images: this.#images(rows, promptLength, width),
      promptLength,
      promptLengths,
    };
  }

  /** Angles of `width` columns; a row of n prompt tokens starts counting n columns before `promptLength`. */
  rotary({ promptLength, promptLengths }: TokenBatch, width: number): Rotary {
    const { headDim, ropeTheta } = this.#config;
    const speeds = frequencies(headDim, ropeTheta);
    const shared = promptLengths.every((length) => length === promptLength);
    const rows = shared ? [promptLength] : promptLengths;
    const angles = new Float64Array(rows.length * width * speeds.length);
    let next = 0;
    for (const length of rows)
      for (let column = 0; column < width; column += 1) {
        const position = Math.max(column - (promptLength - length), 0);
        for (const speed of speeds) angles[next++] = position * speed;
      }
    return rotary(this.floats(angles, [rows.length, width, speeds.length]));
  }

  /**
   * Who may look at whom in a full forward over `width` columns, float [B, 1, width, width]; null when no row is padded
   * on the left. Padding looks at itself, so that it stays finite.
   */
  causalMask({ promptLength, promptLengths }: TokenBatch, width: number): Tensor | null {
    if (promptLengths.every((length) => length === promptLength)) return null;
    const mask = new Float32Array(promptLengths.length * width * width).fill(Number.NEGATIVE_INFINITY);
    for (const [row, length] of promptLengths.entries()) {
      const first = promptLength - length;
      for (let query = 0; query < width; query += 1) {
        const line = (row * width + query) * width;
        if (query < first) mask[line + query] = 0;
        else mask.fill(0, line + first, line + query + 1);
      }
    }
    return this.floats(mask, [promptLengths.length, 1, width, width]);
  }

  /** Which of `width` columns a new token may look at, float [B, 1, 1, width]; null when no row is padded. */
  keyMask({ promptLength, promptLengths }: TokenBatch, width: number): Tensor | null {
    if (promptLengths.every((length) => length === promptLength)) return null;
    const mask = new Float32Array(promptLengths.length * width);
    for (const [row, length] of promptLengths.entries())
      mask.fill(Number.NEGATIVE_INFINITY, row * width, row * width + promptLength - length);
    return this.floats(mask, [promptLengths.length, 1, 1, width]);
  }

  ints(data: Int32Array, shape: readonly number[]): Tensor {
    return tensor(data, { shape, dtype: 'int64', device: this.#kind.device });
  }

  floats(data: Float32Array | Float64Array, shape: readonly number[]): Tensor {
    return tensor(data, { shape, ...this.#kind });
  }

  #images(rows: readonly TokenRow[], promptLength: number, width: number): PlacedImages | null {
    // the same picture object in several rows is encoded once
    const pictures = [...new Set(rows.flatMap(({ images }) => images))];
    const { processor } = this;
    const grids = new Map(pictures.map((image) => [image, processor.grid(image)]));
    const merge = this.#config.vision.spatialMergeSize ** 2;
    const patches = Math.max(...pictures.map((image) => processor.tokens(grids.get(image)!) * merge), 0);
    const firstToken = new Map(pictures.map((image, i) => [image, (i * patches) / merge]));

    const source: number[] = [];
    const target: number[] = [];
    for (const [i, { promptIds, images }] of rows.entries()) {
      const before = target.length;
      const start = i * width + promptLength - promptIds.length;
      for (const [column, id] of promptIds.entries()) if (id === this.#imageToken) target.push(start + column);
      for (const image of images) {
        const count = processor.tokens(grids.get(image)!);
        for (let token = 0; token < count; token += 1) source.push(firstToken.get(image)! + token);
      }
      if (source.length !== target.length)
        throw new ImageMissingError(target.length - before, source.length - before, 'picture tokens');
    }
    if (pictures.length === 0) return null;
    return {
      batch: visionBatch(pictures, patches, processor, this.#config.vision, (data, shape) => this.floats(data, shape)),
      source: this.ints(Int32Array.from(source), [source.length]),
      target: this.ints(Int32Array.from(target), [target.length]),
    };
  }
}
