/**
 * Bricks and blocks in running bond.
 *
 * Sizes, joints, bond and colors are measures of the original's pictures: `docs/specs/miniworld.md`, section 11.
 */
import type { RgbImage } from '@vlgym/core';
import { type Layer, layers, paint, pseudoRandom, type Rgb, withMean } from './canvas.js';

interface Masonry {
  /** Pixels of one repetition. */
  readonly size: number;
  readonly courses: number;
  readonly perCourse: number;
  /** Height and width of the joints in pixels. */
  readonly joint: number;
  /** Height of the middle of a course's lower joint, in pixels above the course's lower edge. */
  readonly sunk: number;
  /** Vertical joints of a course, as a share of a brick's length. */
  readonly bond: (course: number, random: () => number) => number;
  readonly mortar: Rgb;
  readonly brick: Rgb;
  /** How a brick differs from the others; called once for each. */
  readonly tone: (random: () => number) => Rgb;
  readonly grain: readonly Layer[];
  /** Radius of a brick's corners, and the width of its darker rim, in pixels. */
  readonly corner: number;
  readonly rim: number;
  readonly rimTone: Rgb;
  readonly mean: Rgb;
  readonly seed: number;
}

function masonry(wall: Masonry): RgbImage {
  const { size, courses, perCourse, joint, sunk, bond, mortar, brick, tone, corner, rim, rimTone, mean, seed } = wall;
  const target = layers(size, size, seed, wall.grain);
  const random = pseudoRandom(seed + 20);
  const tones = Array.from({ length: courses * perCourse }, () => tone(random));
  const shifts = Array.from({ length: courses }, (_, course) => bond(course, random));
  const [height, length] = [size / courses, size / perCourse];
  const picture = paint(target, (index) => {
    const y = Math.floor(index / size) + 0.5 + sunk;
    const x = (index % size) + 0.5;
    const course = Math.floor(y / height) % courses;
    const along = x / length - shifts[course]! + 1;
    const number = course * perCourse + (Math.floor(along) % perCourse);
    // From the middle of the brick, in pixels.
    const across = Math.abs((along % 1) - 0.5) * length;
    const up = Math.abs((y % height) - height / 2);
    const inside = fromRim(length / 2 - joint / 2 - across, height / 2 - joint / 2 - up, corner);
    const share = Math.min(1, Math.max(0, inside + 0.5));
    const edge = rim > 0 ? Math.min(1, Math.max(0, 1 - inside / rim)) : 0;
    const face = tones[number]!;
    const mixed = (channel: 0 | 1 | 2) =>
      mortar[channel] + (brick[channel] + face[channel] + edge * rimTone[channel] - mortar[channel]) * share;
    return [mixed(0), mixed(1), mixed(2)];
  });
  return withMean(picture, mean);
}

/** Distance to the rim of a rounded rectangle from a point with the given distances to its sides; negative outside. */
function fromRim(side: number, end: number, radius: number): number {
  if (side >= radius || end >= radius) return Math.min(side, end);
  return radius - Math.sqrt((radius - side) ** 2 + (radius - end) ** 2);
}

/** 24 courses of 8 bricks in 2 m, shifted by about half a brick, none exactly above another. */
export function brickWall(): RgbImage {
  return masonry({
    size: 512,
    courses: 24,
    perCourse: 8,
    joint: 5,
    sunk: 0,
    bond: (course, random) => (course % 2 === 0 ? 0.06 : 0.53) + 0.14 * (random() - 0.5),
    mortar: [145, 137, 125],
    brick: [122, 89, 75],
    tone(random) {
      const [light, red] = [2.2 * (random() - 0.5), 3.4 * (random() - 0.5)];
      return [6.5 * light + 5 * red, 6.4 * light - 2.2 * red, 5.6 * light - 3 * red];
    },
    grain: [
      [1, 1, 2.6],
      [3, 3, 3],
      [8, 8, 3.2],
      [20, 20, 3],
      [64, 64, 2.6],
    ],
    corner: 1.5,
    rim: 1.2,
    rimTone: [-8, -7, -6],
    mean: [126, 97, 84],
    seed: 61,
  });
}

/** 8 courses of 4 blocks in 2 m; a vertical joint is 0.25 m from the edge in even courses, at the edge in odd ones. */
export function cinderBlocks(): RgbImage {
  return masonry({
    size: 512,
    courses: 8,
    perCourse: 4,
    joint: 2.6,
    sunk: 1.2,
    bond: (course) => (course % 2 === 0 ? 0.49 : 0),
    mortar: [74, 70, 62],
    brick: [118, 117, 111],
    tone(random) {
      const tone = 9 * (random() - 0.5);
      return [tone, tone, 1.1 * tone];
    },
    grain: [
      [1, 1, 4.8],
      [3, 3, 3],
      [10, 10, 2],
      [32, 32, 2],
      [96, 64, 2],
    ],
    corner: 2,
    rim: 3.5,
    rimTone: [-14, -17, -22],
    mean: [115, 114, 108],
    seed: 81,
  });
}
