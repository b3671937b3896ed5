/** Text from embedded outlines: letters sit on whole pixels, so that the same letter always has the same pixels. */
import type { RgbImage } from '@vlgym/core';
import { BoundedCache } from '../bounded-cache.js';
import { type Color, type Coverage, coverPath, paintCoverage } from './raster.js';

export interface FontData {
  readonly name: string;
  readonly unitsPerEm: number;
  /** Font units from the baseline up to the top of the ascender box. */
  readonly ascender: number;
  /** Advance in font units and outline (SVG path, y downwards from the baseline) of each letter. */
  readonly glyphs: Readonly<Record<string, readonly [advance: number, outline: string]>>;
}

export interface TextStyle {
  readonly font: FontData;
  /** Pixels per em. */
  readonly size: number;
  readonly color: Color;
  /** Horizontal stretch, 1 by default; narrow cards squeeze "10". */
  readonly stretch?: number;
}

/** Width in pixels, before letters are moved to whole pixels. */
export function measureText(text: string, { font, size, stretch = 1 }: Omit<TextStyle, 'color'>): number {
  let units = 0;
  for (const letter of text) units += font.glyphs[letter]?.[0] ?? 0;
  return (units * size * stretch) / font.unitsPerEm;
}

/** Draws one line whose ascender box has its left top corner at (x, top), in pixels. */
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
