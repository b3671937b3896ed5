/** Models of headphones, speakers, cables and what belongs to a desk. */
import { arc, ball, box, cut, type Materials, type Model, type Place, rod, rounded, tube } from '../parts.js';

type Build = (materials: Materials) => Model;

const QUARTER = Math.PI / 2;

export const ELECTRONICS: Readonly<Record<string, Build>> = {
  headphones: ({ body, shade, black, metal }) => {
    const band = arc([0, 1.1], [0.95, 1.05], 200, -20, 20).map(([x, y]): Place => [x, y, 0]);
    return {
      parts: [
        tube(body, band, 0.11),
        ...[-1, 1].flatMap((side) => [
          rod(metal, [0.05, 0.05, 0.5], [side * 0.93, 0.85, 0]),
          rod(body, [0.46, 0.46, 0.22], [side * 0.98, 0.55, 0], [0, 0, QUARTER]),
          rod(black, [0.42, 0.46, 0.2], [side * 0.8, 0.55, 0], [0, 0, side * QUARTER]),
          rod(shade, [0.3, 0.3, 0.06], [side * 1.1, 0.55, 0], [0, 0, QUARTER]),
        ]),
      ],
      yaw: 38,
    };
  },
  'bluetooth speakers': ({ body, black, metal, white }) => ({
    parts: [
      rod(body, [0.62, 0.62, 2], [0, 0.62, 0], [0, 0, QUARTER], 40),
      ...[-1, 1].flatMap((side) => [
        rod(black, [0.64, 0.64, 0.12], [side * 1.02, 0.62, 0], [0, 0, QUARTER], 40),
        rod(metal, [0.4, 0.4, 0.06], [side * 1.09, 0.62, 0], [0, 0, QUARTER], 32),
      ]),
      ...[-0.3, 0, 0.3].map((x) => ball(white, 0.07, [x, 1.2, 0.16])),
      cut(black, rounded(0.7, 0.18, 0.06), 0.06, [0, 0.62, 0.62]),
    ],
    yaw: 32,
    pitch: 20,
  }),
  'charging cables': ({ body, black, metal }) => {
    const coil: Place[] = Array.from({ length: 30 }, (_, index) => {
      const angle = (index / 8) * 2 * Math.PI;
      return [0.8 * Math.cos(angle), 0.08 + index * 0.012, 0.8 * Math.sin(angle)];
    });
    return {
      parts: [
        tube(body, [[1.5, 0.1, 0.8], [1.15, 0.08, 0.5], ...coil, [-0.8, 0.2, 1.1], [-0.9, 0.1, 1.6]], 0.075),
        box(black, [0.42, 0.16, 0.24], [1.68, 0.1, 0.92], [0, -0.5, 0]),
        box(metal, [0.22, 0.1, 0.18], [1.96, 0.1, 1.08], [0, -0.5, 0]),
        box(black, [0.24, 0.16, 0.42], [-0.92, 0.1, 1.78]),
        box(metal, [0.14, 0.08, 0.18], [-0.92, 0.1, 2.06]),
      ],
      pitch: 48,
      yaw: 10,
    };
  },
  'phone cases': ({ body, black, metal, shade }) => ({
    parts: [
      cut(body, rounded(1.15, 2.3, 0.2), 0.16, [0, 1.2, 0]),
      cut(shade, rounded(0.5, 0.56, 0.12), 0.06, [-0.24, 1.95, 0.1]),
      ...(
        [
          [-0.36, 2.06],
          [-0.36, 1.84],
          [-0.12, 2.06],
        ] as const
      ).map(([x, y]) => rod(black, [0.09, 0.09, 0.05], [x, y, 0.14], [QUARTER, 0, 0])),
      ball(metal, 0.04, [-0.12, 1.84, 0.14]),
      box(shade, [0.05, 0.3, 0.08], [0.6, 1.7, 0]),
    ],
    yaw: 34,
    pitch: 8,
  }),
  'monitor stands': ({ body, black, metal, shade }) => ({
    parts: [
      box(body, [2.4, 0.12, 1], [0, 0.62, 0]),
      ...[-1.1, 1.1].map((x) => box(shade, [0.1, 0.58, 0.96], [x, 0.29, 0])),
      box(body, [2, 0.05, 0.8], [0, 0.2, 0]),
      box(metal, [0.5, 0.04, 0.34], [0, 0.7, 0]),
      box(metal, [0.1, 0.3, 0.06], [0, 0.85, -0.06]),
      box(black, [1.7, 0.96, 0.07], [0, 1.46, 0]),
    ],
    yaw: 22,
  }),
  keyboards: ({ body, white, black, shade }) => ({
    parts: [
      box(black, [2.9, 0.14, 1.14], [0, 0.09, 0]),
      ...[0, 1, 2, 3].flatMap((row) =>
        Array.from({ length: 12 }, (_, column) =>
          box(
            row === 0 || column === 0 ? shade : (column + row) % 7 === 3 ? white : body,
            [0.19, 0.1, 0.19],
            [-1.27 + column * 0.231, 0.2, -0.4 + row * 0.225],
          ),
        ),
      ),
      box(body, [1.2, 0.1, 0.17], [-0.05, 0.2, 0.46]),
      ...[-1.2, -0.9, 0.75, 1, 1.25].map((x) => box(shade, [0.2, 0.1, 0.17], [x, 0.2, 0.46])),
    ],
    pitch: 40,
    yaw: 16,
  }),
  'memory cards': ({ body, black, metal, white }) => ({
    parts: [
      cut(
        body,
        [
          [-0.7, 0],
          [0.7, 0],
          [0.7, 1.9],
          [-0.4, 1.9],
          [-0.7, 1.6],
        ],
        0.14,
      ),
      cut(white, rounded(1.1, 0.8, 0.06), 0.03, [0, 0.8, 0.08]),
      box(black, [0.8, 0.1, 0.02], [0, 1.0, 0.1]),
      box(black, [0.5, 0.07, 0.02], [-0.14, 0.78, 0.1]),
      ...[-0.25, -0.05, 0.15, 0.35, 0.55].map((x) => box(metal, [0.12, 0.34, 0.02], [x, 1.66, 0.075])),
    ],
    yaw: 30,
    pitch: 12,
  }),
  'camera bags': ({ body, black, metal, shade }) => ({
    parts: [
      cut(body, rounded(2, 1.3, 0.2), 0.9, [0, 0.65, 0]),
      cut(shade, rounded(2.04, 0.62, 0.16), 0.98, [0, 1.06, 0.02]),
      cut(shade, rounded(1, 0.5, 0.1), 0.14, [0, 0.36, 0.5]),
      box(metal, [0.26, 0.16, 0.06], [0, 0.82, 0.52]),
      tube(
        black,
        [
          [-1, 1.1, 0],
          [-0.7, 1.9, 0],
          [0, 2.2, 0],
          [0.7, 1.9, 0],
          [1, 1.1, 0],
        ],
        0.07,
      ),
    ],
  }),
  'tv mounts': ({ body, black, metal }) => ({
    parts: [
      box(body, [0.9, 1.3, 0.1], [0, 0.75, -0.7]),
      rod(metal, [0.09, 0.09, 1.2], [0, 0.75, -0.6]),
      box(body, [0.16, 0.16, 0.9], [0.22, 0.75, -0.25], [0, 0.5, 0]),
      rod(metal, [0.1, 0.1, 0.3], [0.42, 0.75, 0.12]),
      box(body, [0.16, 0.16, 0.8], [0.22, 0.75, 0.42], [0, -0.5, 0]),
      box(black, [1.5, 0.14, 0.08], [0, 1.1, 0.78]),
      box(black, [1.5, 0.14, 0.08], [0, 0.4, 0.78]),
      ...[-0.62, 0.62].map((x) => box(body, [0.14, 1.6, 0.08], [x, 0.75, 0.86])),
    ],
    yaw: 48,
    pitch: 20,
  }),
};
