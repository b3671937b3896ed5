/** Models of creams, soaps, brushes and other bathroom products. */
import { ball, box, cut, type Materials, type Model, rod, rounded, tube, turned } from '../parts.js';

type Build = (materials: Materials) => Model;

export const BEAUTY: Readonly<Record<string, Build>> = {
  'face creams': ({ body, white, metal }) => ({
    parts: [
      turned(body, [
        [0, 0],
        [0.95, 0],
        [1, 0.06],
        [1, 0.7],
        [0.9, 0.78],
      ]),
      turned(metal, [
        [0.92, 0.74],
        [0.92, 0.84],
      ]),
      turned(white, [
        [1.02, 0.82],
        [1.02, 1.25],
        [0.96, 1.32],
        [0, 1.32],
      ]),
      cut(white, rounded(0.9, 0.34, 0.06), 0.04, [0, 0.38, 0.99]),
    ],
    pitch: 24,
  }),
  'lip balms': ({ body, white, shade }) => ({
    parts: [
      turned(body, [
        [0, 0],
        [0.3, 0],
        [0.3, 1.2],
        [0.26, 1.25],
      ]),
      turned(white, [
        [0.26, 1.2],
        [0.26, 1.45],
      ]),
      turned(shade, [
        [0.22, 1.4],
        [0.22, 1.72],
        [0.12, 1.86],
        [0, 1.88],
      ]),
      turned(
        body,
        [
          [0, 0],
          [0.31, 0],
          [0.31, 0.75],
          [0.27, 0.8],
          [0, 0.8],
        ],
        [0.75, 0, 0.15],
      ),
      box(white, [0.3, 0.5, 0.02], [0, 0.6, 0.3]),
    ],
  }),
  shampoos: ({ body, white, shade }) => ({
    parts: [
      turned(body, [
        [0, 0],
        [0.6, 0],
        [0.66, 0.08],
        [0.66, 1.5],
        [0.5, 1.75],
        [0.22, 1.86],
      ]),
      turned(white, [
        [0.24, 1.84],
        [0.24, 2.02],
        [0.1, 2.06],
        [0.08, 2.3],
      ]),
      box(white, [0.2, 0.12, 0.62], [0, 2.34, 0.2]),
      cut(white, rounded(0.72, 0.86, 0.08), 0.05, [0, 0.8, 0.64]),
      box(shade, [0.44, 0.07, 0.02], [0, 1.0, 0.69]),
      box(shade, [0.34, 0.04, 0.02], [0, 0.84, 0.69]),
    ],
  }),
  'hair extensions': ({ body, shade, black }) => ({
    parts: [
      ...Array.from({ length: 13 }, (_, index) => {
        const x = (index - 6) * 0.11;
        const sway = 0.12 * Math.sin(index);
        return tube(
          index % 3 === 1 ? shade : body,
          [
            [x, 2.4, 0],
            [x + sway, 1.7, 0.1],
            [x * 1.15 - sway, 0.9, -0.05],
            [x * 0.9 + sway, 0.1 + 0.1 * (index % 3), 0.08],
          ],
          0.085,
        );
      }),
      box(black, [1.5, 0.14, 0.22], [0, 2.42, 0]),
    ],
    yaw: 14,
  }),
  'makeup brushes': ({ body, metal, cream, shade }) => ({
    parts: [-0.55, 0, 0.55].flatMap((x, index) => {
      const width = [0.24, 0.34, 0.16][index]!;
      return [
        turned(
          body,
          [
            [0, 0],
            [0.07, 0.02],
            [0.12, 0.9],
            [0.1, 1.3],
          ],
          [x, 0, 0],
        ),
        turned(
          metal,
          [
            [0.11, 1.28],
            [0.15, 1.62],
          ],
          [x, 0, 0],
        ),
        turned(
          index === 1 ? shade : cream,
          [
            [0.15, 1.6],
            [width, 1.95],
            [width * 0.9, 2.2],
            [0, 2.36],
          ],
          [x, 0, 0],
        ),
      ];
    }),
    yaw: 8,
    pitch: 8,
  }),
  'bar soaps': ({ body, shade, white }) => ({
    parts: [
      cut(body, rounded(1.9, 1.2, 0.3), 0.5, [0, 0.3, 0], [-Math.PI / 2, 0, 0]),
      cut(shade, rounded(1.2, 0.6, 0.2), 0.06, [0, 0.55, 0], [-Math.PI / 2, 0, 0]),
      ball(white, 0.16, [1.1, 0.14, 0.5]),
      ball(white, 0.1, [1.3, 0.1, 0.2]),
      ball(white, 0.08, [0.92, 0.08, 0.72]),
    ],
    pitch: 34,
  }),
  toothbrushes: ({ body, white, shade }) => ({
    parts: [
      cut(body, rounded(0.2, 2.3, 0.1), 0.13, [0, 1.15, 0]),
      cut(body, rounded(0.3, 0.66, 0.13), 0.13, [0, 2.55, 0]),
      cut(shade, rounded(0.24, 0.8, 0.1), 0.17, [0, 0.6, 0]),
      ...[0, 1, 2, 3, 4].flatMap((row) =>
        [-0.07, 0.07].map((x) =>
          rod(white, [0.055, 0.055, 0.26], [x, 2.32 + row * 0.115, 0.18], [Math.PI / 2, 0, 0], 10),
        ),
      ),
    ],
    yaw: 40,
    pitch: 10,
  }),
  'scented candles': ({ body, cream, black, white }) => ({
    parts: [
      turned(body, [
        [0, 0],
        [0.8, 0],
        [0.84, 0.05],
        [0.84, 1.35],
        [0.78, 1.35],
        [0.78, 1.18],
      ]),
      turned(cream, [
        [0.79, 1.16],
        [0.4, 1.2],
        [0, 1.2],
      ]),
      rod(black, [0.025, 0.025, 0.26], [0, 1.32, 0]),
      turned(cream, [
        [0, 1.4],
        [0.1, 1.52],
        [0.06, 1.7],
        [0, 1.84],
      ]),
      cut(white, rounded(0.8, 0.56, 0.04), 0.05, [0, 0.62, 0.82]),
    ],
    pitch: 24,
  }),
  'nail polishes': ({ body, black, white }) => ({
    parts: [
      cut(body, rounded(1, 1.05, 0.2), 0.6, [0, 0.53, 0]),
      turned(body, [
        [0.22, 1.02],
        [0.2, 1.18],
      ]),
      turned(black, [
        [0.26, 1.14],
        [0.22, 2.1],
        [0.16, 2.18],
        [0, 2.2],
      ]),
      cut(white, rounded(0.5, 0.24, 0.04), 0.03, [0, 0.5, 0.31]),
    ],
  }),
};
