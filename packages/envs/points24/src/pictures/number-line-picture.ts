/**
 * Pictures of NumberLine: two lines of text, black on white.
 *
 * Layout: `RL4VLM/RL4VLM` (MIT), `gym-cards/gym_cards/envs/numberline.py`.
 */
import type { RgbImage } from '@vlgym/core';
import { measureText, type TextStyle } from '../art/font.js';
import { bold } from '../art/glyphs.generated.js';
import { Canvas, type DrawIntoOptions, fitted, type Size } from './canvas.js';
import { isSmall, type Point, PublishedScale } from './layout.js';

interface Line extends Point {
  readonly label: string;
  /** Left edge of the number. */
  readonly numberX: number;
  /** The number currently drawn. */
  shown: number | undefined;
}

export class NumberLinePicture {
  readonly #size: Size;
  readonly #style: TextStyle;
  readonly #target: Line;
  readonly #current: Line;
  /** The picture with labels only. */
  readonly #empty: Canvas;
  readonly #canvas: Canvas;

  constructor(size: Size) {
    this.#size = size;
    const { em, target, current } = isSmall(size) ? smallLayout(size) : publishedLayout(size);
    this.#style = { font: bold, size: em, color: [0, 0, 0] };
    this.#target = this.#line('Target: ', target);
    this.#current = this.#line('Current: ', current);
    this.#empty = new Canvas(size, [255, 255, 255]);
    this.#canvas = new Canvas(size, [255, 255, 255]);
    for (const { label, x, y } of [this.#target, this.#current]) this.#empty.write(label, x, y, this.#style);
    this.#canvas.restoreRows(this.#empty, 0, size.height);
  }

  draw(target: number, current: number): void {
    this.#write(this.#target, target);
    this.#write(this.#current, current);
  }

  copy(): RgbImage {
    return this.#canvas.copy();
  }

  observe(last: boolean): RgbImage {
    return this.#canvas.observe(last);
  }

  drawInto(frame: Uint8Array | undefined, options?: DrawIntoOptions): void {
    this.#canvas.drawInto(frame, options);
  }

  #line(label: string, { x, y }: Point): Line {
    return { label, x, y, numberX: x + measureText(label, this.#style), shown: undefined };
  }

  #write(line: Line, number: number): void {
    if (line.shown === number) return;
    line.shown = number;
    const bottom = Math.min(this.#size.height, line.y + Math.ceil(1.3 * this.#style.size));
    this.#canvas.restoreRows(this.#empty, line.y, bottom);
    const text = String(number);
    const style = fitted(text, this.#size.width - 1 - line.numberX, this.#style);
    this.#canvas.write(text, line.numberX, line.y, style);
  }
}

interface Layout {
  /** Pixels per em. */
  readonly em: number;
  readonly target: Point;
  readonly current: Point;
}

function publishedLayout(size: Size): Layout {
  const scale = new PublishedScale(size);
  return { em: scale.length(36), target: scale.point(30, 60), current: scale.point(30, 180) };
}

/** The largest layout for two lines with two-digit numbers. */
function smallLayout({ height, width }: Size): Layout {
  const widest = measureText('Current: 00', { font: bold, size: 1 });
  const em = Math.max(6, Math.floor(Math.min(height * 0.36, (width - 6) / widest)));
  const line = (middle: number) => ({ x: 4, y: Math.max(0, Math.round(height * middle - em * 0.58)) });
  return { em, target: line(0.26), current: line(0.74) };
}
