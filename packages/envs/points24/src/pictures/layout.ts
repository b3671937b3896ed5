/**
 * Layout of the pictures of the card games.
 *
 * The layout of the published 300 x 300 pictures (`RL4VLM/RL4VLM`, `gym-cards/gym_cards/envs/`) is scaled by the
 * smaller side. Pictures with a side below `MIN_PUBLISHED_SIDE` have another layout, in which the cards fill the width
 * and the text has one line, so that an 84 x 112 picture is readable.
 */
import type { Size } from './canvas.js';

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface TextPlace extends Point {
  /** Pixels per em. */
  readonly size: number;
}

/** Minimum side in pixels at which the published layout is readable. */
const MIN_PUBLISHED_SIDE = 180;

export const isSmall = ({ height, width }: Size): boolean => Math.min(height, width) < MIN_PUBLISHED_SIDE;

/** Scales the layout of a 300 x 300 picture and centers it. */
export class PublishedScale {
  readonly #factor: number;
  readonly #left: number;
  readonly #top: number;

  constructor({ height, width }: Size) {
    this.#factor = Math.min(height, width) / 300;
    this.#left = (width - 300 * this.#factor) / 2;
    this.#top = (height - 300 * this.#factor) / 2;
  }

  length(pixels: number): number {
    return Math.max(1, Math.round(pixels * this.#factor));
  }

  point(x: number, y: number): Point {
    return { x: Math.round(this.#left + x * this.#factor), y: Math.round(this.#top + y * this.#factor) };
  }

  text(x: number, y: number, size: number): TextPlace {
    return { ...this.point(x, y), size: this.length(size) };
  }
}

/** A centered row of cards in a strip, as large as possible, with a width of at most nine tenths of the height. */
export function rowOfCards(
  count: number,
  strip: { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number },
  gap: number,
): { readonly card: Size; readonly places: readonly Point[] } {
  const available = strip.right - strip.left - (count - 1) * gap;
  const height = Math.max(1, strip.bottom - strip.top);
  const width = Math.max(1, Math.floor(Math.min(available / count, height * 0.9)));
  const cardHeight = Math.min(height, Math.ceil(width * 2.1));
  const left = Math.floor((strip.left + strip.right - count * width - (count - 1) * gap) / 2);
  const top = strip.top + Math.floor((height - cardHeight) / 2);
  return {
    card: { width, height: cardHeight },
    places: Array.from({ length: count }, (_, index) => ({ x: left + index * (width + gap), y: top })),
  };
}
