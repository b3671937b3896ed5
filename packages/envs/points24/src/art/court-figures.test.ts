/** Court cards: figures with two heads that differ by rank and by suit, at the sizes of the published pictures. */
import type { RgbImage } from '@vlgym/core';
import { hashImage } from '@vlgym/core/images';
import { describe, expect, it } from 'vitest';
import { drawCard } from './card-art.js';

const SUITS = ['S', 'H', 'D', 'C'];
const COURTS = SUITS.flatMap((suit) => ['J', 'Q', 'K'].map((rank) => suit + rank));

/** The middle of a card, without the indices in the corners. */
function middle({ data, width, height }: RgbImage): RgbImage {
  const [left, top] = [Math.round(width * 0.26), Math.round(height * 0.11)];
  const cut = { width: width - 2 * left, height: height - 2 * top };
  const rows = Array.from({ length: cut.height }, (_, y) => {
    const from = 3 * ((top + y) * width + left);
    return [...data.subarray(from, from + 3 * cut.width)];
  });
  return { data: Uint8Array.from(rows.flat()), ...cut, channels: 3 };
}

/** Share of pixels whose channels all differ by less than 40 from a color. */
function shareOf(color: readonly number[], { data }: RgbImage): number {
  const [red, green, blue] = color as [number, number, number];
  const near = (value: number, wanted: number) => Math.abs(value - wanted) < 40;
  let found = 0;
  for (let at = 0; at < data.length; at += 3) {
    if (near(data[at]!, red) && near(data[at + 1]!, green) && near(data[at + 2]!, blue)) found += 1;
  }
  return (3 * found) / data.length;
}

/** Share of pixels that differ visibly. */
function difference(a: RgbImage, b: RgbImage): number {
  const far = (at: number) => Math.abs(a.data[at]! - b.data[at]!) > 60;
  let found = 0;
  for (let at = 0; at < a.data.length; at += 3) if (far(at) || far(at + 1) || far(at + 2)) found += 1;
  return (3 * found) / a.data.length;
}

describe.each([
  [135, 189],
  [67, 93],
])('court cards of %i x %i', (width, height) => {
  const cards = new Map(COURTS.map((name) => [name, drawCard(name, width, height)]));
  const figures = new Map([...cards].map(([name, card]) => [name, middle(card)]));
  const figure = (name: string) => figures.get(name)!;

  it('look the same upside down, to the byte', () => {
    for (const card of cards.values()) {
      const turned = new Uint8Array(card.data.length);
      for (let pixel = 0; pixel < width * height; pixel += 1) {
        turned.set(card.data.subarray(3 * pixel, 3 * pixel + 3), turned.length - 3 * pixel - 3);
      }
      expect(hashImage({ ...card, data: turned })).toBe(hashImage(card));
    }
  });

  it('differ by rank within a suit, and by suit within a rank, also without their indices', () => {
    for (const [index, name] of COURTS.entries()) {
      for (const other of COURTS.slice(index + 1)) {
        expect(difference(figure(name), figure(other))).toBeGreaterThan(0.08);
      }
    }
  });

  it('have skin, gold and a robe in the color of the suit', () => {
    for (const name of COURTS) {
      expect(shareOf([252, 229, 206], figure(name))).toBeGreaterThan(0.02);
      expect(shareOf([238, 196, 58], figure(name))).toBeGreaterThan(0.02);
      const red = shareOf([210, 37, 46], figure(name));
      const dark = shareOf([30, 38, 60], figure(name)) + shareOf([38, 50, 120], figure(name));
      if ('HD'.includes(name[0]!)) expect(red).toBeGreaterThan(0.1);
      else expect(dark).toBeGreaterThan(red);
    }
  });
});
