/** Objects of living rooms and bedrooms. */
import type { ObjectModels } from './object-look.js';
import { ball, box, cylinder, glowing, move, ring, rod, type Shape, shape, turn, turned } from './solids.js';

const BLACK = 0x232327;
const WHITE = 0xf6f6f2;
const STEEL = 0xb4bbc4;
const GOLD = 0xd9a521;

function alarmClock(): Shape {
  const face = (color: number, radius: number, z: number) =>
    move(turn(cylinder(color, radius, 0.012, [0, 0, 0], radius, 16), [Math.PI / 2, 0, 0]), [0, 0.065, z]);
  return shape(
    move(turn(cylinder(0xc8343a, 0.062, 0.05, [0, 0, 0], 0.062, 16), [Math.PI / 2, 0, 0]), [0, 0.065, -0.025]),
    face(WHITE, 0.051, 0.016),
    box(BLACK, [0.006, 0.034, 0.004], [0, 0.065, 0.027]),
    box(BLACK, [0.026, 0.006, 0.004], [0.013, 0.062, 0.027]),
    ...[-1, 1].map((side) => ball(GOLD, [0.026, 0.02, 0.02], [0.036 * side, 0.132, 0])),
    ...[-1, 1].map((side) => rod(BLACK, [0.03 * side, 0.02, 0], [0.05 * side, 0, 0], 0.006)),
  );
}

/** Lies along x, with its thick end to the right. */
function baseballBat(): Shape {
  const upright = turned(0xc48a46, [
    [0, 0],
    [0.028, 0],
    [0.028, 0.015],
    [0.015, 0.04],
    [0.018, 0.3],
    [0.037, 0.52],
    [0.038, 0.68],
    [0.024, 0.72],
    [0, 0.725],
  ]);
  const grip = cylinder(BLACK, 0.018, 0.16, [0, 0.03, 0]);
  return move(turn(shape(upright, grip), [0, 0, -Math.PI / 2]), [-0.36, 0.04, 0]);
}

function basketBall(): Shape {
  const seam = (angles: readonly [number, number, number]) =>
    move(turn(ring(BLACK, 0.119, 0.004, [0, 0, 0], 18), angles), [0, 0.12, 0]);
  return shape(
    ball(0xe2762a, [0.12, 0.12, 0.12], [0, 0.12, 0], 9, 16),
    seam([0, 0, 0]),
    seam([Math.PI / 2, 0, 0]),
    seam([Math.PI / 2, Math.PI / 2, 0]),
  );
}

function book(): Shape {
  return shape(
    box(0x7a2f8f, [0.17, 0.006, 0.23]),
    box(0xf5efdc, [0.16, 0.03, 0.22], [0.003, 0.006, 0]),
    box(0x7a2f8f, [0.17, 0.006, 0.23], [0, 0.036, 0]),
    box(0x7a2f8f, [0.008, 0.042, 0.23], [-0.083, 0, 0]),
    box(GOLD, [0.09, 0.002, 0.03], [0, 0.042, -0.04]),
  );
}

function boots(): Shape {
  const boot = (x: number) =>
    shape(
      box(0x5f3b1e, [0.085, 0.2, 0.1], [x, 0.02, -0.06]),
      box(0x5f3b1e, [0.085, 0.08, 0.16], [x, 0.02, 0.06], [0.9, 0.8]),
      box(BLACK, [0.09, 0.022, 0.25], [x, 0, 0.015]),
      box(0x3a2412, [0.07, 0.004, 0.08], [x, 0.219, -0.06]),
    );
  return shape(boot(-0.06), boot(0.06));
}

/** With open flaps. */
function cardboardBox(): Shape {
  const [side, inside] = [0xb98a55, 0x6e4c28];
  const [w, h, d] = [0.3, 0.2, 0.24];
  return shape(
    box(side, [w, 0.01, d]),
    ...[-1, 1].flatMap((x) => [
      box(side, [0.01, h, d], [(x * w) / 2, 0, 0]),
      box(side, [w, h, 0.01], [0, 0, (x * d) / 2]),
    ]),
    box(inside, [w - 0.02, 0.012, d - 0.02]),
    ...[-1, 1].map((x) =>
      move(turn(box(0xcda06a, [0.1, 0.006, d], [0.05 * x, 0, 0]), [0, 0, 0.5 * x]), [(x * w) / 2, h, 0]),
    ),
    box(0xe6cfa0, [0.05, 0.004, 0.003], [0, 0.1, d / 2 + 0.006]),
  );
}

function cd(): Shape {
  return shape(
    cylinder(0xc9d4e6, 0.075, 0.005, [0, 0, 0], 0.075, 20),
    cylinder(0x8fa7e0, 0.06, 0.001, [0, 0.005, 0], 0.06, 20),
    cylinder(0xe0b6e8, 0.042, 0.001, [0, 0.006, 0], 0.042, 16),
    cylinder(WHITE, 0.024, 0.001, [0, 0.007, 0]),
    cylinder(BLACK, 0.01, 0.001, [0, 0.008, 0]),
  );
}

function cellPhone(): Shape {
  const keys = [-1, 0, 1].map((x) => box(0xe8f1ff, [0.012, 0.001, 0.012], [x * 0.019, 0.015, 0.028]));
  return shape(
    box(BLACK, [0.085, 0.013, 0.165]),
    glowing(box(0x4aa3ff, [0.075, 0.002, 0.13], [0, 0.013, -0.004])),
    ...keys,
  );
}

function creditCard(): Shape {
  return shape(
    box(0x1f58c7, [0.12, 0.004, 0.076]),
    box(BLACK, [0.12, 0.001, 0.016], [0, 0.004, -0.02]),
    box(GOLD, [0.022, 0.001, 0.018], [-0.035, 0.004, 0.008]),
    box(WHITE, [0.06, 0.001, 0.007], [0.02, 0.004, 0.024]),
  );
}

function keyChain(): Shape {
  const key = (angle: number) =>
    turn(
      shape(
        box(GOLD, [0.012, 0.005, 0.07], [0, 0, 0.075]),
        cylinder(GOLD, 0.02, 0.006, [0, 0, 0.038]),
        box(GOLD, [0.026, 0.005, 0.008], [0.008, 0, 0.1]),
      ),
      [0, angle, 0],
    );
  return shape(
    ring(STEEL, 0.03, 0.004, [0, 0.004, 0]),
    key(-0.5),
    key(0.35),
    turn(box(0xd8323a, [0.035, 0.008, 0.06], [0, 0, 0.062]), [0, 2.6, 0]),
  );
}

function laptop(): Shape {
  const keyboard = [0, 1, 2, 3].map((row) => box(BLACK, [0.25, 0.002, 0.018], [0, 0.018, -0.06 + 0.028 * row]));
  const lid = shape(
    box(0x8b929b, [0.32, 0.21, 0.012]),
    glowing(box(0x9fd0ff, [0.29, 0.175, 0.003], [0, 0.02, 0.007])),
    glowing(box(0xffffff, [0.12, 0.02, 0.001], [-0.06, 0.14, 0.009])),
  );
  return shape(
    box(0xa4abb4, [0.32, 0.018, 0.22]),
    ...keyboard,
    box(0x7d848c, [0.08, 0.001, 0.045], [0, 0.018, 0.075]),
    move(turn(lid, [-0.3, 0, 0]), [0, 0.015, -0.11]),
  );
}

function newspaper(): Shape {
  const lines = [0, 1, 2, 3, 4].map((row) =>
    box(0x77777a, [0.1, 0.001, 0.008], [row % 2 ? 0.06 : -0.06, 0.021, -0.03 + 0.025 * row]),
  );
  return shape(
    box(0xe9e7de, [0.28, 0.02, 0.22]),
    box(BLACK, [0.22, 0.001, 0.026], [0, 0.02, -0.075]),
    ...lines,
    box(0x9a9a9c, [0.09, 0.001, 0.06], [-0.06, 0.0205, 0.055]),
    box(0xcfcdc2, [0.28, 0.024, 0.008], [0, 0, 0.108]),
  );
}

/** Pens and pencils lie along x. */
function pen(): Shape {
  return shape(
    rod(0x1a3fb0, [-0.08, 0.01, 0], [0.06, 0.01, 0], 0.01, 8),
    rod(WHITE, [0.06, 0.01, 0], [0.085, 0.01, 0], 0.006, 8),
    rod(BLACK, [0.085, 0.01, 0], [0.095, 0.01, 0], 0.003),
    box(STEEL, [0.05, 0.004, 0.005], [-0.05, 0.019, 0]),
  );
}

function pencil(): Shape {
  return shape(
    rod(0xf4c01e, [-0.08, 0.009, 0], [0.07, 0.009, 0], 0.009),
    rod(0xe87a8c, [-0.105, 0.009, 0], [-0.088, 0.009, 0], 0.009),
    rod(STEEL, [-0.088, 0.009, 0], [-0.08, 0.009, 0], 0.0095),
    move(turn(cylinder(0xe8c890, 0.009, 0.025, [0, 0, 0], 0.003, 6), [0, 0, -Math.PI / 2]), [0.07, 0.009, 0]),
    rod(BLACK, [0.09, 0.009, 0], [0.1, 0.009, 0], 0.003),
  );
}

function pillow(): Shape {
  return shape(
    ball(0x8fb4e8, [0.27, 0.075, 0.18], [0, 0.075, 0], 8, 16),
    box(0x6f97d4, [0.5, 0.012, 0.33], [0, 0.069, 0]),
  );
}

function remoteControl(): Shape {
  const buttons = [0, 1, 2, 3].flatMap((row) =>
    [-1, 0, 1].map((column) =>
      box(row === 0 ? 0xe03a3a : 0xc9cdd2, [0.009, 0.003, 0.009], [column * 0.015, 0.022, -0.06 + row * 0.028]),
    ),
  );
  return shape(box(BLACK, [0.062, 0.022, 0.19], [0, 0, 0], [0.9, 0.97]), ...buttons);
}

/** A bust on a block. */
function statue(): Shape {
  const stone = 0xcfc4ae;
  return shape(
    box(0x5a5048, [0.1, 0.04, 0.1]),
    turned(
      stone,
      [
        [0, 0.04],
        [0.045, 0.04],
        [0.028, 0.075],
        [0.065, 0.12],
        [0.05, 0.15],
        [0.02, 0.165],
        [0.02, 0.18],
      ],
      10,
    ),
    ball(stone, [0.038, 0.048, 0.042], [0, 0.22, 0]),
    box(stone, [0.012, 0.02, 0.016], [0, 0.208, 0.04]),
  );
}

function teddyBear(): Shape {
  const [fur, light] = [0xa66a35, 0xe0b880];
  return shape(
    ball(fur, [0.085, 0.1, 0.075], [0, 0.1, 0]),
    ball(light, [0.055, 0.065, 0.03], [0, 0.1, 0.055]),
    ball(fur, [0.07, 0.065, 0.065], [0, 0.245, 0]),
    ball(light, [0.03, 0.024, 0.025], [0, 0.23, 0.058]),
    ball(BLACK, [0.01, 0.008, 0.008], [0, 0.24, 0.083]),
    ...[-1, 1].flatMap((side) => [
      ball(fur, [0.026, 0.026, 0.015], [0.056 * side, 0.302, 0]),
      ball(BLACK, [0.008, 0.008, 0.006], [0.028 * side, 0.262, 0.058]),
      ball(fur, [0.032, 0.055, 0.032], [0.1 * side, 0.125, 0.02]),
      ball(fur, [0.038, 0.036, 0.06], [0.06 * side, 0.035, 0.07]),
    ]),
  );
}

function tennisRacket(): Shape {
  const head = (color: number, thickness: number) => ring(color, 0.125, thickness, [0, 0.014, 0], 20);
  const strings = [-2, -1, 0, 1, 2].flatMap((at) => {
    const half = Math.sqrt(0.0156 - (at * 0.04) ** 2);
    return [
      box(0xf4f4e0, [half * 2, 0.004, 0.005], [0, 0.012, at * 0.04]),
      box(0xf4f4e0, [0.005, 0.004, half * 2], [at * 0.04, 0.012, 0]),
    ];
  });
  return shape(
    head(0xd5402f, 0.012),
    ...strings,
    box(0xd5402f, [0.025, 0.02, 0.11], [0, 0.005, 0.185]),
    box(BLACK, [0.034, 0.03, 0.18], [0, 0, 0.32]),
  );
}

function vase(): Shape {
  return shape(
    turned(
      0x8a4fc0,
      [
        [0, 0],
        [0.045, 0],
        [0.07, 0.07],
        [0.06, 0.13],
        [0.028, 0.18],
        [0.042, 0.22],
        [0.036, 0.22],
        [0.02, 0.18],
      ],
      14,
    ),
    turned(
      0xe6c6ff,
      [
        [0.0715, 0.06],
        [0.0695, 0.09],
      ],
      14,
    ),
  );
}

/** A wrist watch with its strap closed. */
function watch(): Shape {
  const strap = move(turn(ring(0x6b3f1f, 0.04, 0.007), [Math.PI / 2, 0, 0]), [0, 0.045, -0.01]);
  return shape(
    strap,
    move(strap, [0, 0, 0.014]),
    move(
      turn(
        shape(
          cylinder(GOLD, 0.03, 0.014),
          cylinder(WHITE, 0.024, 0.002, [0, 0.014, 0]),
          box(BLACK, [0.004, 0.002, 0.02], [0, 0.016, -0.008]),
          box(BLACK, [0.014, 0.002, 0.004], [0.006, 0.016, 0]),
        ),
        [0.5, 0, 0],
      ),
      [0, 0.082, 0.008],
    ),
  );
}

/** A desk lamp or floor lamp: foot, pole, shade. */
export function lamp(lit: boolean, height: number, scale: number): Shape {
  const r = 0.11 * scale;
  const shade = turned(
    lit ? 0xffe79a : 0xc9bfa5,
    [
      [r, height - r * 1.3],
      [r * 0.55, height],
      [0, height],
    ],
    16,
  );
  const bulb = ball(lit ? 0xfffbe0 : 0x8f8a7c, [r * 0.35, r * 0.4, r * 0.35], [0, height - r * 1.25, 0]);
  return shape(
    cylinder(0x3d4350, r * 0.8, 0.02),
    cylinder(0x3d4350, 0.009 * scale, height - r, [0, 0.02, 0]),
    lit ? glowing(shape(shade, bulb)) : shape(shade, bulb),
  );
}

export const BELONGINGS: ObjectModels = {
  alarmclock: alarmClock,
  baseballbat: baseballBat,
  basketball: basketBall,
  book,
  boots,
  box: cardboardBox,
  cd,
  cellphone: cellPhone,
  creditcard: creditCard,
  keychain: keyChain,
  laptop,
  newspaper,
  pen,
  pencil,
  pillow,
  remotecontrol: remoteControl,
  statue,
  teddybear: teddyBear,
  tennisracket: tennisRacket,
  vase,
  watch,
};
