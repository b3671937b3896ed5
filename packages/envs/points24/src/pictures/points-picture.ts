/**
 * Pictures of EZPoints and Points24: the hand and, below it, the current formula.
 *
 * Layout: `RL4VLM/RL4VLM` (MIT), `gym-cards/gym_cards/envs/{ezpoints,points}.py`; cards and letters are drawn here.
 */
import type { RgbImage } from '@vlgym/core';
import { cardSprite, TABLE_GREEN } from '../art/card-art.js';
import { measureText, type TextStyle } from '../art/font.js';
import { bold, regular } from '../art/glyphs.generated.js';
import type { FormulaEntry } from '../formula/values.js';
import { Canvas, type DrawIntoOptions, fitted, type Size } from './canvas.js';
import { isSmall, type Point, PublishedScale, rowOfCards, type TextPlace } from './layout.js';

/** EZPoints writes the formula after its label, Points24 below it. */
export type PointsLayout = 'ezpoints' | 'points24';

interface PlacedTable {
  readonly card: Size;
  readonly places: readonly Point[];
  /** Position of the label `Formula:`, if there is room for it. */
  readonly label?: TextPlace;
  readonly formula: TextPlace;
  /** The position of a target; without one it follows the formula on its line. */
  readonly target?: TextPlace;
  /** Text between the entries of the formula. */
  readonly separator: string;
}

export class PointsPicture {
  readonly #size: Size;
  readonly #table: PlacedTable;
  readonly #style: TextStyle;
  readonly #empty: Canvas;
  readonly #canvas: Canvas;
  #formula = '';
  /** The text after the formula, on the same line. */
  #ending = '';
  /** The line as drawn in the picture, and the position of its next letter. */
  #line: { readonly text: string; readonly stretch: number | undefined; readonly pen: number } | undefined;

  constructor(layout: PointsLayout, size: Size) {
    this.#size = size;
    this.#table = isSmall(size) ? smallTable(layout, size) : publishedTable(layout, size);
    const font = isSmall(size) ? bold : regular;
    this.#style = { font, size: this.#table.formula.size, color: [255, 255, 255] };
    this.#empty = new Canvas(size, TABLE_GREEN);
    this.#canvas = new Canvas(size, TABLE_GREEN);
    const { label } = this.#table;
    if (label) this.#empty.write('Formula:', label.x, label.y, { ...this.#style, size: label.size });
  }

  /** Draws a new hand with an empty formula, and the target if the picture shows it. */
  deal(cards: readonly string[], target?: number): void {
    const { card, places, target: place } = this.#table;
    this.#canvas.restoreRows(this.#empty, 0, this.#size.height);
    for (const [index, { x, y }] of places.entries()) {
      const name = cards[index];
      if (name !== undefined) this.#canvas.paste(cardSprite(name, card.width, card.height), x, y);
    }
    this.#formula = '';
    this.#line = undefined;
    if (target === undefined) return;
    if (place) this.#canvas.write(`Target: ${target}`, place.x, place.y, { ...this.#style, size: place.size });
    else this.#ending = `=${target}`;
    this.#draw();
  }

  write(formula: readonly FormulaEntry[]): void {
    const text = formula.join(this.#table.separator);
    if (text === this.#formula) return;
    this.#formula = text;
    this.#draw();
  }

  #draw(): void {
    const { formula: place } = this.#table;
    const text = this.#formula + this.#ending;
    const style = fitted(text, this.#size.width - 1 - place.x, this.#style);
    // most steps append to the line, and what stands there keeps its pixels
    const line = this.#line;
    const goesOn = line !== undefined && line.stretch === style.stretch && text.startsWith(line.text);
    const standing = goesOn ? line : undefined;
    if (!standing) {
      const bottom = Math.min(this.#size.height, place.y + Math.ceil(1.3 * place.size));
      this.#canvas.restoreRows(this.#empty, place.y, bottom);
    }
    const fresh = standing ? text.slice(standing.text.length) : text;
    const pen = this.#canvas.write(fresh, standing?.pen ?? place.x, place.y, style);
    this.#line = { text, stretch: style.stretch, pen };
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
}

function publishedTable(layout: PointsLayout, size: Size): PlacedTable {
  const scale = new PublishedScale(size);
  if (layout === 'ezpoints') {
    const label = scale.text(10, 258, 20);
    return {
      card: { width: scale.length(135), height: scale.length(189) },
      places: [5, 153].map((x) => scale.point(x, 55)),
      label,
      target: scale.text(10, 14, 24),
      formula: { ...label, x: label.x + Math.round(measureText('Formula: ', { font: regular, size: label.size })) },
      separator: ' ',
    };
  }
  return {
    card: { width: scale.length(67), height: scale.length(93) },
    places: [5, 78, 152, 226].map((x) => scale.point(x, 103)),
    label: scale.text(10, 210, 16),
    target: scale.text(10, 50, 24),
    formula: scale.text(10, 240, 16),
    separator: ' ',
  };
}

/** Without a label and without blanks between the entries; the prompt explains the line. */
function smallTable(layout: PointsLayout, { height, width }: Size): PlacedTable {
  const textHeight = Math.min(24, Math.max(9, Math.round(height * 0.21)));
  const strip = { left: 1, right: width - 1, top: 1, bottom: height - textHeight - 1 };
  const size = Math.max(6, Math.floor(textHeight / 1.2));
  return {
    ...rowOfCards(layout === 'ezpoints' ? 2 : 4, strip, Math.max(1, Math.round(width * 0.015))),
    formula: { x: 3, y: height - textHeight, size },
    separator: '',
  };
}
