import type { RgbImage } from '@vlgym/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { measureText } from './font.js';
import { bold, regular } from './glyphs.generated.js';
import { type Coverage, coverPath, fillPath } from './raster.js';
import { circle, SUIT_OUTLINES } from './shapes.js';

const unit = { x: 0, y: 0, scaleX: 1, scaleY: 1 };
const area = ({ values }: Coverage) => values.reduce((sum, value) => sum + value, 0) / 255;
const blank = (width: number, height: number): RgbImage => {
  return { data: new Uint8Array(width * height * 3), width, height, channels: 3 };
};

describe('coverPath', () => {
  it('covers each pixel by its exact overlap with a rectangle', () => {
    const { left, top, width, values } = coverPath('M0.5 0.25L2.25 0.25L2.25 2L0.5 2Z', unit);
    expect([left, top]).toEqual([0, 0]);
    const rows = [0, 1].map((row) => [...values.slice(row * width, row * width + 3)]);
    const shares = [0.5, 1, 0.25];
    expect(rows).toEqual([0.75, 1].map((height) => shares.map((share) => Math.round(255 * height * share))));
  });

  it('preserves the area of triangles at any position and rotation', () => {
    const coordinate = fc.double({ min: -40, max: 40, noNaN: true });
    fc.assert(
      fc.property(coordinate, coordinate, coordinate, coordinate, coordinate, coordinate, (a, b, c, d, e, f) => {
        const exact = Math.abs((c - a) * (f - b) - (e - a) * (d - b)) / 2;
        const coverage = coverPath(
          `M${a.toFixed(6)} ${b.toFixed(6)}L${c.toFixed(6)} ${d.toFixed(6)}L${e.toFixed(6)} ${f.toFixed(6)}Z`,
          unit,
        );
        // Each touched pixel is rounded to 255 levels.
        expect(Math.abs(area(coverage) - exact)).toBeLessThan(0.01 + coverage.values.length / 255 / 2);
      }),
    );
  });

  it('draws circles and holes', () => {
    const disc = coverPath(circle(20, 20, 10), unit);
    expect(area(disc)).toBeCloseTo(Math.PI * 100, -0.5);
    const square = 'M0 0L30 0L30 30L0 30Z';
    const hole = 'M10 10L10 20L20 20L20 10Z';
    expect(area(coverPath(square + hole, unit))).toBe(800);
    expect(area(coverPath(square + square, unit))).toBe(900);
  });

  it('draws mirrored shapes as mirrored pixels', () => {
    const size = { x: 8, y: 8, scaleX: 14, scaleY: 14 };
    const [upright, turned] = [size, { ...size, scaleX: -14, scaleY: -14 }].map((placement) => {
      const image = blank(16, 16);
      fillPath(image, SUIT_OUTLINES.S, placement, [255, 255, 255]);
      return image.data;
    });
    expect([...turned!].reverse()).toEqual([...upright!]);
  });
});

it('clips shapes to the picture', () => {
  const image = blank(4, 4);
  fillPath(image, 'M-10 -10L50 -10L50 50L-10 50Z', unit, [1, 2, 3]);
  expect([...image.data]).toEqual(Array(16).fill([1, 2, 3]).flat());
});

it('has an outline for every letter of the pictures', () => {
  for (const [font, text] of [
    [regular, 'Formula: Target: 0123456789+-*/()='],
    [bold, 'Dealer Player Target: Current: AJQK 0123456789+-*/()= D P'],
  ] as const) {
    for (const letter of text) expect(font.glyphs[letter]?.[0]).toBeGreaterThan(0);
    expect(measureText(text, { font, size: 10 })).toBeGreaterThan(5 * text.length);
  }
});
