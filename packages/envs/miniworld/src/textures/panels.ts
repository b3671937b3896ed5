/** Wood, cardboard and sheet metal. Sizes, tones and contrast: `docs/specs/miniworld.md`, section 11. */
import type { RgbImage } from '@vlgym/core';
import { addSpot, type Field, field, layers, normalize, paint, pseudoRandom, type Rgb, withMean } from './canvas.js';

function painted(target: Field, mean: Rgb, tint?: Rgb): RgbImage {
  return withMean(
    paint(target, () => mean, tint),
    mean,
  );
}

/** Grain from top to bottom. */
export function wood(seed: number, mean: Rgb, deviation: number): RgbImage {
  const target = layers(256, 256, seed, [
    [1, 1, 0.25],
    [1.5, 40, 0.7],
    [5, 90, 0.9],
    [20, 128, 0.8],
    [64, 256, 0.6],
  ]);
  return painted(normalize(target, deviation), mean, [1, 0.95, 0.75]);
}

/** Planks from top to bottom, 14 in 2 m, with dark gaps. */
export function planks(): RgbImage {
  const target = layers(512, 512, 241, [
    [1, 1, 5],
    [1.5, 60, 11],
    [5, 120, 10],
    [30, 256, 4],
  ]);
  const random = pseudoRandom(249);
  const tones = Array.from({ length: 14 }, () => 22 * (random() - 0.5));
  const plank = 512 / tones.length;
  for (let at = 0; at < target.data.length; at += 1) {
    const x = at % 512;
    target.data[at]! += x % plank < 2 ? -62 : tones[Math.floor(x / plank)]!;
  }
  return painted(target, [110, 84, 65], [1, 0.9, 0.78]);
}

/** Corrugated: fine ridges from top to bottom, and places where the outer layer is torn. */
export function cardboard(seed: number, size: number, mean: Rgb, deviation: number): RgbImage {
  const target = layers(size, size, seed, [
    [1, 1, 0.8],
    [2, 40, 0.4],
    [60, 60, 0.3],
  ]);
  const where = layers(size, size, seed + 5, [
    [size / 3, size / 3, 1],
    [12, 12, 0.16],
  ]);
  for (let at = 0; at < target.data.length; at += 1) {
    const torn = where.data[at]! > 0.5;
    // A ridge each 5 pixels, flat as seen on the outer layer.
    const ridge = (at % size) % 5 < 2 ? 1 : 0;
    target.data[at]! += torn ? 0.9 * ridge - 0.8 : 0.35 * ridge;
  }
  return painted(normalize(target, deviation), mean, [1, 1, 1.1]);
}

/** A steel door: brushed, a dark band of slots at a third of its height, rivets at the bottom. */
export function steelDoor(seed: number, mean: Rgb): RgbImage {
  const size = 512;
  const target = layers(size, size, seed, [
    [1, 12, 5],
    [3, 90, 4],
    [60, 256, 3],
  ]);
  const picture = paint(target, (index) => {
    const [x, y] = [index % size, Math.floor(index / size)];
    if (y > 168 && y < 226 && x < 452) return (x % 9 < 6 && y > 178 && y < 218 ? [52, 52, 52] : [76, 76, 76]) as Rgb;
    if (y > 488) return ((x + 12) % 40 < 10 && y > 494 && y < 504 ? [50, 50, 50] : [104, 104, 104]) as Rgb;
    const sheen = 128 + 12 * (1 - y / size);
    return [sheen, sheen, sheen];
  });
  return withMean(picture, mean);
}

/** Slats in a frame. */
export function airDuct(): RgbImage {
  const size = 256;
  const target = layers(size, size, 111, [
    [1, 1, 3],
    [30, 3, 5],
  ]);
  const [frame, slats] = [20, 15];
  const picture = paint(target, (index) => {
    const [x, y] = [index % size, Math.floor(index / size)];
    const edge = Math.min(x, y, size - 1 - x, size - 1 - y);
    if (edge < frame) return edge > frame - 2 ? [70, 68, 66] : [206, 205, 200];
    // Light on the upper side of a slat, shadow below.
    const position = (((y - frame) * slats) / (size - 2 * frame)) % 1;
    const tone = position < 0.55 ? 225 - 60 * position : position < 0.7 ? 150 : 50;
    return [tone, tone - 2, tone - 6];
  });
  return withMean(picture, [164, 162, 157]);
}

/** A sheet with rows of round holes, every other row shifted by half. */
export function perforated(
  size: number,
  { columns, rows, radius }: { readonly columns: number; readonly rows: number; readonly radius: number },
  sheet: Rgb,
  mean: Rgb,
): RgbImage {
  const [pitchX, pitchY] = [size / columns, size / rows];
  const target = layers(size, size, 71, [
    [1, 1, 2],
    [40, 40, 3],
  ]);
  const picture = paint(target, (index) => {
    const row = Math.floor(Math.floor(index / size) / pitchY);
    const dy = (Math.floor(index / size) % pitchY) - pitchY / 2;
    const dx = (((index % size) + (row % 2) * (pitchX / 2)) % pitchX) - pitchX / 2;
    const share = Math.min(1, Math.max(0, Math.sqrt(dx * dx + dy * dy) - radius + 0.5));
    return [20 + (sheet[0] - 20) * share, 22 + (sheet[1] - 22) * share, 23 + (sheet[2] - 23) * share];
  });
  return withMean(picture, mean);
}

/** Pointed white pickets with dark gaps, and a rail behind them. */
export function picketFence(): RgbImage {
  const [width, height, count] = [219, 326, 7];
  const target = layers(width, height, 221, [
    [1, 1, 2],
    [3, 60, 3],
  ]);
  const picture = paint(target, (index) => {
    const [x, y] = [index % width, Math.floor(index / width)];
    const across = Math.abs((((x * count) / width) % 1) - 0.5);
    const head = Math.min(0.43, Math.max(0, (y - 4) / 110));
    if (across < head) return across > head - 0.05 ? [168, 167, 162] : [208, 207, 204];
    if (y > 138 && y < 162) return [128, 120, 108];
    return [236, 236, 236];
  });
  return withMean(picture, [192, 191, 188]);
}

/** Our own logo in place of the original's trademark: rings on white, in proportions of 1024 x 510. */
export function logo(): RgbImage {
  const [width, height] = [512, 255];
  const picture = paint(field(width, height), (index) => {
    const x = (index % width) - width * 0.27;
    const y = Math.floor(index / width) - height / 2;
    const radius = Math.sqrt(x * x + y * y) / height;
    const right = (index % width) / width;
    const bars =
      right > 0.52 && right < 0.88 && Math.abs(y) / height < 0.22 && Math.floor((right - 0.52) / 0.06) % 2 === 0;
    const rings = radius < 0.32 && Math.floor(radius * 13) % 2 === 0;
    return rings || bars ? [30, 32, 40] : [252, 252, 252];
  });
  return withMean(picture, [219, 219, 219]);
}

/** Painted plasterboard. */
export function drywall(): RgbImage {
  const target = layers(256, 256, 141, [
    [1, 1, 2.9],
    [3, 3, 1.3],
    [16, 16, 0.8],
  ]);
  for (let dent = 0, random = pseudoRandom(145); dent < 40; dent += 1) {
    addSpot(target, [random() * 256, random() * 256], [1.5, 1.5], -3);
  }
  return painted(target, [213, 214, 215]);
}
