/**
 * The picture that an environment keeps: each step changes a small part of it and returns a copy.
 *
 * Copying costs a fraction of drawing, but all of a step that draws little. In a buffer of the caller (`drawInto`) the
 * picture itself is the observation, and nothing is copied.
 */
import type { RgbImage } from '@vlgym/core';
import { checkLentFrame } from '@vlgym/core/internal';
import type { DrawnRows } from '@vlgym/core/vector';
import type { CardSprite } from '../art/card-art.js';
import { drawText, measureText, type TextStyle } from '../art/font.js';
import type { Color } from '../art/raster.js';
import { keepFreedMemory } from './keep-freed-memory.js';
import { pictureMemory } from './picture-memory.js';

export interface Size {
  /** Pixels. */
  readonly height: number;
  readonly width: number;
}

/** Height and width of the published pictures. */
export const PUBLISHED_SIZE: Size = { height: 300, width: 300 };

export interface DrawIntoOptions {
  /** Copies the last observation of an episode, so that it survives the next reset. */
  readonly copyLast?: boolean;
  /** Marks the rows that are drawn from now on. */
  readonly drawn?: DrawnRows | undefined;
}

export class Canvas {
  #image: RgbImage;
  /** The picture is in a buffer of the caller. */
  #lent = false;
  #copiesLast = false;
  #drawn: DrawnRows | undefined;

  constructor({ height, width }: Size, color: Color) {
    keepFreedMemory();
    const data = new Uint8Array(height * width * 3);
    data.set(color);
    for (let filled = 3; filled < data.length; filled *= 2) data.copyWithin(filled, 0, filled);
    this.#image = { data, height, width, channels: 3 };
  }

  /** Moves the picture into a buffer, or back into its own. @throws {InvalidOptionError} The buffer has the wrong length. */
  drawInto(frame: Uint8Array | undefined, { copyLast = false, drawn }: DrawIntoOptions = {}): void {
    const { data } = this.#image;
    checkLentFrame(frame, data.length);
    const into = frame ?? new Uint8Array(data.length);
    into.set(data);
    this.#image = { ...this.#image, data: into };
    this.#lent = frame !== undefined;
    this.#copiesLast = copyLast;
    this.#drawn = drawn;
    drawn?.mark(0, this.#image.height);
  }

  /** The observation: a copy, or the picture itself in the caller's buffer. @param last  The episode ends with it. */
  observe(last: boolean): RgbImage {
    return this.#lent && !(last && this.#copiesLast) ? { ...this.#image } : this.copy();
  }

  copy(): RgbImage {
    const { data, height, width } = this.#image;
    const copied = pictureMemory(data.length);
    copied.set(data);
    return { data: copied, height, width, channels: 3 };
  }

  /** Copies the rows `top` to `bottom` (exclusive) from another canvas of the same size. */
  restoreRows(from: Canvas, top: number, bottom: number): void {
    const row = this.#image.width * 3;
    this.#image.data.set(from.#image.data.subarray(top * row, bottom * row), top * row);
    this.#drawn?.mark(top, bottom);
  }

  /** Draws a card, clipped at the right and lower edges. */
  paste(card: CardSprite, x: number, y: number): void {
    const { data, width, height } = this.#image;
    const bytes = 3 * Math.min(card.width, width - x);
    if (bytes <= 0) return;
    const whole = card.width <= width - x;
    const last = Math.min(card.height, height - y);
    this.#drawn?.mark(y, y + last);
    for (let row = 0, at = 3 * (y * width + x); row < last; row += 1, at += 3 * width) {
      const bytesOfRow = card.rows[row]!;
      data.set(whole ? bytesOfRow : bytesOfRow.subarray(0, bytes), at);
    }
  }

  /** Writes one line. @returns Where its next letter begins. */
  write(text: string, x: number, top: number, style: TextStyle): number {
    // letters rise above and hang below their line by less than its height
    this.#drawn?.mark(top - style.size, top + 2 * style.size);
    return drawText(this.#image, text, x, top, style);
  }
}

/** The style in which a line has room, compressed as needed. @param room  Pixels. */
export function fitted(text: string, room: number, style: TextStyle): TextStyle {
  const natural = measureText(text.trimEnd(), style);
  // In steps of 1/16, so that few different letters are drawn and cached.
  const stretch = natural <= room ? 1 : Math.max(1, Math.floor((16 * room) / natural)) / 16;
  return { ...style, stretch };
}
