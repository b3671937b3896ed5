/** Models of clothes, shoes and bags. */
import {
  arc,
  ball,
  box,
  cut,
  type Materials,
  type Model,
  mirrored,
  type Point,
  rod,
  rounded,
  tube,
  turned,
} from '../parts.js';

type Build = (materials: Materials) => Model;

/** A top, laid flat. @param hem  Half its width at the hem, and the height of the hem. */
function top(m: Materials, [width, hem]: Point, sleeve: readonly Point[], neck = 0.16) {
  return cut(m.body, mirrored([[0, 2.2 - neck], [0.3, 2.3], [0.72, 2.16], ...sleeve, [0.56, 1.5], [width, hem]]), 0.22);
}

const SHORT_SLEEVE: readonly Point[] = [
  [1.12, 1.72],
  [0.86, 1.5],
  [0.62, 1.72],
];
const LONG_SLEEVE: readonly Point[] = [
  [1.28, 0.62],
  [1.02, 0.54],
  [0.68, 1.62],
];

/** The side of a shoe; the toe points to the right. */
const SOLE: readonly Point[] = [
  [-1.1, 0],
  [0.95, 0],
  [1.2, 0.06],
  [1.22, 0.18],
  [-1.12, 0.18],
];

/** The sole of a sandal from above; the toes are up. */
const FOOTPRINT: readonly Point[] = [
  ...arc([0, 0.55], [0.46, 0.5], 0, 180, 12),
  [-0.34, -0.2],
  ...arc([0, -0.8], [0.36, 0.36], 180, 360, 12),
  [0.34, -0.2],
];

export const FASHION: Readonly<Record<string, Build>> = {
  "women's dresses": (m) => ({
    parts: [
      cut(
        m.body,
        mirrored([
          [0, 2.2],
          [0.16, 2.24],
          [0.26, 2.62],
          [0.36, 2.62],
          [0.44, 2.2],
          [0.34, 1.6],
          [0.6, 0.9],
          [0.86, 0.1],
          [0.4, 0.02],
        ]),
        0.26,
      ),
      box(m.shade, [0.74, 0.1, 0.3], [0, 1.58, 0]),
    ],
    yaw: 14,
    pitch: 6,
  }),
  "women's blouses": (m) => ({
    parts: [
      top(
        m,
        [0.68, 0.35],
        [
          [1.2, 1.1],
          [1.02, 0.86],
          [0.6, 1.6],
        ],
        0.34,
      ),
      ...[1.5, 1.2, 0.9, 0.6].map((y) => ball(m.white, 0.045, [0, y, 0.12])),
      cut(
        m.shade,
        [
          [0, 1.86],
          [0.3, 2.3],
          [0.42, 2.05],
        ],
        0.06,
        [0, 0, 0.12],
      ),
      cut(
        m.shade,
        [
          [0, 1.86],
          [-0.3, 2.3],
          [-0.42, 2.05],
        ],
        0.06,
        [0, 0, 0.12],
      ),
    ],
    yaw: 12,
    pitch: 6,
  }),
  "women's sandals": (m) => ({
    parts: [-0.55, 0.55].flatMap((x) => [
      cut(
        m.wood,
        FOOTPRINT.map(([across, along]): Point => [x + across, along]),
        0.16,
        [0, 0.1, 0],
        [-Math.PI / 2, 0, 0],
      ),
      cut(
        m.cream,
        FOOTPRINT.map(([across, along]): Point => [x + 0.9 * across, 0.94 * along]),
        0.05,
        [0, 0.2, 0],
        [-Math.PI / 2, 0, 0],
      ),
      ...[-0.5, -0.2].map((z) =>
        tube(
          m.body,
          [
            [x - 0.4, 0.16, z],
            [x - 0.26, 0.44, z],
            [x, 0.52, z],
            [x + 0.26, 0.44, z],
            [x + 0.4, 0.16, z],
          ],
          0.13,
        ),
      ),
      tube(
        m.body,
        [
          [x - 0.32, 0.2, 0.6],
          [x - 0.3, 0.6, 0.86],
          [x, 0.7, 1],
          [x + 0.3, 0.6, 0.86],
          [x + 0.32, 0.2, 0.6],
        ],
        0.07,
      ),
    ]),
    yaw: 215,
    pitch: 34,
  }),
  "women's boots": (m) => ({
    parts: [
      cut(
        m.body,
        [
          [-0.9, 0.16],
          [1.05, 0.16],
          [1.14, 0.4],
          [0.7, 0.66],
          [0, 0.86],
          [-0.08, 2.1],
          [-0.92, 2.1],
          [-0.98, 0.9],
        ],
        0.7,
      ),
      cut(m.black, SOLE, 0.78),
      box(m.black, [0.5, 0.2, 0.7], [-0.8, -0.06, 0]),
      cut(m.shade, rounded(0.86, 0.14, 0.05), 0.74, [-0.5, 2.02, 0]),
      cut(m.shade, rounded(0.3, 1.1, 0.1), 0.74, [-0.46, 1.3, 0]),
    ],
    yaw: 26,
    pitch: 12,
  }),
  "men's t-shirts": (m) => ({
    parts: [
      top(m, [0.7, 0.2], SHORT_SLEEVE),
      tube(
        m.shade,
        [
          [-0.3, 2.28, 0.1],
          [0, 2.06, 0.13],
          [0.3, 2.28, 0.1],
        ],
        0.04,
      ),
    ],
    yaw: 12,
    pitch: 6,
  }),
  "men's trousers": (m) => ({
    parts: [
      cut(
        m.body,
        mirrored([
          [0, 2.4],
          [0.56, 2.4],
          [0.64, 1.9],
          [0.6, 0],
          [0.2, 0],
          [0.08, 1.55],
        ]),
        0.24,
      ),
      box(m.shade, [1.14, 0.14, 0.28], [0, 2.34, 0]),
      box(m.white, [0.08, 0.08, 0.3], [0, 2.34, 0]),
      cut(
        m.shade,
        [
          [0.3, 2.1],
          [0.58, 2],
          [0.6, 1.94],
          [0.28, 2.04],
        ],
        0.28,
      ),
      cut(
        m.shade,
        [
          [-0.3, 2.1],
          [-0.58, 2],
          [-0.6, 1.94],
          [-0.28, 2.04],
        ],
        0.28,
      ),
    ],
    yaw: 14,
    pitch: 6,
  }),
  "men's jackets": (m) => ({
    parts: [
      top(m, [0.78, 0.4], LONG_SLEEVE, 0.1),
      box(m.metal, [0.06, 1.76, 0.27], [0, 1.3, 0]),
      cut(
        m.shade,
        mirrored([
          [0, 2.12],
          [0.36, 2.42],
          [0.46, 2.16],
          [0.1, 1.9],
        ]),
        0.3,
      ),
      ...[-0.42, 0.42].map((x) => box(m.shade, [0.36, 0.06, 0.27], [x, 0.95, 0], [0, 0, x > 0 ? 0.4 : -0.4])),
      box(m.shade, [1.5, 0.12, 0.27], [0, 0.42, 0]),
    ],
    yaw: 12,
    pitch: 6,
  }),
  "men's sneakers": (m) => ({
    parts: [
      cut(
        m.body,
        [
          [-1.08, 0.16],
          [1.1, 0.16],
          [1.16, 0.42],
          [0.62, 0.62],
          [0.1, 1.02],
          [-0.24, 1.16],
          [-0.5, 0.94],
          [-0.9, 1.12],
          [-1.12, 1.05],
        ],
        0.74,
      ),
      cut(m.white, SOLE, 0.84),
      ...[0, 1, 2, 3].map((row) => box(m.white, [0.06, 0.06, 0.5], [0.52 - row * 0.17, 0.74 + row * 0.125, 0])),
      cut(
        m.shade,
        [
          [-0.3, 0.34],
          [0.2, 0.34],
          [0.5, 0.6],
          [0.3, 0.64],
          [0.05, 0.46],
          [-0.24, 0.46],
        ],
        0.78,
      ),
      cut(
        m.shade,
        [
          [-1.1, 0.2],
          [-0.8, 0.2],
          [-0.86, 0.72],
          [-1.12, 0.8],
        ],
        0.77,
      ),
    ],
    yaw: 30,
    pitch: 16,
  }),
  hats: (m) => ({
    parts: [
      turned(m.body, [
        [0.9, 0.3],
        [0.88, 0.7],
        [0.72, 1.05],
        [0.4, 1.26],
        [0, 1.32],
      ]),
      turned(m.shade, [
        [0.92, 0.24],
        [0.92, 0.44],
      ]),
      cut(
        m.shade,
        [...arc([0, 0], [0.9, 0.9], 0, 180, 14), ...arc([0, -0.1], [0.86, 0.3], 180, 360, 1)],
        0.08,
        [0, 0.28, 0.55],
        [Math.PI / 2, 0, 0],
      ),
      ball(m.shade, 0.09, [0, 1.32, 0]),
    ],
    yaw: 30,
    pitch: 18,
  }),
  backpacks: (m) => ({
    parts: [
      cut(m.body, [...arc([0, 1.5], [0.78, 0.72], 0, 180, 14), [-0.84, 0.12], [0.84, 0.12]], 0.8),
      cut(m.shade, rounded(1.24, 0.84, 0.16), 0.3, [0, 0.6, 0.46]),
      box(m.metal, [1.06, 0.04, 0.04], [0, 0.9, 0.62]),
      tube(
        m.metal,
        arc([0, 1.4], [0.62, 0.56], 10, 170, 8).map(([x, y]) => [x, y, 0.42] as const),
        0.022,
      ),
      tube(
        m.black,
        [
          [-0.2, 2.15, 0],
          [-0.14, 2.42, 0],
          [0.14, 2.42, 0],
          [0.2, 2.15, 0],
        ],
        0.05,
      ),
      ...[-0.6, 0.6].map((x) =>
        tube(
          m.black,
          [
            [x, 2, -0.4],
            [x * 1.2, 1.4, -0.7],
            [x * 1.1, 0.4, -0.5],
          ],
          0.08,
        ),
      ),
      rod(m.white, [0.14, 0.14, 0.05], [0.3, 0.62, 0.62], [Math.PI / 2, 0, 0]),
    ],
  }),
};
