/** Prompts with their responses as a model reads them, and how they are laid out side by side. */
import { GymError, type Image } from '@vlgym/core';

export interface TokenRow {
  readonly promptIds: Int32Array;
  readonly images: readonly Image[];
  /** Empty when only the prompt is read. */
  readonly responseIds?: Int32Array;
}

/** Rows side by side: prompts padded on the left, so that every response starts in the same column. */
export interface TokenLayout {
  readonly rows: readonly TokenRow[];
  /** Columns of the prompts. */
  readonly promptLength: number;
  /** Prompt tokens per row, without padding. */
  readonly promptLengths: readonly number[];
}

/** A prompt whose image tokens do not fit its pictures. */
export class ImageMissingError extends GymError {
  constructor(
    readonly places: number,
    readonly images: number,
    unit: 'pictures' | 'picture tokens',
  ) {
    super(`The prompt has places for ${places} ${unit}, but its pictures make ${images}.`, {
      code: 'IMAGE_MISSING',
      value: { places, images },
      expected: 'one picture for every place, in the same order',
      hint: "give each image part its picture, and keep the template's image token out of texts",
    });
  }
}
