/** Models of furniture and what stands, lies or hangs next to it. */
import { ball, box, cut, type Materials, type Model, type Place, rod, rounded, tube, turned } from '../parts.js';

type Build = (materials: Materials) => Model;

const CORNERS: readonly (readonly [number, number])[] = [
  [-1, -1],
  [1, -1],
  [-1, 1],
  [1, 1],
];

/** Four legs that stand under a top. */
const legs = (m: Materials, [x, height, z]: Place, thickness = 0.06) =>
  CORNERS.map(([left, front]) => rod(m.wood, [thickness * 0.8, thickness, height], [left * x, height / 2, front * z]));

export const GARDEN: Readonly<Record<string, Build>> = {
  sofas: (m) => ({
    parts: [
      box(m.body, [2.6, 0.36, 1.1], [0, 0.42, 0]),
      cut(m.body, rounded(2.6, 0.9, 0.14), 0.3, [0, 0.86, -0.46]),
      ...[-1.34, 1.34].map((x) => cut(m.body, rounded(1.1, 0.62, 0.12), 0.28, [x, 0.54, 0.02], [0, Math.PI / 2, 0])),
      ...[-0.6, 0.6].map((x) => cut(m.plain, rounded(1.16, 0.9, 0.1), 0.24, [x, 0.7, 0.1], [-Math.PI / 2, 0, 0])),
      ...[-0.6, 0.6].map((x) => cut(m.shade, rounded(1.1, 0.56, 0.12), 0.2, [x, 1.02, -0.22], [-0.2, 0, 0])),
      ...legs(m, [1.2, 0.24, 0.42]),
    ],
    yaw: 24,
    pitch: 18,
  }),
  'bar stools': (m) => ({
    parts: [
      turned(m.body, [
        [0, 1.86],
        [0.55, 1.86],
        [0.6, 1.94],
        [0.56, 2.06],
        [0, 2.1],
      ]),
      cut(m.body, rounded(1, 0.46, 0.16), 0.12, [0, 2.4, -0.46], [-0.15, 0, 0]),
      ...CORNERS.map(([x, z]) => rod(m.wood, [0.05, 0.06, 1.94], [x * 0.42, 0.95, z * 0.42], [-z * 0.08, 0, x * 0.08])),
      ...[-0.44, 0.44].flatMap((at) => [
        rod(m.metal, [0.035, 0.035, 0.9], [0, 0.6, at], [0, 0, Math.PI / 2]),
        rod(m.metal, [0.035, 0.035, 0.9], [at, 0.6, 0], [Math.PI / 2, 0, 0]),
      ]),
    ],
    pitch: 18,
  }),
  desks: (m) => ({
    parts: [
      box(m.body, [2.7, 0.1, 1.2], [0, 1.3, 0]),
      box(m.plain, [0.8, 0.86, 1.08], [0.86, 0.82, 0]),
      ...[0.62, 0.9, 1.12].map((y) => box(m.shade, [0.7, 0.2, 0.04], [0.86, y, 0.55])),
      ...[0.62, 0.9, 1.12].map((y) => ball(m.metal, 0.04, [0.86, y, 0.6])),
      ...legs(m, [1.2, 1.26, 0.5]),
      box(m.white, [0.5, 0.03, 0.36], [-0.5, 1.37, 0.1], [0, 0.2, 0]),
    ],
    yaw: 24,
    pitch: 20,
  }),
  'area rugs': (m) => ({
    parts: [
      box(m.shade, [2.6, 0.05, 1.8], [0, 0.03, 0]),
      box(m.body, [2.4, 0.06, 1.6], [0, 0.04, 0]),
      ...[-1.34, 1.34].flatMap((x) =>
        Array.from({ length: 15 }, (_, index) => box(m.cream, [0.14, 0.03, 0.04], [x, 0.03, -0.84 + index * 0.12])),
      ),
    ],
    pitch: 50,
    yaw: 24,
  }),
  curtains: (m) => ({
    parts: [
      rod(m.metal, [0.05, 0.05, 2.7], [0, 2.4, 0], [0, 0, Math.PI / 2]),
      ...[-1.38, 1.38].map((x) => ball(m.metal, 0.1, [x, 2.4, 0])),
      ...[-1, 1].flatMap((side) =>
        [0, 1, 2, 3, 4].map((fold) =>
          rod(
            fold % 2 ? m.shade : m.body,
            [0.15, 0.12, 2.3],
            [side * (0.55 + fold * 0.16), 1.22, fold % 2 ? -0.04 : 0.06],
            [0, 0, 0],
            18,
          ),
        ),
      ),
    ],
    yaw: 10,
    pitch: 4,
  }),
  'pillow covers': (m) => ({
    parts: [
      ball(m.body, 1, [0, 0.95, 0], [0.98, 0.98, 0.34]),
      cut(
        m.body,
        [
          [-1, -0.05],
          [0, 0.12],
          [1, -0.05],
          [0.86, 0.95],
          [1, 1.95],
          [0, 1.8],
          [-1, 1.95],
          [-0.86, 0.95],
        ],
        0.2,
      ),
      ...CORNERS.map(([x, y]) => ball(m.shade, 0.08, [x * 0.99, 0.95 + y * 0.99, 0])),
    ],
    yaw: 22,
    pitch: 8,
  }),
  'table lamps': (m) => ({
    parts: [
      turned(m.wood, [
        [0, 0],
        [0.46, 0],
        [0.46, 0.08],
        [0.1, 0.14],
        [0.08, 0.3],
      ]),
      turned(m.plain, [
        [0.08, 0.26],
        [0.32, 0.5],
        [0.34, 0.72],
        [0.1, 0.98],
        [0.06, 1.16],
      ]),
      rod(m.metal, [0.04, 0.04, 0.3], [0, 1.2, 0]),
      turned(m.body, [
        [0.72, 1.22],
        [0.44, 2.06],
        [0.4, 2.06],
      ]),
      turned(m.cream, [
        [0.7, 1.23],
        [0, 1.4],
      ]),
    ],
    pitch: 8,
  }),
  'string lights': (m) => {
    const at = (index: number): Place => {
      const angle = index * 0.55;
      const radius = 1.2 - index * 0.03;
      return [radius * Math.cos(angle), 0.06 + 0.05 * (index % 2), radius * Math.sin(angle)];
    };
    return {
      parts: [
        tube(
          m.black,
          Array.from({ length: 26 }, (_, index) => at(index)),
          0.03,
        ),
        ...Array.from({ length: 13 }, (_, index) => {
          const [x, y, z] = at(2 * index);
          return [rod(m.black, [0.06, 0.06, 0.1], [x, y + 0.06, z]), ball(m.body, 0.13, [x, y + 0.2, z], [1, 1.25, 1])];
        }).flat(),
      ],
      pitch: 40,
    };
  },
  'storage jars': (m) => ({
    parts: [
      turned(m.body, [
        [0, 0],
        [0.66, 0],
        [0.72, 0.08],
        [0.72, 1.4],
        [0.6, 1.56],
        [0.6, 1.62],
      ]),
      turned(m.wood, [
        [0.66, 1.6],
        [0.66, 1.82],
        [0.6, 1.86],
        [0, 1.86],
      ]),
      ball(m.wood, 0.14, [0, 1.94, 0]),
      cut(m.white, rounded(0.7, 0.4, 0.06), 0.05, [0, 0.8, 0.71]),
      box(m.black, [0.4, 0.05, 0.02], [0, 0.82, 0.75]),
    ],
    pitch: 20,
  }),
  planters: (m) => ({
    parts: [
      turned(m.body, [
        [0, 0],
        [0.55, 0],
        [0.8, 1.05],
        [0.86, 1.05],
        [0.86, 1.22],
        [0.76, 1.22],
        [0.74, 1.1],
      ]),
      turned(m.wood, [
        [0.76, 1.1],
        [0, 1.14],
      ]),
      ...Array.from({ length: 9 }, (_, index) => {
        const angle = index * 2.4;
        const reach = 0.22 + 0.07 * (index % 4);
        const [x, z] = [reach * Math.cos(angle), reach * Math.sin(angle)];
        return ball(m.green, 0.34, [1.5 * x, 1.56 + 0.12 * (index % 4), 1.5 * z], [0.5, 1.2, 0.5]);
      }),
    ],
    pitch: 18,
  }),
};
