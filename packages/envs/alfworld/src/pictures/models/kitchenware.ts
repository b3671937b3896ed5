/** Crockery, cutlery, pots, and other kitchenware. */
import type { ObjectModels } from './object-look.js';
import {
  ball,
  box,
  cylinder,
  move,
  ring,
  rod,
  type Shape,
  shape,
  stretch,
  type Triple,
  turn,
  turned,
  vessel,
} from './solids.js';

const STEEL = 0xb9c0c8;
const WOOD = 0x9a6332;
const BLACK = 0x26262a;

/** A handle at the right side: half of a ring, upright. */
function handle(color: number, radius: number, x: number, y: number, thickness = 0.007): Shape {
  return move(turn(ring(color, radius, thickness), [Math.PI / 2, 0, 0]), [x, y, 0]);
}

/** Lies along x, with its grip to the left. */
function blade(grip: number, length: number, width: number): Shape {
  return shape(
    box(grip, [0.11, 0.018, 0.024], [-0.055, 0, 0]),
    box(STEEL, [length, 0.006, width], [length / 2, 0.006, 0]),
    box(STEEL, [0.05, 0.006, width], [length + 0.02, 0.006, 0], [0.2, 0.2]),
  );
}

function fork(): Shape {
  const tines = [-0.018, -0.006, 0.006, 0.018].map((z) => box(STEEL, [0.075, 0.007, 0.006], [0.115, 0.008, z]));
  return shape(
    box(STEEL, [0.15, 0.008, 0.014], [-0.045, 0, 0]),
    box(STEEL, [0.05, 0.008, 0.045], [0.055, 0.005, 0]),
    ...tines,
  );
}

function spoon(): Shape {
  return shape(
    box(STEEL, [0.16, 0.008, 0.013], [-0.045, 0.002, 0]),
    ball(0xd9dfe5, [0.048, 0.012, 0.03], [0.075, 0.012, 0]),
  );
}

function ladle(): Shape {
  const cup = move(vessel(STEEL, 0x6d757d, 0.03, 0.048, 0.045), [0.13, 0, 0]);
  return shape(
    cup,
    rod(STEEL, [0.085, 0.042, 0], [-0.16, 0.075, 0], 0.008),
    rod(BLACK, [-0.16, 0.075, 0], [-0.08, 0.065, 0], 0.012),
  );
}

function spatula(): Shape {
  const slots = [-0.02, 0, 0.02].map((z) => box(BLACK, [0.06, 0.002, 0.007], [0.13, 0.014, z]));
  return shape(
    box(STEEL, [0.1, 0.006, 0.08], [0.13, 0.008, 0]),
    ...slots,
    rod(0xc22f2f, [0.08, 0.012, 0], [-0.17, 0.035, 0], 0.011),
  );
}

function pan(): Shape {
  return shape(
    vessel(BLACK, 0x55575e, 0.11, 0.135, 0.045, 0.008, 18),
    box(BLACK, [0.035, 0.018, 0.18], [0, 0.03, 0.215]),
    ball(0xb03a2a, [0.02, 0.012, 0.03], [0, 0.039, 0.3]),
  );
}

function pot(): Shape {
  const ears = [-1, 1].map((side) => box(BLACK, [0.055, 0.014, 0.07], [0.145 * side, 0.1, 0]));
  return shape(
    vessel(STEEL, 0x747b83, 0.12, 0.12, 0.13, 0.01, 18),
    ring(0x8d949c, 0.12, 0.006, [0, 0.13, 0], 18),
    ...ears,
  );
}

function kettle(): Shape {
  const body = turned(
    0xb5432f,
    [
      [0, 0],
      [0.105, 0],
      [0.115, 0.03],
      [0.095, 0.1],
      [0.045, 0.135],
      [0, 0.138],
    ],
    16,
  );
  const grip = move(turn(ring(BLACK, 0.068, 0.01), [Math.PI / 2, 0, 0]), [0, 0.155, 0]);
  return shape(
    body,
    grip,
    ball(BLACK, [0.016, 0.014, 0.016], [0, 0.148, 0]),
    rod(0xb5432f, [-0.085, 0.06, 0], [-0.155, 0.135, 0], 0.017, 8),
  );
}

function mug(): Shape {
  return shape(vessel(0x2f6fb5, 0x21425f, 0.038, 0.042, 0.1), handle(0x2f6fb5, 0.028, 0.052, 0.05));
}

function shaker(body: number, top: number, letter: readonly Triple[]): Shape {
  const marks = letter.map(([x, y, high]) => box(top, [high > 0.01 ? 0.005 : 0.018, high, 0.003], [x, y, 0.03]));
  return shape(
    cylinder(body, 0.03, 0.085, [0, 0, 0], 0.024, 8),
    cylinder(top, 0.025, 0.012, [0, 0.085, 0]),
    ball(top, [0.025, 0.018, 0.025], [0, 0.097, 0]),
    ...marks,
  );
}

function bottle(glass: number, label: number, height: number): Shape {
  const [r, neck] = [height * 0.13, height * 0.045];
  return shape(
    turned(glass, [
      [0, 0],
      [r, 0],
      [r, height * 0.58],
      [neck, height * 0.75],
      [neck, height],
      [0, height],
    ]),
    cylinder(label, r * 1.03, height * 0.26, [0, height * 0.16, 0]),
    cylinder(label, neck * 1.25, height * 0.06, [0, height * 0.95, 0]),
  );
}

export const KITCHENWARE: ObjectModels = {
  bowl: () => vessel(0x3a9ea5, 0x9fdfe0, 0.045, 0.095, 0.075, 0.012, 16),
  butterknife: () =>
    shape(
      box(0xe9dcb8, [0.12, 0.014, 0.02], [-0.06, 0, 0]),
      box(0xe3e8ec, [0.11, 0.006, 0.026], [0.055, 0.003, 0]),
      ball(0xe3e8ec, [0.02, 0.004, 0.013], [0.11, 0.006, 0]),
    ),
  cup: () => shape(vessel(0xe9a13b, 0x8a5a14, 0.028, 0.045, 0.12), ring(0xfff1d0, 0.045, 0.004, [0, 0.118, 0])),
  dishsponge: () => shape(box(0xf2d233, [0.11, 0.032, 0.075]), box(0x2f8a4a, [0.11, 0.014, 0.075], [0, 0.032, 0])),
  fork,
  glassbottle: () => bottle(0x7fc7c0, 0xe6f5f2, 0.24),
  kettle,
  knife: () => blade(BLACK, 0.17, 0.042),
  ladle,
  mug,
  pan,
  papertowelroll: () =>
    shape(
      cylinder(0xf7f7f4, 0.065, 0.25, [0, 0.012, 0], 0.065, 14),
      cylinder(WOOD, 0.075, 0.012),
      cylinder(WOOD, 0.016, 0.3),
      box(0xe6e6e0, [0.004, 0.25, 0.06], [0.066, 0.012, 0.03]),
    ),
  peppershaker: () => shaker(0x33302e, STEEL, []),
  plate: () => stretch(vessel(0xf4f4ee, 0xdcdcd2, 0.075, 0.13, 0.026, 0.012, 20), [1, 1, 1]),
  pot,
  saltshaker: () => shaker(0xfafafa, 0xa9b3bd, []),
  spatula,
  spoon,
  winebottle: () => bottle(0x1d4a2a, 0xe9dfb5, 0.31),
};
