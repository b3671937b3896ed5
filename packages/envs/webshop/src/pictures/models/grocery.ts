/** Models of what is eaten: bars, bags, boxes and jars. */
import type { Mesh } from 'three';
import { ball, box, cut, type Materials, type Model, rod, rounded, turned } from '../parts.js';

type Build = (materials: Materials) => Model;

/** A bag with sealed ends, like a bag of chips. */
const pouch = ({ body, white, shade }: Materials) => [
  flat(
    turned(body, [
      [0.8, 0.16],
      [0.78, 0.5],
      [0.76, 1.2],
      [0.78, 1.9],
      [0.8, 2.26],
    ]),
    0.4,
  ),
  box(shade, [1.64, 0.2, 0.1], [0, 2.28, 0]),
  box(shade, [1.64, 0.2, 0.1], [0, 0.12, 0]),
  cut(white, rounded(0.86, 0.56, 0.2), 0.1, [0, 1.35, 0.28]),
  box(shade, [0.5, 0.08, 0.02], [0, 1.4, 0.34]),
  box(shade, [0.34, 0.05, 0.02], [0, 1.26, 0.34]),
];

function flat(mesh: Mesh, depth: number): Mesh {
  mesh.scale.z = depth;
  return mesh;
}

/** A carton with a label. */
const carton = ({ body, white, shade }: Materials, [width, height, depth]: readonly [number, number, number]) => [
  box(body, [width, height, depth], [0, height / 2, 0]),
  box(shade, [width + 0.01, height * 0.12, depth + 0.01], [0, height * 0.94, 0]),
  cut(white, rounded(width * 0.72, height * 0.4, 0.08), 0.05, [0, height * 0.56, depth / 2]),
  box(shade, [width * 0.5, height * 0.05, 0.02], [0, height * 0.62, depth / 2 + 0.03]),
  box(shade, [width * 0.36, height * 0.035, 0.02], [0, height * 0.53, depth / 2 + 0.03]),
];

export const GROCERY: Readonly<Record<string, Build>> = {
  'granola bars': (m) => ({
    parts: [
      ...[0, 1].flatMap((index) => {
        const [x, y, z] = [index * 0.16, 0.22 + index * 0.42, index * 0.1];
        return [
          cut(m.body, rounded(2.2, 0.8, 0.06), 0.36, [x, y, z], [-Math.PI / 2, 0, index * 0.3]),
          cut(m.white, rounded(1.1, 0.44, 0.1), 0.05, [x, y + 0.18, z], [-Math.PI / 2, 0, index * 0.3]),
        ];
      }),
      cut(m.wood, rounded(1, 0.62, 0.06), 0.3, [0.2, 0.2, 1.05], [-Math.PI / 2, 0, 0.2]),
      ...[-0.2, 0.05, 0.3].map((x, index) => ball(m.cream, 0.09, [0.2 + x, 0.38, 0.95 + 0.12 * (index % 2)])),
    ],
    pitch: 36,
  }),
  'trail mixes': (m) => ({
    parts: [
      ...pouch(m),
      ...Array.from({ length: 11 }, (_, index) =>
        ball(
          [m.wood, m.cream, m.shade][index % 3]!,
          0.12,
          [-0.75 + 0.15 * index, 0.1, 0.75 + 0.14 * Math.sin(3 * index)],
          [1.2, 0.8, 0.8],
        ),
      ),
    ],
    yaw: 18,
  }),
  chips: (m) => ({
    parts: [
      ...pouch(m),
      ...[-0.6, 0, 0.6].map((x, index) =>
        rod(m.cream, [0.3, 0.3, 0.05], [x, 0.2, 0.75 + 0.1 * index], [0.35 * (index - 1), 0, 0.5 - 0.3 * index], 24),
      ),
    ],
    yaw: 18,
  }),
  'herbal teas': (m) => ({
    parts: [
      ...carton(m, [1.7, 1.15, 0.9]),
      turned(
        m.white,
        [
          [0.14, 0],
          [0.3, 0.02],
          [0.42, 0.36],
          [0.46, 0.62],
          [0.4, 0.62],
          [0.38, 0.5],
        ],
        [0.75, 0, 0.95],
      ),
      rod(m.wood, [0.39, 0.39, 0.02], [0.75, 0.52, 0.95]),
      cut(
        m.green,
        [
          [0, 0],
          [0.16, 0.12],
          [0.34, 0],
          [0.16, -0.12],
        ],
        0.03,
        [-0.7, 0.06, 0.75],
        [-1.3, 0, 0.4],
      ),
    ],
    yaw: 22,
    pitch: 22,
  }),
  'ground coffees': (m) => ({
    parts: [
      box(m.body, [1.2, 1.8, 0.8], [0, 0.9, 0]),
      cut(
        m.body,
        [
          [-0.6, 1.8],
          [0.6, 1.8],
          [0.5, 2.2],
          [-0.5, 2.2],
        ],
        0.3,
      ),
      box(m.shade, [1.04, 0.12, 0.34], [0, 2.2, 0]),
      cut(m.white, rounded(0.84, 0.8, 0.06), 0.05, [0, 0.95, 0.4]),
      rod(m.wood, [0.2, 0.2, 0.04], [0, 1.06, 0.43], [Math.PI / 2, 0, 0]),
      ...Array.from({ length: 9 }, (_, index) =>
        ball(m.wood, 0.1, [-0.6 + 0.17 * index, 0.08, 0.75 + 0.13 * Math.cos(4 * index)], [1.3, 0.7, 0.9]),
      ),
    ],
    yaw: 24,
  }),
  'pancake mixes': (m) => ({
    parts: [
      ...carton(m, [1.25, 1.9, 0.55]),
      ...[0, 1, 2].map((index) =>
        rod(m.cream, [0.5, 0.48, 0.1], [0.55, 0.08 + index * 0.11, 0.8], [0, 0, 0.03 * index]),
      ),
      box(m.white, [0.2, 0.08, 0.2], [0.55, 0.4, 0.8], [0, 0.4, 0]),
    ],
    yaw: 24,
    pitch: 20,
  }),
  'pasta sauces': (m) => ({
    parts: [
      turned(m.body, [
        [0, 0],
        [0.6, 0],
        [0.66, 0.08],
        [0.66, 1.2],
        [0.5, 1.4],
        [0.5, 1.5],
      ]),
      turned(m.metal, [
        [0.55, 1.46],
        [0.55, 1.68],
        [0.5, 1.72],
        [0, 1.72],
      ]),
      turned(m.white, [
        [0.67, 0.35],
        [0.67, 0.95],
      ]),
      cut(m.shade, rounded(0.5, 0.2, 0.06), 0.06, [0, 0.7, 0.66]),
      ball(m.green, 0.1, [0.15, 0.5, 0.66], [1.4, 1, 0.4]),
    ],
    pitch: 18,
  }),
  chocolates: (m) => ({
    parts: [
      cut(m.body, rounded(1.1, 1.6, 0.04), 0.16, [0, 0.8, 0]),
      box(m.metal, [1.02, 0.2, 0.14], [0, 1.66, 0]),
      ...[0, 1, 2].flatMap((column) =>
        [0, 1].map((row) => box(m.wood, [0.28, 0.24, 0.16], [-0.32 + column * 0.32, 1.86 + row * 0.28, 0])),
      ),
      cut(m.white, rounded(0.76, 0.44, 0.08), 0.04, [0, 0.86, 0.09]),
      box(m.shade, [0.5, 0.08, 0.02], [0, 0.9, 0.12]),
    ],
    yaw: 26,
    pitch: 10,
  }),
};
