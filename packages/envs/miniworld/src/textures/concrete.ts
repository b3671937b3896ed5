/**
 * Concrete, its slabs, and asphalt.
 *
 * The spectra (deviation per size of cell) follow measures of the original's pictures, averaged to this package's 256 pixels
 * a meter: `docs/specs/miniworld.md`, section 11. `textures.test.ts` compares them.
 */
import type { RgbImage } from '@vlgym/core';
import { addSpot, type Field, layers, normalize, paint, pseudoRandom, type Rgb, relief, withMean } from './canvas.js';

const gray = (tone: number): Rgb => [tone, tone, tone];

function painted(target: Field, mean: Rgb): RgbImage {
  return withMean(
    paint(target, () => mean),
    mean,
  );
}

/** Brushed along the wall. */
export function brushedConcrete(): RgbImage {
  const target = layers(256, 256, 1, [
    [1, 1, 2],
    [5, 1.5, 2.4],
    [24, 3, 2.2],
    [48, 8, 2],
    [64, 24, 1.1],
    [128, 48, 1],
  ]);
  return painted(normalize(target, 5.1), [153, 152, 148]);
}

/** Fine, like leather. */
export function leatheryConcrete(): RgbImage {
  const target = normalize(relief(layers(256, 256, 11, [[3, 2.5, 1]])), 2.8);
  const slow = layers(256, 256, 13, [
    [12, 12, 0.8],
    [48, 48, 1],
  ]);
  for (let at = 0; at < target.data.length; at += 1) target.data[at]! += slow.data[at]!;
  return painted(normalize(target, 3.2), gray(133));
}

export function smoothConcrete(): RgbImage {
  const target = layers(256, 256, 21, [
    [1, 1, 0.5],
    [3, 3, 0.5],
    [8, 8, 0.6],
    [24, 16, 0.7],
    [64, 64, 0.8],
  ]);
  return painted(normalize(target, 1.5), gray(133));
}

/** Height of a row of marks, which the boards of the formwork left, in pixels: 0.375 m. */
const FORMWORK = 96;

/** Cast concrete of 1.5 m: rows of dark smudges, faint vertical runs, a few pits. `grain` is the deviation of the finest layer. */
function castConcrete(seed: number, grain: number): Field {
  const size = 384;
  const target = layers(size, size, seed, [
    [1, 1, grain],
    [2, 14, 0.7 * grain],
    [3, 3, 0.8 * grain],
    [16, 16, 1],
    [64, 64, 0.9],
    [192, 96, 0.8],
  ]);
  const random = pseudoRandom(seed + 9);
  for (let row = 0; row < size / FORMWORK; row += 1) {
    for (const [height, share] of [
      [0.62, 1],
      [0.94, 0.7],
    ] as const) {
      for (let mark = 0; mark < 7; mark += 1) {
        const [x, y] = [random() * size, (row + height + 0.05 * random()) * FORMWORK];
        // A mark is a cluster of spots.
        for (let spot = 0; spot < 12; spot += 1) {
          const at = [x + 34 * (random() - 0.5), y + 13 * (random() - 0.5)] as const;
          addSpot(target, at, [3 + 6 * random(), 2 + 3 * random()], -share * (3 + 4 * random()));
        }
      }
    }
  }
  for (let pit = 0; pit < 8; pit += 1) addSpot(target, [random() * size, random() * size], [3.5, 4], -16);
  return target;
}

export function blotchyConcrete(): RgbImage {
  return painted(normalize(castConcrete(31, 0.4), 4.8), gray(176));
}

/** Width of a joint, centered on the edges of the slabs, in pixels: 8 mm. */
const JOINT = 2;

/** Slabs of 0.5 m with dark joints. */
export function concreteSlabs(): RgbImage {
  const target = normalize(castConcrete(41, 2.1), 5.4);
  const { width, height, data } = target;
  const slab = width / 3;
  const isJoint = (position: number) => (position + JOINT / 2) % slab < JOINT;
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if (isJoint(x) || isJoint(y)) data[y * width + x] = -34 + 0.5 * data[y * width + x]!;
    }
  }
  return painted(target, gray(161));
}

export function asphalt(): RgbImage {
  const target = layers(256, 256, 51, [
    [1, 1, 15.6],
    [3, 3, 4.4],
    [12, 12, 2],
    [64, 64, 2],
  ]);
  return painted(normalize(target, 16.6), [108, 110, 111]);
}
