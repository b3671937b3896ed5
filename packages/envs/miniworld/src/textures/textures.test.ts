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

/** Texture, variant, mean color, and the deviation of its brightness averaged to 256, 64 and 16 pixels a meter. */
const TABLE: readonly [string, number, readonly number[], readonly number[]][] = [
  ['concrete', 1, [153, 152, 148], [5.1, 3.7, 2.4]],
  ['concrete', 2, [133, 133, 133], [3.2, 1.3, 0.9]],
  ['concrete', 3, [176, 176, 176], [4.8, 4.3, 3.1]],
  ['concrete', 4, [133, 133, 133], [1.5, 1.4, 0.9]],
  ['concrete_tiles', 1, [161, 161, 161], [7.5, 5.3, 3.7]],
  ['brick_wall', 1, [126, 97, 84], [17.2, 13.8, 6.1]],
  ['asphalt', 1, [108, 110, 111], [16.6, 5.3, 2.4]],
  ['cinder_blocks', 1, [115, 114, 108], [13.6, 9.1, 5.1]],
  ['slime', 1, [126, 172, 11], [10.4, 10.0, 8.3]],
];

/** The picture's brightness, averaged over squares of `side` pixels. */
function averaged({ data, width, height }: RgbImage, side: number): { rows: number; columns: number; tones: number[] } {
  const [rows, columns] = [Math.floor(height / side), Math.floor(width / side)];
  const tones = Array.from({ length: rows * columns }, (_, cell) => {
    const [top, left] = [Math.floor(cell / columns) * side, (cell % columns) * side];
    let sum = 0;
    for (let y = top; y < top + side; y += 1) {
      for (let at = 3 * (y * width + left); at < 3 * (y * width + left + side); at += 1) sum += data[at]!;
    }
    return sum / (3 * side * side);
  });
  return { rows, columns, tones };
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

function deviationOf(values: readonly number[]): number {
  const mean = meanOf(values);
  return Math.sqrt(meanOf(values.map((value) => (value - mean) ** 2)));
}

/** Mean brightness of each row, or of each column, of a band of rows. */
function profile(image: RgbImage, along: 'rows' | 'columns', [top, bottom] = [0, image.height]): number[] {
  const band = image.data.subarray(3 * top * image.width, 3 * bottom * image.width);
  const { columns, tones } = averaged({ ...image, data: band, height: bottom - top }, 1);
  if (along === 'rows') return rangeOf(image.height).map((y) => meanOf(tones.slice(y * columns, (y + 1) * columns)));
  return rangeOf(columns).map((x) => meanOf(rangeOf(bottom - top).map((y) => tones[y * columns + x]!)));
}

const rangeOf = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

describe('textures', () => {
  it.each(TABLE)(
    '%s_%i has the mean color of the table, and its contrast at three scales',
    (name, variant, mean, wanted) => {
      const { image } = library.surface(name, variant);
      statistics(image).mean.forEach((value, channel) => {
        expect(Math.abs(value - mean[channel]!)).toBeLessThan(1);
      });
      for (const [index, side] of [1, 4, 16].entries()) {
        const share = deviationOf(averaged(image, side).tones) / wanted[index]!;
        expect(share).toBeGreaterThan(0.7);
        expect(share).toBeLessThan(1.5);
      }
    },
  );

  it('concrete_tiles has dark joints every 0.5 m, in both directions, and none elsewhere', () => {
    const { image, meters } = library.surface('concrete_tiles', 1);
    expect(meters).toEqual([1.5, 1.5]);
    for (const along of ['rows', 'columns'] as const) {
      const tones = profile(image, along);
      const usual = meanOf(tones);
      const dark = rangeOf(tones.length).filter((at) => tones[at]! < usual - 25);
      expect(dark).toEqual([0, 127, 128, 255, 256, 383]);
    }
  });

  it('brick_wall has 24 courses with pale warm mortar, shifted by about half a brick', () => {
    const { image, meters } = library.surface('brick_wall', 1);
    expect(meters).toEqual([2, 2]);
    const course = image.height / 24;
    const rows = profile(image, 'rows');
    const joints = rangeOf(24).map((number) => {
      const [joint, brick] = [Math.floor(number * course), Math.floor((number + 0.5) * course)];
      expect(rows[joint]! - rows[brick]!).toBeGreaterThan(20);
      const band = profile(image, 'columns', [brick - 5, brick + 5]);
      // The phase of the joints' first harmonic, as a share of a brick's length.
      const sum = (wave: (angle: number) => number) =>
        meanOf(band.map((tone, x) => tone * wave((2 * Math.PI * x) / (image.width / 8))));
      return (Math.atan2(sum(Math.sin), sum(Math.cos)) / (2 * Math.PI) + 1) % 1;
    });
    joints.forEach((phase, number) => {
      const shift = (phase - joints[(number + 1) % 24]! + 1) % 1;
      expect(Math.abs(shift - 0.5)).toBeLessThan(0.25);
    });
    expect(new Set(joints.map((phase) => phase.toFixed(2))).size).toBeGreaterThan(8);
    const mortar = [0, 1, 2].map((channel) => meanOf(rangeOf(image.width).map((x) => image.data[3 * x + channel]!)));
    mortar.forEach((value, channel) => {
      expect(Math.abs(value - [145, 137, 125][channel]!)).toBeLessThan(5);
    });
  });

  it('cinder_blocks has dark joints every 0.25 m, and vertical ones that meet the middle of the blocks below', () => {
    const { image } = library.surface('cinder_blocks', 1);
    const rows = profile(image, 'rows');
    const dark = rangeOf(rows.length).filter((at) => rows[at]! < meanOf(rows) - 28);
    expect(new Set(dark.map((at) => Math.floor(at / 64))).size).toBe(8);
    for (const at of dark) expect(at % 64).toBeGreaterThan(59);
    const darkest = (course: number) => {
      const band = profile(image, 'columns', [64 * course + 10, 64 * course + 54]);
      return band.indexOf(Math.min(...band)) % 128;
    };
    expect(Math.abs(darkest(0) - 62)).toBeLessThan(3);
    expect(Math.min(darkest(1), 128 - darkest(1))).toBeLessThan(3);
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
