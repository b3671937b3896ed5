/** Scenery of original rooms: windows, chairs, pictures. The origin is the position in the id. */
import { lamp } from './belongings.js';
import type { ObjectModels } from './object-look.js';
import { ball, box, cylinder, glowing, move, rod, type Shape, shape, turn, turned } from './solids.js';

const WHITE = 0xf5f5f2;
const BLACK = 0x24252a;
const WOOD = 0x8a5a30;
const GREEN = 0x3f8f45;

/** A frame with a picture in it, upright around the origin. */
function framed(frame: number, width: number, height: number, inner: Shape): Shape {
  return shape(box(frame, [width, height, 0.03], [0, -height / 2, 0]), move(inner, [0, 0, 0.017]));
}

const pane = (color: number, w: number, h: number, x = 0, y = 0) => box(color, [w, h, 0.004], [x, y - h / 2, 0]);

function chair(): Shape {
  const rails = [0.55, 0.68, 0.81].map((y) => box(WOOD, [0.38, 0.05, 0.025], [0, y, -0.19]));
  return shape(
    box(0xa9713d, [0.42, 0.04, 0.42], [0, 0.43, 0]),
    ...[-1, 1].flatMap((x) => [
      box(WOOD, [0.04, 0.43, 0.04], [x * 0.19, 0, 0.18]),
      box(WOOD, [0.04, 0.88, 0.04], [x * 0.19, 0, -0.19]),
    ]),
    ...rails,
  );
}

function curtains(): Shape {
  const folds = [-4, -3, -2, 2, 3, 4].map((at) =>
    cylinder(at % 2 ? 0xc9637a : 0xa94a63, 0.07, 1.6, [at * 0.13, -0.8, 0], 0.07, 8),
  );
  return shape(...folds, box(WOOD, [1.3, 0.04, 0.04], [0, 0.8, 0]));
}

function housePlant(): Shape {
  const leaves = [0, 1, 2, 3, 4, 5, 6].map((leaf) =>
    turn(
      turn(ball(leaf % 2 ? GREEN : 0x5fb058, [0.035, 0.14, 0.012], [0, 0.26, 0], 4, 6), [
        0.2 + 0.12 * (leaf % 3),
        0,
        0,
      ]),
      [0, leaf * 0.9, 0],
    ),
  );
  return shape(
    turned(0xb5622f, [
      [0, 0],
      [0.06, 0],
      [0.085, 0.13],
      [0, 0.13],
    ]),
    ...leaves,
  );
}

/** The renderer has no transparency, so glass is drawn as its frame and two highlights. */
function glassPanel(): Shape {
  const steel = 0xb9c1ca;
  const corners = [
    [-0.4, -0.95],
    [0.4, -0.95],
    [0.4, 0.95],
    [-0.4, 0.95],
  ] as const;
  const edges = corners.map(([x, y], index) => {
    const [toX, toY] = corners[(index + 1) % 4]!;
    return rod(steel, [x, y, 0], [toX, toY, 0], 0.018);
  });
  return shape(
    ...edges,
    rod(0xd6eef5, [-0.25, 0.3, 0], [0.05, 0.75, 0], 0.008),
    rod(0xd6eef5, [-0.15, 0.1, 0], [0.25, 0.7, 0], 0.005),
  );
}

function television(): Shape {
  return shape(
    box(BLACK, [0.95, 0.56, 0.05], [0, 0.06, 0]),
    box(0x3d4c66, [0.88, 0.49, 0.006], [0, 0.095, 0.026]),
    box(0x6f86ad, [0.3, 0.4, 0.002], [-0.2, 0.14, 0.03]),
    box(BLACK, [0.34, 0.03, 0.18]),
    box(BLACK, [0.08, 0.07, 0.04]),
  );
}

export const FITTINGS: ObjectModels = {
  blinds: () =>
    shape(
      ...Array.from({ length: 14 }, (_, row) =>
        turn(box(row % 2 ? 0xd9d2c0 : 0xf0eadc, [0.9, 0.05, 0.01], [0, 0.5 - row * 0.07, 0]), [0, 0, 0]),
      ),
    ),
  chair,
  curtains,
  desklamp: ({ lit }) => lamp(lit, 0.42, 1),
  faucet: () => shape(cylinder(0xb9c1ca, 0.02, 0.14), box(0xb9c1ca, [0.03, 0.03, 0.14], [0, 0.13, 0.06])),
  floorlamp: ({ lit }) => lamp(lit, 1.5, 1.8),
  houseplant: housePlant,
  lightswitch: () => framed(WHITE, 0.1, 0.14, shape(box(0xc9c9c2, [0.03, 0.05, 0.015], [0, -0.025, 0]))),
  mirror: () =>
    framed(0xa8813f, 0.62, 0.8, shape(pane(0xbfe0ee, 0.54, 0.72), turn(pane(0xe9f7fc, 0.07, 0.6), [0, 0, -0.5]))),
  painting: () =>
    framed(
      0x7a4f22,
      0.7,
      0.5,
      shape(
        pane(0x9fcbe8, 0.6, 0.4),
        move(pane(GREEN, 0.6, 0.16, 0, -0.12), [0, 0, 0.002]),
        glowing(move(pane(0xf6d34a, 0.08, 0.08, 0.18, 0.1), [0, 0, 0.002])),
        move(pane(0x8c5a3a, 0.12, 0.12, -0.12, -0.02), [0, 0, 0.004]),
      ),
    ),
  poster: () =>
    framed(
      WHITE,
      0.5,
      0.7,
      shape(
        pane(0xd94f3a, 0.46, 0.66),
        move(pane(0xf4e9c8, 0.3, 0.12, 0, 0.18), [0, 0, 0.002]),
        move(turn(cylinder(0x2b3c5f, 0.13, 0.004, [0, 0, 0], 0.13, 16), [Math.PI / 2, 0, 0]), [0, -0.1, 0.004]),
      ),
    ),
  showerdoor: glassPanel,
  showerglass: glassPanel,
  stoveknob: () => move(turn(cylinder(BLACK, 0.028, 0.03), [Math.PI / 2, 0, 0]), [0, 0, 0]),
  television,
  window: () =>
    framed(
      WHITE,
      1,
      1.1,
      shape(
        ...[-1, 1].flatMap((x) =>
          [-1, 1].map((y) => glowing(pane(y > 0 ? 0xa9d8f5 : 0xc7e8cf, 0.43, 0.48, x * 0.235, y * 0.26))),
        ),
      ),
    ),
};
