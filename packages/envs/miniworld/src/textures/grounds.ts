/** Grass, stone, plaster and liquids. Tones and spectra: `docs/specs/miniworld.md`, section 11. */
import type { RgbImage } from '@vlgym/core';
import {
  cells,
  type Field,
  type Layer,
  layers,
  normalize,
  paint,
  pseudoRandom,
  type Rgb,
  relief,
  veins,
  withMean,
  wrap,
} from './canvas.js';

/** One color with noise. */
export function noisy(size: number, seed: number, mean: Rgb, spectrum: readonly Layer[], tint?: Rgb): RgbImage {
  return withMean(
    paint(layers(size, size, seed, spectrum), () => mean, tint),
    mean,
  );
}

/** Blades in all directions: 2 m. */
export const grass = (seed: number, mean: Rgb, strength: number): RgbImage =>
  noisy(
    512,
    seed,
    mean,
    [
      [1, 1, 14 * strength],
      [1.6, 4, 9 * strength],
      [4, 1.6, 9 * strength],
      [6, 6, 7 * strength],
      [20, 20, 4 * strength],
      [90, 90, 3.2 * strength],
    ],
    [0.95, 1.1, 0.5],
  );

/** Plaster lit from the upper left. */
export function stucco(): RgbImage {
  const bumps = normalize(
    relief(
      layers(256, 256, 201, [
        [2, 2, 1],
        [4, 4, 1.6],
      ]),
    ),
    15,
  );
  const fine = layers(256, 256, 205, [[1, 1, 5]]);
  for (let at = 0; at < fine.data.length; at += 1) fine.data[at]! += bumps.data[at]!;
  return withMean(
    paint(fine, () => [194, 194, 192]),
    [194, 194, 192],
  );
}

/** Winding dark cracks between cells. */
function cracks(size: number, columns: number, seed: number, width: number, depth: number): Field {
  const bend = layers(size, size, seed + 1, [
    [size / 12, size / 12, size / 60],
    [8, 8, 1.6],
  ]);
  const { nearest, second } = cells(size, columns, seed, bend);
  const data = nearest.data.map((near, at) => -depth * Math.max(0, 1 - (second.data[at]! - near) / width));
  return { ...nearest, data };
}

function sum(first: Field, ...others: readonly Field[]): Field {
  for (const { data } of others) for (let at = 0; at < first.data.length; at += 1) first.data[at]! += data[at]!;
  return first;
}

/** Cracked gray rock: 2 m. */
export function rock(): RgbImage {
  const target = sum(
    layers(512, 512, 191, [
      [1, 1, 6],
      [3, 3, 9],
      [8, 8, 9],
      [24, 24, 9],
      [80, 80, 12],
    ]),
    cracks(512, 7, 195, 4, 70),
    cracks(512, 16, 198, 2.4, 32),
  );
  return withMean(
    paint(target, () => [115, 117, 115]),
    [115, 117, 115],
  );
}

/** Pale clouds of blue and brown with dark veins. */
export function marble(): RgbImage {
  const size = 256;
  const clouds = layers(size, size, 171, [
    [10, 8, 5],
    [32, 20, 7],
    [80, 50, 9],
  ]);
  const hue = layers(size, size, 181, [
    [24, 16, 0.5],
    [64, 40, 0.9],
  ]);
  const vein = veins(
    layers(size, size, 185, [
      [40, 40, 1],
      [14, 14, 0.5],
      [6, 6, 0.2],
    ]),
    0.14,
  );
  const picture = paint(clouds, (index) => {
    const [warm, dark] = [hue.data[index]! * 9, vein.data[index]! * -58];
    return [192 + warm + dark, 190 + dark, 186 - 1.4 * warm + dark];
  });
  return withMean(picture, [189, 188, 184]);
}

/** Gray stone with thin dark cracks. */
export function crackedMarble(): RgbImage {
  const target = sum(
    layers(256, 256, 175, [
      [1, 1, 1.8],
      [40, 40, 3],
    ]),
    cracks(256, 5, 176, 1.8, 78),
    cracks(256, 9, 178, 0.9, 26),
  );
  return withMean(
    paint(target, () => [184, 184, 184]),
    [184, 184, 184],
  );
}

/** Colors from the rim of a cell (0) to its middle (1), mixed in steps. */
function cellular(
  size: number,
  columns: number,
  seed: number,
  colors: readonly (readonly [at: number, color: Rgb])[],
  mean: Rgb,
): RgbImage {
  const bend = layers(size, size, seed + 1, [
    [40, 40, 6],
    [12, 12, 1.4],
  ]);
  const { nearest, second } = cells(size, columns, seed, bend);
  const reach = (0.55 * size) / columns;
  const picture = paint(layers(size, size, seed + 2, [[5, 5, 3]]), (index) => {
    const middle = (second.data[index]! - nearest.data[index]!) / reach;
    return between(colors, Math.min(1, Math.max(0, middle)));
  });
  return withMean(picture, mean);
}

function between(colors: readonly (readonly [at: number, color: Rgb])[], position: number): Rgb {
  const next = Math.max(
    1,
    colors.findIndex(([at]) => at >= position),
  );
  const [[from, a], [to, b]] = [colors[next - 1]!, colors[next]!];
  const share = (position - from) / (to - from);
  return [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share, a[2] + (b[2] - a[2]) * share];
}

/** Dark red crusts in yellow seams. */
export const lava = (seed: number, mean: Rgb): RgbImage =>
  cellular(
    256,
    4,
    seed,
    [
      [0, [255, 240, 40]],
      [0.22, [250, 170, 16]],
      [0.45, [235, 70, 14]],
      [1, [160, 22, 24]],
    ],
    mean,
  );

/** Bright ripples around dark pools. */
export const water = (seed: number, mean: Rgb): RgbImage =>
  cellular(
    256,
    3,
    seed,
    [
      [0, [170, 240, 240]],
      [0.16, [70, 200, 222]],
      [0.5, [20, 160, 200]],
      [1, [0, 100, 164]],
    ],
    mean,
  );

/** Craters with a dark floor and a light rim, in green slime. */
export function slime(): RgbImage {
  const size = 256;
  const shade = new Float32Array(size * size);
  const random = pseudoRandom(83);
  for (let row = 0; row < 4; row += 1) {
    for (let column = 0; column < 4; column += 1) {
      if (random() < 0.2) continue;
      const [x, y] = [(column + 0.25 + 0.5 * random()) * 64, (row + 0.25 + 0.5 * random()) * 64];
      const [radius, flat] = [8 + 20 * random() ** 1.5, 0.75 + 0.5 * random()];
      const reach = Math.ceil(1.5 * radius);
      for (let dy = -reach; dy <= reach; dy += 1) {
        for (let dx = -reach; dx <= reach; dx += 1) {
          const away = Math.sqrt(dx * dx * flat + (dy * dy) / flat) / radius;
          const at = wrap(Math.round(y) + dy, size) * size + wrap(Math.round(x) + dx, size);
          const floor = Math.min(1, Math.max(0, (1 - away) * 3));
          const rim = Math.max(0, 1 - Math.abs(away - 1.15) * 6);
          shade[at] = Math.max(shade[at]!, floor) - 0.14 * rim;
        }
      }
    }
  }
  const target = layers(size, size, 81, [
    [3, 3, 1],
    [48, 48, 4],
  ]);
  const picture = paint(
    target,
    (index) => [132 - 44 * shade[index]!, 178 - 46 * shade[index]!, 12 - 4 * shade[index]!],
    [1, 1, 0.2],
  );
  return withMean(picture, [126, 172, 11]);
}
