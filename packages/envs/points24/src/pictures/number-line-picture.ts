/**
 * Pictures of NumberLine: two lines of text, black on white.
 *
 * Layout: `RL4VLM/RL4VLM` (MIT), `gym-cards/gym_cards/envs/numberline.py`.
 */
import type { RgbImage } from '@vlgym/core';
import { measureText, type TextStyle } from '../art/font.js';
import { bold } from '../art/glyphs.generated.js';
import { Canvas, type Size } from './canvas.js';
import { isSmall, type Point, PublishedScale } from './layout.js';

export class NumberLinePicture {
  readonly #size: Size;
  readonly #lines: readonly [target: Point, current: Point];
  readonly #style: TextStyle;
  readonly #blank: Canvas;
  readonly #canvas: Canvas;

  constructor(size: Size) {
    this.#size = size;
    const scale = new PublishedScale(size);
    const { height, width } = size;
    if (isSmall(size)) {
      const widest = measureText('Current: 00', { font: bold, size: 1 });
      const em = Math.max(6, Math.floor(Math.min(height * 0.36, (width - 6) / widest)));
      this.#lines = [0.26, 0.74].map((middle) => ({ x: 4, y: Math.round(height * middle - em * 0.58) })) as [
        Point,
        Point,
      ];
      this.#style = { font: bold, size: em, color: [0, 0, 0] };
    } else {
      this.#lines = [scale.point(30, 60), scale.point(30, 180)];
      this.#style = { font: bold, size: scale.length(36), color: [0, 0, 0] };
    }
    this.#blank = new Canvas(size, [255, 255, 255]);
    this.#canvas = new Canvas(size, [255, 255, 255]);
  }

  draw(target: number, current: number): void {
    const [above, below] = this.#lines;
    this.#canvas.restoreRows(this.#blank, 0, this.#size.height);
    this.#canvas.writeFitted(`Target: ${target}`, above.x, above.y, this.#size.width - 1, this.#style);
    this.#canvas.writeFitted(`Current: ${current}`, below.x, below.y, this.#size.width - 1, this.#style);
  }

  copy(): RgbImage {
    return this.#canvas.copy();
  }
}
