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

/** The letters drawn so far, by font, size and stretch. */
const alphabets = new BoundedCache<string, Map<string, Coverage>>(128);

/**
 * Draws one line; the top left corner of its ascender box is at (x, top), in pixels.
 *
 * @returns  Where the next letter of the line begins: a line can be drawn in pieces, with the same pixels.
 */
export function drawText(image: RgbImage, text: string, x: number, top: number, style: TextStyle): number {
  const { font, size, stretch = 1, color } = style;
  const baseline = Math.round(top) + Math.ceil((font.ascender * size) / font.unitsPerEm);
  const letters = alphabets.get(`${font.name}/${size}/${stretch}`, () => new Map());
  let pen = x;
  for (const letter of text) {
    const glyph = font.glyphs[letter];
    if (!glyph) continue;
    const [advance, outline] = glyph;
    let coverage = letters.get(letter);
    if (!coverage) {
      const scale = size / font.unitsPerEm;
      coverage = coverPath(outline, { x: 0, y: 0, scaleX: scale * stretch, scaleY: scale });
      letters.set(letter, coverage);
    }
    paintCoverage(image, coverage, color, Math.round(pen), baseline);
    pen += (advance * size * stretch) / font.unitsPerEm;
  }
  return pen;
}
