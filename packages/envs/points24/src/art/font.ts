/** Draws text from embedded outlines. Letters are placed on whole pixels, so a letter always has the same pixels. */
import type { RgbImage } from '@vlgym/core';
import { BoundedCache } from '../bounded-cache.js';
import { type Color, type Coverage, coverPath, paintCoverage } from './raster.js';

export interface FontData {
  readonly name: string;
  readonly unitsPerEm: number;
  /** Height of the ascender box above the baseline, in font units. */
  readonly ascender: number;
  /** Advance in font units, and outline (SVG path, y downward from the baseline) of each letter. */
  readonly glyphs: Readonly<Record<string, readonly [advance: number, outline: string]>>;
}

export interface TextStyle {
  readonly font: FontData;
  /** Pixels per em. */
  readonly size: number;
  readonly color: Color;
  /** Horizontal scale, default 1; narrow cards compress "10". */
  readonly stretch?: number;
}

/** Width in pixels, before letters are rounded to whole pixels. */
export function measureText(text: string, { font, size, stretch = 1 }: Omit<TextStyle, 'color'>): number {
  let units = 0;
  for (const letter of text) units += font.glyphs[letter]?.[0] ?? 0;
  return (units * size * stretch) / font.unitsPerEm;
}

/** Draws one line; the top left corner of its ascender box is at (x, top), in pixels. */
export function drawText(image: RgbImage, text: string, x: number, top: number, style: TextStyle): void {
  const { font, size, stretch = 1, color } = style;
  const baseline = Math.round(top) + Math.ceil((font.ascender * size) / font.unitsPerEm);
  let pen = x;
  for (const letter of text) {
    const advance = font.glyphs[letter]?.[0] ?? 0;
    paintCoverage(image, letterCoverage(letter, font, size, stretch), color, Math.round(pen), baseline);
    pen += (advance * size * stretch) / font.unitsPerEm;
  }
}

const letters = new BoundedCache<string, Coverage>(4096);

function letterCoverage(letter: string, font: FontData, size: number, stretch: number): Coverage {
  return letters.get(`${letter}${font.name}/${size}/${stretch}`, () => {
    const scale = size / font.unitsPerEm;
    return coverPath(font.glyphs[letter]?.[1] ?? '', { x: 0, y: 0, scaleX: scale * stretch, scaleY: scale });
  });
}
