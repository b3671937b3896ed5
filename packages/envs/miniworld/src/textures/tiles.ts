/** Floor and ceiling tiles. Sizes, joints and tones: `docs/specs/miniworld.md`, section 11. */
import type { RgbImage } from '@vlgym/core';
import { addSpot, field, layers, normalize, paint, pseudoRandom, type Rgb, veins, withMean } from './canvas.js';

/** A chess board of marble tiles of 0.25 m, dark at the top left: light veins in the dark, dark veins in the light. */
export function floorTiles(): RgbImage {
  const size = 256;
  const fine = layers(size, size, 11, [
    [1, 1, 1.4],
    [8, 8, 1],
    [32, 32, 1.2],
  ]);
  const course = (seed: number) =>
    layers(size, size, seed, [
      [22, 22, 1],
      [9, 9, 0.6],
      [4, 4, 0.25],
    ]);
  const wide = veins(course(21), 0.16);
  const thin = veins(course(31), 0.08);
  const where = layers(size, size, 41, [[40, 40, 1]]);
  const tile = size / 4;
  const dark: Rgb = [48, 48, 46];
  const light: Rgb = [226, 223, 218];
  return paint(fine, (index) => {
    const isDark = (Math.floor((index % size) / tile) + Math.floor(index / size / tile)) % 2 === 0;
    const strength = Math.max(0.25, Math.min(1, 0.7 + where.data[index]!));
    const vein = strength * (wide.data[index]! + 0.6 * thin.data[index]!);
    const [base, change] = isDark ? [dark, 14 * vein] : [light, -27 * vein];
    return [base[0] + change, base[1] + change, base[2] + 1.1 * change];
  });
}

/** Pale tiles of 0.25 m with white specks and dark joints. */
export function ceilingTiles(): RgbImage {
  const size = 256;
  const target = layers(size, size, 121, [
    [1, 1, 4.5],
    [40, 40, 1.5],
  ]);
  const tile = size / 4;
  const random = pseudoRandom(125);
  for (let speck = 0; speck < 130; speck += 1) {
    addSpot(target, [random() * size, random() * size], [0.8 + 1.6 * random(), 0.8 + 1.2 * random()], 34);
  }
  const isJoint = (position: number) => (position + 1) % tile < 2;
  const picture = paint(target, (index) =>
    isJoint(index % size) || isJoint(Math.floor(index / size)) ? [84, 83, 81] : [219, 215, 211],
  );
  return withMean(picture, [211, 208, 204]);
}

/** Mineral fiber: pale, with short dark fissures. */
export function ceilingPanel(): RgbImage {
  const size = 256;
  const target = layers(size, size, 131, [[1, 1, 5]]);
  const random = pseudoRandom(135);
  const fissures = field(size, size);
  for (let fissure = 0; fissure < 1100; fissure += 1) {
    let [x, y] = [random() * size, random() * size];
    const [dx, dy, length] = [random() - 0.5, random() - 0.5, 1 + Math.floor(6 * random() ** 3)];
    for (let step = 0; step < length; step += 1) {
      addSpot(fissures, [x, y], [1, 1], -70 - 90 * random());
      [x, y] = [x + 2 * dx, y + 2 * dy];
    }
  }
  for (let at = 0; at < target.data.length; at += 1) target.data[at]! += Math.max(-150, fissures.data[at]!);
  return withMean(
    paint(normalize(target, 22.7), () => [217, 217, 217]),
    [217, 217, 217],
  );
}
