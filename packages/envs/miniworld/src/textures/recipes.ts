/**
 * How each texture is painted. Size on the wall, tones and structure follow the table of `docs/specs/miniworld.md`,
 * section 11; the original's own pictures are not used. 256 pixels a meter, half of the original's, are plenty for
 * 640 x 480.
 */
import type { RgbImage } from '@vlgym/core';
import { addGrain, addNoise, type Field, field, normalize, paint, pseudoRandom, type Rgb, withMean } from './canvas.js';

/** One variant of a texture: how it is generated, and its size. */
export interface Recipe {
  /** Size of one repetition in meters. */
  readonly meters: readonly [width: number, height: number];
  paint(): RgbImage;
}

const PIXELS_PER_METER = 256;

const square = (meters: number) => field(meters * PIXELS_PER_METER, meters * PIXELS_PER_METER);

/** A surface of one color with noise, of the given mean and standard deviation. */
function plain(meters: number, mean: Rgb, deviation: number, noise: (target: Field) => void): Recipe {
  return {
    meters: [meters, meters],
    paint() {
      const target = square(meters);
      noise(target);
      return withMean(
        paint(normalize(target, deviation), () => mean),
        mean,
      );
    },
  };
}

const clouds = (seed: number) => (target: Field) => {
  for (let octave = 0; octave < 4; octave += 1) {
    addNoise(target, 4 << octave, 4 << octave, seed + octave, 1 / (1 + octave));
  }
};

function floorTiles(): RgbImage {
  const target = square(1);
  addNoise(target, 12, 12, 11, 1);
  addNoise(target, 32, 32, 12, 0.7);
  normalize(target, 4);
  const tile = target.width / 4;
  const dark: Rgb = [49, 48, 46];
  const light: Rgb = [222, 220, 214];
  return paint(target, (index) => {
    const column = Math.floor((index % target.width) / tile);
    const row = Math.floor(index / target.width / tile);
    return (column + row) % 2 === 0 ? dark : light;
  });
}

function concreteTiles(): RgbImage {
  const target = square(1.5);
  clouds(31)(target);
  addNoise(target, 96, 96, 36, 1);
  normalize(target, 7);
  const slab = target.width / 3;
  const { width, height, data } = target;
  const isJoint = Array.from({ length: width }, (_, at) => at % slab < 1 || at % slab > slab - 1);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) if (isJoint[x] || isJoint[y]) data[y * width + x]! -= 16;
  }
  const gray: Rgb = [161, 161, 161];
  return withMean(
    paint(target, () => gray),
    gray,
  );
}

interface Masonry {
  readonly meters: number;
  readonly courses: number;
  readonly perCourse: number;
  /** Meters. */
  readonly joint: number;
  readonly mortar: Rgb;
  readonly brick: Rgb;
  /** Variation between bricks. */
  readonly spread: number;
  readonly grain: number;
  readonly mean: Rgb;
  readonly seed: number;
}

/** Running bond: every other course is shifted by half a brick. */
function masonry({ meters, courses, perCourse, joint, mortar, brick, spread, grain, mean, seed }: Masonry): RgbImage {
  const target = square(meters);
  addNoise(target, 24, 24, seed, 1);
  addNoise(target, 90, 90, seed + 1, 1);
  addGrain(target, seed + 2, 0.8);
  normalize(target, grain);
  const random = pseudoRandom(seed + 3);
  const tones = Array.from({ length: courses * perCourse }, () => (2 * random() - 1) * spread);
  const courseHeight = meters / courses;
  const brickWidth = meters / perCourse;
  const picture = paint(target, (index) => {
    const y = Math.floor(index / target.width) / PIXELS_PER_METER;
    const course = Math.min(Math.floor(y / courseHeight), courses - 1);
    const x = (index % target.width) / PIXELS_PER_METER + (course % 2 === 0 ? 0 : brickWidth / 2);
    if (y - course * courseHeight < joint || x % brickWidth < joint) return mortar;
    const tone = tones[course * perCourse + (Math.floor(x / brickWidth) % perCourse)]!;
    return [brick[0] + tone, brick[1] + tone * 0.8, brick[2] + tone * 0.7];
  });
  return withMean(picture, mean);
}

/** Round patches of another color. */
function spotted(meters: number, base: Rgb, spot: Rgb, count: number, mean: Rgb, seed: number): RgbImage {
  const target = square(meters);
  addNoise(target, 8, 8, seed, 1);
  addNoise(target, 40, 40, seed + 1, 0.6);
  normalize(target, 5);
  const size = target.width;
  const shade = new Float32Array(size * size);
  const random = pseudoRandom(seed + 2);
  for (let drawn = 0; drawn < count; drawn += 1) {
    const [centerX, centerY, radius] = [random() * size, random() * size, size * (0.012 + 0.05 * random() ** 2)];
    const reach = Math.ceil(radius);
    for (let dy = -reach; dy <= reach; dy += 1) {
      for (let dx = -reach; dx <= reach; dx += 1) {
        const depth = 1 - Math.sqrt(dx * dx + dy * dy) / radius;
        if (depth <= 0) continue;
        const x = (Math.floor(centerX) + dx + size) % size;
        const y = (Math.floor(centerY) + dy + size) % size;
        const index = y * size + x;
        shade[index] = Math.max(shade[index]!, Math.min(1, 2 * depth));
      }
    }
  }
  const mix = (index: number, channel: 0 | 1 | 2) => base[channel] + (spot[channel] - base[channel]) * shade[index]!;
  const picture = paint(target, (index) => [mix(index, 0), mix(index, 1), mix(index, 2)], [1, 1, 0.3]);
  return withMean(picture, mean);
}

/** Boards along x with thin dark gaps. */
function boards(seed: number, count: number, mean: Rgb): RgbImage {
  const target = square(1);
  addNoise(target, 3, 64, seed, 1);
  addNoise(target, 10, 128, seed + 1, 0.6);
  normalize(target, 9);
  const board = target.height / count;
  const random = pseudoRandom(seed + 2);
  const tones = Array.from({ length: count }, () => 20 * random() - 10);
  for (let index = 0; index < target.data.length; index += 1) {
    const row = Math.floor(index / target.width);
    target.data[index]! += row % board < 2 ? -45 : tones[Math.min(Math.floor(row / board), count - 1)]!;
  }
  return withMean(
    paint(target, () => mean),
    mean,
  );
}

/** Parallel or crossed bars on a plain ground. */
function grating(count: number, ground: Rgb, bar: Rgb, across: boolean): RgbImage {
  const target = normalize(addNoise(square(1), 48, 48, 71), 4);
  const pitch = target.width / count;
  const isBar = (position: number) => position % pitch < pitch * 0.28;
  return paint(target, (index) =>
    isBar(Math.floor(index / target.width)) || (across && isBar(index % target.width)) ? bar : ground,
  );
}

/** Our own logo in place of the original's trademark: rings on white, in proportions of 1024 x 510. */
function logo(): RgbImage {
  const [width, height] = [512, 255];
  const target = field(width, height);
  const picture = paint(target, (index) => {
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

const one = (meters: number, draw: () => RgbImage): Recipe => ({ meters: [meters, meters], paint: draw });

/** Every texture by name, with its variants in order. The counts equal those in `world/texture-names.ts`. */
export const RECIPES: Readonly<Record<string, readonly Recipe[]>> = {
  floor_tiles_bw: [one(1, floorTiles)],
  concrete: [
    plain(1, [153, 152, 148], 7, (target) => {
      addNoise(target, 16, 64, 1, 1);
      addNoise(target, 40, 128, 2, 1);
      addNoise(target, 8, 12, 3, 0.5);
      addGrain(target, 7, 0.5);
    }),
    plain(1, [133, 133, 133], 5, (target) => {
      addNoise(target, 64, 64, 4, 1);
      addNoise(target, 110, 110, 5, 1);
    }),
    plain(1.5, [176, 176, 176], 5, clouds(6)),
    plain(1, [133, 133, 133], 2, clouds(10)),
  ],
  concrete_tiles: [one(1.5, concreteTiles)],
  brick_wall: [
    one(2, () =>
      masonry({
        meters: 2,
        courses: 26,
        perCourse: 8,
        joint: 0.012,
        mortar: [140, 139, 136],
        brick: [120, 84, 68],
        spread: 13,
        grain: 8,
        mean: [126, 97, 84],
        seed: 41,
      }),
    ),
  ],
  asphalt: [
    plain(1, [108, 110, 111], 26, (target) => {
      addNoise(target, 8, 8, 51, 0.1);
      addNoise(target, 100, 100, 52, 0.8);
      addGrain(target, 53, 1);
    }),
  ],
  cinder_blocks: [
    one(2, () =>
      masonry({
        meters: 2,
        courses: 8,
        perCourse: 4,
        joint: 0.012,
        mortar: [70, 69, 66],
        brick: [120, 119, 113],
        spread: 9,
        grain: 8,
        mean: [115, 114, 108],
        seed: 61,
      }),
    ),
  ],
  slime: [one(1, () => spotted(1, [140, 190, 12], [78, 112, 8], 70, [126, 172, 11], 81))],
  logo_mila: [{ meters: [2, 510 / 512], paint: logo }],
  airduct_grate: [one(1, () => grating(12, [120, 122, 124], [52, 54, 56], true))],
  cardboard: [0, 1, 2, 3].map((variant) =>
    plain(1, [181 - 6 * variant, 145 - 6 * variant, 104 - 4 * variant], 6, (target) => {
      addNoise(target, 64, 3, 101 + 5 * variant, 1);
      addNoise(target, 90, 90, 102 + 5 * variant, 0.5);
    }),
  ),
  ceiling_tile_noborder: [plain(1, [205, 205, 200], 7, (target) => addNoise(addGrain(target, 121), 60, 60, 122, 0.8))],
  ceiling_tiles: [one(1, () => grating(2, [208, 208, 203], [176, 176, 172], true))],
  door_doom: [0, 1].map((variant) => one(2, () => boards(131 + 5 * variant, 6, [104, 96 + 8 * variant, 88]))),
  drywall: [plain(1, [214, 210, 200], 4, clouds(141))],
  grass: [0, 1].map((variant) =>
    plain(1, [86 + 12 * variant, 122, 52], 18, (target) => {
      addNoise(target, 128, 32, 151 + 5 * variant, 1);
      addGrain(target, 152 + 5 * variant, 0.7);
    }),
  ),
  lava: [0, 1].map((variant) =>
    one(1, () => spotted(1, [226, 88, 18], [70, 18, 8], 90, [176, 62, 16], 161 + 5 * variant)),
  ),
  marble: [0, 1].map((variant) =>
    plain(1, [206 - 60 * variant, 202 - 60 * variant, 196 - 56 * variant], 14, clouds(171 + 7 * variant)),
  ),
  metal_grill: [0, 1].map((variant) => one(1, () => grating(16, [60, 62, 64], [140, 142, 146], variant === 1))),
  picket_fence: [one(1, () => grating(5, [196, 190, 178], [92, 112, 70], false))],
  rock: [plain(1, [122, 114, 104], 22, clouds(191))],
  stucco: [plain(1, [203, 192, 170], 9, (target) => addNoise(addNoise(target, 50, 50, 201), 110, 110, 202, 0.7))],
  water: [0, 1, 2].map((variant) => plain(1, [50, 96 + 8 * variant, 150], 14, clouds(211 + 7 * variant))),
  white: [plain(1, [255, 255, 255], 0, () => {})],
  wood: [0, 1].map((variant) =>
    one(1, () => boards(231 + 5 * variant, 4, [150 - 26 * variant, 108 - 22 * variant, 68 - 12 * variant])),
  ),
  wood_planks: [one(1, () => boards(241, 8, [139, 104, 70]))],
};
