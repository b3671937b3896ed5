/** Painted textures against the tones that `docs/specs/miniworld.md`, section 11, gives for the original's. */
import type { RgbImage } from '@vlgym/core';
import { describe, expect, it } from 'vitest';
import { textureNames, textureVariants } from '../world/texture-names.js';
import { drawLetter, LETTER_HANDS } from './letters.js';
import { defineTexture, TextureLibrary } from './library.js';

const library = TextureLibrary.open();

function statistics({ data }: RgbImage): { mean: number[]; deviation: number } {
  const count = data.length / 3;
  const sums = [0, 0, 0];
  data.forEach((value, index) => {
    sums[index % 3]! += value;
  });
  const mean = sums.map((sum) => sum / count);
  const square = data.reduce((sum, value, index) => sum + (value - mean[index % 3]!) ** 2, 0);
  return { mean, deviation: Math.sqrt(square / data.length) };
}

/** Texture, variant, mean color, and the standard deviation if the table has one. */
const TABLE: readonly [string, number, readonly number[], number | undefined][] = [
  ['concrete', 1, [153, 152, 148], 7],
  ['concrete', 2, [133, 133, 133], 5],
  ['concrete', 3, [176, 176, 176], 5],
  ['concrete', 4, [133, 133, 133], 2],
  ['concrete_tiles', 1, [161, 161, 161], 8],
  ['brick_wall', 1, [126, 97, 84], undefined],
  ['asphalt', 1, [108, 110, 111], 26],
  ['cinder_blocks', 1, [115, 114, 108], undefined],
  ['slime', 1, [126, 172, 11], undefined],
  ['logo_mila', 1, [219, 219, 219], undefined],
];

describe('textures', () => {
  it.each(TABLE)('%s_%i has the mean color and contrast of the table', (name, variant, mean, deviation) => {
    const actual = statistics(library.surface(name, variant).image);
    actual.mean.forEach((value, channel) => {
      expect(Math.abs(value - mean[channel]!)).toBeLessThan(1);
    });
    if (deviation !== undefined) expect(Math.abs(actual.deviation - deviation)).toBeLessThan(0.2 * deviation);
  });

  it('floor_tiles_bw is a checkerboard of 0.25 m tiles, dark at the top left', () => {
    const { image, meters } = library.surface('floor_tiles_bw', 1);
    const at = (x: number, y: number) => {
      const data: number[] = [];
      for (let row = y; row < y + 40; row += 1) {
        for (let column = x; column < x + 40; column += 1)
          data.push(...image.data.slice(3 * (row * image.width + column)).slice(0, 3));
      }
      return statistics({ ...image, data: Uint8Array.from(data) }).mean;
    };
    expect(meters).toEqual([1, 1]);
    at(10, 10).forEach((value, channel) => {
      expect(Math.abs(value - [49, 48, 46][channel]!)).toBeLessThan(4);
    });
    at(74, 10).forEach((value, channel) => {
      expect(Math.abs(value - [222, 220, 214][channel]!)).toBeLessThan(4);
    });
  });

  it.each(textureNames())('%s has all of its variants', (name) => {
    for (let variant = 1; variant <= textureVariants(name); variant += 1) {
      const { image } = library.surface(name, variant);
      expect(image.data.length).toBe(3 * image.width * image.height);
    }
  });

  it('letters are black on white, and differ by hand', () => {
    for (const letter of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789') {
      const { mean } = statistics(drawLetter(letter, 1));
      expect(mean[0]).toBeGreaterThan(235);
      expect(mean[0]).toBeLessThan(255);
    }
    const hands = Array.from({ length: LETTER_HANDS }, (_, hand) => drawLetter('B', hand + 1).data.join());
    expect(new Set(hands).size).toBe(LETTER_HANDS);
  });

  it('a custom texture has a new name and at least one variant', () => {
    const image: RgbImage = { data: new Uint8Array(12), width: 2, height: 2, channels: 3 };
    defineTexture('test_pattern', [{ meters: [1, 1], paint: () => image }]);
    expect(library.surface('test_pattern', 1).image).toBe(image);
    expect(() => defineTexture('concrete', [{ meters: [1, 1], paint: () => image }])).toThrow(/exists/);
    expect(() => defineTexture('nothing', [])).toThrow(/variants/);
    defineTexture('short', [{ meters: [1, 1], paint: () => ({ ...image, data: new Uint8Array(5) }) }]);
    expect(() => library.surface('short', 1)).toThrow(/Invalid picture of the texture "short"/);
  });
});
