/** Objects for cleaning and care. */
import type { ObjectModels } from './object-look.js';
import { ball, box, cylinder, glowing, move, ring, rod, type Shape, shape, turn, turned, vessel } from './solids.js';

const BLACK = 0x232327;
const WHITE = 0xf6f6f2;
const WOOD = 0x9a6332;

function candle(): Shape {
  return shape(
    cylinder(0xefe3b0, 0.034, 0.1),
    cylinder(BLACK, 0.003, 0.018, [0, 0.1, 0]),
    glowing(
      turned(
        0xffb52e,
        [
          [0, 0.112],
          [0.011, 0.125],
          [0, 0.155],
        ],
        8,
      ),
    ),
    vessel(0x8d5a33, 0x5b3a1f, 0.045, 0.05, 0.014),
  );
}

function plunger(): Shape {
  return shape(
    turned(
      0xb5382c,
      [
        [0, 0],
        [0.075, 0],
        [0.075, 0.03],
        [0.06, 0.075],
        [0.02, 0.09],
        [0, 0.09],
      ],
      14,
    ),
    cylinder(0xd3a25b, 0.014, 0.42, [0, 0.085, 0]),
  );
}

function scrubBrush(): Shape {
  return shape(
    cylinder(WHITE, 0.05, 0.06),
    cylinder(0x3aa0c8, 0.012, 0.32, [0, 0.05, 0]),
    ball(0x3aa0c8, [0.02, 0.02, 0.02], [0, 0.375, 0]),
    cylinder(0xd9dde0, 0.062, 0.02),
  );
}

function bottleWithPump(): Shape {
  return shape(
    cylinder(0x5cc49a, 0.042, 0.13, [0, 0, 0], 0.036),
    box(WHITE, [0.05, 0.06, 0.004], [0, 0.03, 0.037]),
    cylinder(WHITE, 0.015, 0.035, [0, 0.13, 0]),
    box(WHITE, [0.03, 0.014, 0.07], [0, 0.163, 0.02]),
  );
}

function sprayBottle(): Shape {
  return shape(
    cylinder(0x3f7fe0, 0.045, 0.13, [0, 0, 0], 0.04),
    cylinder(0x3f7fe0, 0.04, 0.045, [0, 0.13, 0], 0.014),
    box(0xe8483a, [0.035, 0.04, 0.09], [0, 0.175, 0.012]),
    turn(box(0xe8483a, [0.014, 0.05, 0.012], [0, 0.135, 0.055]), [-0.25, 0, 0]),
    box(WHITE, [0.055, 0.055, 0.004], [0, 0.03, 0.041]),
  );
}

function tissueBox(): Shape {
  return shape(
    box(0x4fb3d9, [0.22, 0.085, 0.12]),
    box(0xd9f0f8, [0.18, 0.003, 0.07], [0, 0.085, 0]),
    turn(box(WHITE, [0.09, 0.085, 0.01], [0, 0.085, 0], [1.3, 5]), [0, 0.3, 0]),
  );
}

/** A roll, on its side if it hangs. */
function toiletPaper(hanging: boolean): Shape {
  const roll = shape(
    cylinder(WHITE, 0.055, 0.1, [0, 0, 0], 0.055, 16),
    cylinder(0xb9946a, 0.022, 0.102, [0, -0.001, 0]),
  );
  if (!hanging) return roll;
  return shape(
    move(turn(roll, [0, 0, Math.PI / 2]), [0.05, -0.055, 0.06]),
    box(WHITE, [0.1, 0.12, 0.003], [0, -0.17, 0.113]),
  );
}

/** Hung over a bar at the origin, or folded. */
function towel(color: number, stripe: number, width: number, hanging: boolean): Shape {
  if (hanging) {
    const length = width * 1.25;
    return shape(
      box(color, [width, length, 0.014], [0, -length, 0.035]),
      box(color, [width, length * 0.8, 0.014], [0, -length * 0.8, -0.01]),
      box(color, [width, 0.018, 0.06], [0, -0.004, 0.012]),
      ...[0.12, 0.2].map((share) => box(stripe, [width, 0.02, 0.004], [0, -length * (1 - share), 0.043])),
    );
  }
  return shape(
    ...[0, 1, 2].map((fold) =>
      box(fold === 1 ? stripe : color, [width * 0.6, 0.024, width * 0.42], [0, fold * 0.024, 0]),
    ),
  );
}

function wateringCan(): Shape {
  const green = 0x3f9b58;
  return shape(
    cylinder(green, 0.085, 0.15),
    cylinder(0x1f4f2c, 0.07, 0.002, [0, 0.15, 0]),
    rod(green, [0.075, 0.04, 0], [0.2, 0.17, 0], 0.015, 8),
    move(turn(cylinder(0x2f7a44, 0.018, 0.03, [0, 0, 0], 0.04), [0, 0, -0.8]), [0.195, 0.165, 0]),
    move(turn(ring(green, 0.065, 0.01), [Math.PI / 2, 0, 0]), [-0.075, 0.115, 0]),
  );
}

export const CARE: ObjectModels = {
  candle,
  cloth: () =>
    shape(
      box(0xd65aa0, [0.19, 0.008, 0.17]),
      turn(box(0xf08fc4, [0.15, 0.01, 0.13], [0.01, 0.008, 0]), [0, 0.4, 0]),
      ...[-1, 0, 1].map((at) => box(WHITE, [0.012, 0.001, 0.16], [at * 0.06, 0.008, 0])),
    ),
  footstool: () =>
    shape(
      box(0x7b5a3a, [0.36, 0.05, 0.26], [0, 0.2, 0]),
      ...[-1, 1].flatMap((x) => [-1, 1].map((z) => box(WOOD, [0.04, 0.2, 0.04], [x * 0.14, 0, z * 0.09]))),
    ),
  handtowel: ({ hanging }) => towel(0xe2873c, 0xfff0dc, 0.22, hanging),
  plunger,
  scrubbrush: scrubBrush,
  soapbar: () =>
    shape(ball(0xf2a7c3, [0.055, 0.022, 0.037], [0, 0.022, 0]), box(0xe88bb0, [0.045, 0.003, 0.014], [0, 0.042, 0])),
  soapbottle: bottleWithPump,
  spraybottle: sprayBottle,
  tissuebox: tissueBox,
  toiletpaper: ({ hanging }) => toiletPaper(hanging),
  towel: ({ hanging }) => towel(0x3f7fbf, 0xe6f2ff, 0.38, hanging),
  wateringcan: wateringCan,
};
