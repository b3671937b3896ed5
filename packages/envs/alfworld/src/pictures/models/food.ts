/** Food, whole and sliced. */

import type { ObjectModels } from './object-look.js';
import { ball, box, cylinder, halfBall, move, type Shape, shape, type Triple, turn, turned } from './solids.js';

/** Two halves side by side with their cuts facing up. */
function halves(half: Shape, apart: number, height: number): Shape {
  return shape(...[-1, 1].map((side) => move(turn(half, [0.5, 0.15 * side, -0.25 * side]), [apart * side, height, 0])));
}

function fruit(skin: number, flesh: number, core: number, size: Triple): (sliced: boolean) => Shape {
  const [rx, ry, rz] = size;
  return (sliced) => {
    if (!sliced) return ball(skin, size, [0, ry, 0]);
    const heart = move(cylinder(core, Math.min(rx, rz) * 0.4, 0.003), [0, -0.001, 0]);
    return halves(shape(halfBall(skin, flesh, size), heart), rx * 1.25, ry);
  };
}

const apple = fruit(0xc81e1e, 0xf7ecc0, 0x7a4a20, [0.05, 0.046, 0.05]);
const tomato = fruit(0xe8391c, 0xff8f70, 0xffd9a0, [0.055, 0.043, 0.055]);
const potato = fruit(0xb58a52, 0xf3e3a4, 0xe8d28a, [0.075, 0.042, 0.05]);
const egg = fruit(0xf2e2c8, 0xffffff, 0xf6b21b, [0.034, 0.044, 0.034]);

/** Leaves around a heart; whole or cut. */
function lettuce(sliced: boolean): Shape {
  const [dark, light] = [0x3f9a2f, 0x8fd05a];
  if (sliced) return halves(halfBall(dark, 0xd9efa0, [0.085, 0.075, 0.085]), 0.1, 0.08);
  const leaves = [0, 1, 2, 3, 4, 5].map((leaf) => {
    const angle = (Math.PI * leaf) / 3;
    return turn(ball(leaf % 2 ? light : dark, [0.055, 0.07, 0.03], [0, 0.07, 0.065]), [0, angle, 0]);
  });
  return shape(ball(light, [0.07, 0.075, 0.07], [0, 0.08, 0]), ...leaves);
}

function bread(sliced: boolean): Shape {
  const [crust, crumb] = [0xb8722c, 0xf3dcae];
  const loaf = (length: number): Shape => {
    const arch = turn(
      turned(
        crust,
        [
          [0, 0],
          [0.055, 0],
          [0.055, length],
          [0, length],
        ],
        10,
      ),
      [0, 0, Math.PI / 2],
    );
    return shape(move(arch, [length / 2, 0.065, 0]), box(crust, [length, 0.065, 0.11]));
  };
  const cuts = (at: number) =>
    shape(
      box(crumb, [0.004, 0.06, 0.09], [at, 0.008, 0]),
      move(turn(cylinder(crumb, 0.046, 0.004, [0, 0, 0], 0.046, 10), [0, 0, Math.PI / 2]), [at + 0.002, 0.065, 0]),
    );
  if (!sliced) {
    const scores = [-0.06, 0, 0.06].map((x) => turn(box(crumb, [0.012, 0.004, 0.07], [x, 0.119, 0]), [0, 0.3, 0]));
    return shape(loaf(0.24), ...scores);
  }
  const part = (side: number) => {
    const half = shape(loaf(0.11), cuts(-0.055 * side - 0.002 * side));
    return move(turn(half, [0, 0.5 * side, 0]), [0.09 * side, 0, 0]);
  };
  return shape(part(-1), part(1));
}

const stalk = shape(
  cylinder(0x5b3a1a, 0.004, 0.025, [0, 0.088, 0]),
  ball(0x4fa03a, [0.018, 0.004, 0.009], [0.016, 0.106, 0]),
);
const calyx = shape(
  ...[0, 1, 2, 3, 4].map((leaf) =>
    turn(box(0x2f8a2a, [0.01, 0.004, 0.035], [0, 0.083, 0.014]), [0.12, leaf * 1.257, 0]),
  ),
  cylinder(0x2f8a2a, 0.004, 0.02, [0, 0.083, 0]),
);
const eyes = shape(
  ...[
    [0.03, 0.07, 0.03],
    [-0.035, 0.06, 0.036],
    [0.01, 0.08, -0.01],
    [-0.02, 0.045, 0.046],
  ].map((at) => ball(0x7c5a30, [0.006, 0.004, 0.005], at as unknown as Triple, 4, 6)),
);

export const FOOD: ObjectModels = {
  apple: ({ sliced }) => (sliced ? apple(true) : shape(apple(false), stalk)),
  bread: ({ sliced }) => bread(sliced),
  egg: ({ sliced }) => egg(sliced),
  lettuce: ({ sliced }) => lettuce(sliced),
  potato: ({ sliced }) => (sliced ? potato(true) : shape(potato(false), eyes)),
  tomato: ({ sliced }) => (sliced ? tomato(true) : shape(tomato(false), calyx)),
};
