/**
 * The figures of the court cards: jack, queen and king in our own drawing, as half figures that are turned to make a card
 * with two heads.
 *
 * A figure is a list of outlines, painted in order. The origin is the middle of the card, x and y run to 50 and -110 at the
 * edges of the panel. What a court holds and wears follows the custom of French cards: a king with sword and beard, a
 * queen with a flower, a jack with a halberd and a feathered cap.
 */
import type { Color } from './raster.js';
import { circle, type Suit } from './shapes.js';

export type Court = 'J' | 'Q' | 'K';

/** Parts of a figure; the color of a part depends on the suit. */
export type Part = keyof typeof COMMON | 'robe' | 'lining' | 'trim' | 'pattern';

export interface Shape {
  readonly outline: string;
  readonly part: Part;
  /** Drawn with a thin dark line around it; default true. */
  readonly lined?: boolean;
}

const COMMON = {
  ink: [26, 28, 48],
  skin: [252, 229, 206],
  blond: [230, 186, 74],
  brown: [128, 84, 48],
  gray: [214, 212, 206],
  gold: [238, 196, 58],
  steel: [214, 222, 232],
  white: [253, 253, 250],
  red: [206, 28, 48],
} satisfies Record<string, Color>;

/** Red suits wear mostly red, black suits mostly black and blue. */
const CLOTHES: Readonly<Record<Suit, Readonly<Record<'robe' | 'lining' | 'trim' | 'pattern', Color>>>> = {
  H: { robe: [206, 28, 48], lining: [66, 84, 160], trim: [238, 196, 58], pattern: [238, 196, 58] },
  D: { robe: [214, 46, 44], lining: [238, 196, 58], trim: [253, 253, 250], pattern: [253, 253, 250] },
  S: { robe: [28, 30, 44], lining: [44, 58, 132], trim: [238, 196, 58], pattern: [238, 196, 58] },
  C: { robe: [38, 50, 120], lining: [24, 26, 34], trim: [253, 253, 250], pattern: [206, 28, 48] },
};

/** Hearts and clubs look the other way. */
export const facesLeft = (suit: Suit): boolean => suit === 'H' || suit === 'C';

export function colorOf(part: Part, suit: Suit): Color {
  return part in COMMON ? COMMON[part as keyof typeof COMMON] : CLOTHES[suit][part as keyof (typeof CLOTHES)['H']];
}

const polygon = (...points: readonly (readonly [x: number, y: number])[]): string =>
  `M${points.map((point) => point.join(' ')).join(' L')} Z`;

function ellipse(x: number, y: number, radiusX: number, radiusY: number): string {
  const [kx, ky] = [0.5523 * radiusX, 0.5523 * radiusY];
  return (
    `M${x - radiusX} ${y} C${x - radiusX} ${y - ky} ${x - kx} ${y - radiusY} ${x} ${y - radiusY} ` +
    `C${x + kx} ${y - radiusY} ${x + radiusX} ${y - ky} ${x + radiusX} ${y} ` +
    `C${x + radiusX} ${y + ky} ${x + kx} ${y + radiusY} ${x} ${y + radiusY} ` +
    `C${x - kx} ${y + radiusY} ${x - radiusX} ${y + ky} ${x - radiusX} ${y} Z`
  );
}

const rectangle = (left: number, top: number, right: number, bottom: number): string =>
  polygon([left, top], [right, top], [right, bottom], [left, bottom]);

const diamond = (x: number, y: number, width: number, height: number): string =>
  polygon([x, y - height], [x + width, y], [x, y + height], [x - width, y]);

/** Robe, sleeves and the middle panel, down to the card's middle. */
function clothes(court: Court): Shape[] {
  const studs = [-38, -29, -20, -11].map((y) => diamond(0, y, 4.4, 3.6)).join('');
  const spots = [
    [-30, -26],
    [-21, -16],
    [-33, -8],
    [30, -26],
    [21, -16],
    [33, -8],
  ].map(([x, y]) => (court === 'Q' ? circle(x!, y!, 2.8) : diamond(x!, y!, 3, 4)));
  return [
    { outline: 'M-49 0 L-49 -17 C-46 -34 -28 -40 -15 -46 L15 -46 C28 -40 46 -34 49 -17 L49 0 Z', part: 'robe' },
    { outline: 'M-49 0 L-49 -17 C-47 -25 -43 -31 -38 -34 C-38 -22 -42 -10 -44 0 Z', part: 'lining' },
    { outline: 'M49 0 L49 -17 C47 -25 43 -31 38 -34 C38 -22 42 -10 44 0 Z', part: 'lining' },
    { outline: spots.join(''), part: 'pattern', lined: false },
    { outline: polygon([-11, -46], [11, -46], [9, 0], [-9, 0]), part: 'trim' },
    { outline: studs, part: court === 'Q' ? 'red' : 'lining', lined: false },
    { outline: rectangle(-49, -4.5, 49, 0), part: 'gold' },
  ];
}

/** @param brow  Height of the brows above the eyes. */
function face(brow: number): Shape[] {
  return [
    { outline: ellipse(0, -64, 14, 18), part: 'skin' },
    { outline: ellipse(-5.6, -67, 2.2, 1.7) + ellipse(5.6, -67, 2.2, 1.7), part: 'ink', lined: false },
    {
      outline: rectangle(-9, -67 - brow, -2.6, -65.4 - brow) + rectangle(2.6, -67 - brow, 9, -65.4 - brow),
      part: 'ink',
      lined: false,
    },
    { outline: polygon([-0.6, -66], [0.8, -66], [2.6, -58.6], [-1.4, -58.6]), part: 'brown', lined: false },
    { outline: ellipse(0, -53.6, 4, 1.5), part: 'red', lined: false },
  ];
}

function hand(y: number): Shape[] {
  return [
    { outline: polygon([29, y + 3], [46, y + 3], [48, y + 14], [31, y + 16]), part: 'white' },
    { outline: ellipse(37, y, 7, 5), part: 'skin' },
  ];
}

const KING: readonly Shape[] = [
  {
    outline: ellipse(-16, -62, 8, 19) + ellipse(16, -62, 8, 19) + circle(-20, -47, 6) + circle(20, -47, 6),
    part: 'gray',
  },
  ...clothes('K'),
  { outline: 'M-27 -40 Q0 -22 27 -40 L21 -50 Q0 -36 -21 -50 Z', part: 'white' },
  {
    outline: [-18, -9, 0, 9, 18].map((x) => diamond(x, -34 - Math.abs(x) / 3.2, 1.6, 3)).join(''),
    part: 'ink',
    lined: false,
  },
  ...face(4.6),
  // The beard covers the chin; its upper edge leaves the mouth free.
  {
    outline: 'M-14 -62 C-13 -36 -6 -33 0 -30 C6 -33 13 -36 14 -62 C9 -55 6 -57 0 -57 C-6 -57 -9 -55 -14 -62 Z',
    part: 'gray',
  },
  { outline: ellipse(0, -52.6, 4, 1.6), part: 'red', lined: false },
  { outline: 'M-20 -80 L-26 -102 L-12 -93 L0 -105 L12 -93 L26 -102 L20 -80 Z', part: 'gold' },
  { outline: rectangle(-20, -84, 20, -78), part: 'red' },
  { outline: circle(-26, -103, 3) + circle(0, -106, 3) + circle(26, -103, 3), part: 'white' },
  { outline: [-12, 0, 12].map((x) => diamond(x, -81, 2, 2.4)).join(''), part: 'gold', lined: false },
  { outline: polygon([33.6, -98], [37, -107], [40.4, -98], [40.4, -40], [33.6, -40]), part: 'steel' },
  { outline: rectangle(36.4, -98, 37.6, -42), part: 'ink', lined: false },
  { outline: rectangle(27, -41, 47, -36.5), part: 'gold' },
  { outline: rectangle(35, -36, 39, -22), part: 'ink', lined: false },
  ...hand(-29),
  { outline: circle(37, -19, 3.4), part: 'gold' },
];

const QUEEN: readonly Shape[] = [
  { outline: 'M0 -92 C-30 -92 -24 -62 -30 -38 L-12 -34 L12 -34 L30 -38 C24 -62 30 -92 0 -92 Z', part: 'brown' },
  ...clothes('Q'),
  { outline: 'M-20 -46 Q0 -30 20 -46 L17 -38 Q0 -22 -17 -38 Z', part: 'gold' },
  {
    outline: [-12, -6, 0, 6, 12].map((x) => circle(x, -31.5 - x * x * 0.045, 1.7)).join(''),
    part: 'red',
    lined: false,
  },
  { outline: rectangle(-5, -50, 5, -38), part: 'skin', lined: false },
  ...face(5.2),
  // Parted hair.
  {
    outline: 'M0 -84 C-16 -84 -19 -70 -17 -56 C-14 -66 -10 -74 0 -79 C10 -74 14 -66 17 -56 C19 -70 16 -84 0 -84 Z',
    part: 'brown',
  },
  {
    outline: 'M-18 -83 L-24 -98 L-13 -92 L-8 -102 L0 -93 L8 -102 L13 -92 L24 -98 L18 -83 Q0 -88 -18 -83 Z',
    part: 'gold',
  },
  {
    outline: circle(-24, -99, 2.6) + circle(-8, -103, 2.6) + circle(8, -103, 2.6) + circle(24, -99, 2.6),
    part: 'white',
  },
  { outline: circle(0, -89, 2.2) + circle(-10, -88, 1.8) + circle(10, -88, 1.8), part: 'red', lined: false },
  { outline: polygon([36, -66], [38, -66], [38.4, -20], [36.4, -20]), part: 'ink', lined: false },
  { outline: 'M37 -50 C44 -58 49 -54 48 -50 C46 -46 40 -46 37 -50 Z', part: 'lining' },
  {
    outline: [
      [37, -81],
      [43.7, -76.2],
      [41.1, -68.3],
      [32.9, -68.3],
      [30.3, -76.2],
    ]
      .map(([x, y]) => circle(x!, y!, 4.8))
      .join(''),
    part: 'red',
  },
  { outline: circle(37, -74, 3.8), part: 'gold' },
  ...hand(-32),
];

const JACK: readonly Shape[] = [
  {
    outline:
      'M-18 -80 C-25 -66 -24 -50 -20 -44 C-16 -40 -8 -42 -9 -50 L9 -50 C8 -42 16 -40 20 -44 C24 -50 25 -66 18 -80 Z',
    part: 'blond',
  },
  ...clothes('J'),
  { outline: rectangle(-5.5, -50, 5.5, -40), part: 'skin', lined: false },
  { outline: polygon([-20, -46], [0, -38], [20, -46], [17, -36], [0, -26], [-17, -36]), part: 'white' },
  ...face(4),
  {
    outline:
      'M-16 -78 C-15 -70 -18 -64 -16 -56 C-11 -60 -12 -70 -10 -76 L10 -76 C12 -70 11 -60 16 -56 C18 -64 15 -70 16 -78 Z',
    part: 'blond',
  },
  { outline: 'M-24 -82 C-28 -98 -14 -104 0 -103 C14 -104 28 -98 24 -82 Z', part: 'robe' },
  { outline: rectangle(-23, -84, 23, -77), part: 'trim' },
  { outline: [-15, -5, 5, 15].map((x) => diamond(x, -80.5, 2.4, 2.4)).join(''), part: 'lining', lined: false },
  { outline: 'M-19 -84 C-32 -86 -36 -76 -46 -72 C-46 -60 -34 -62 -28 -71 C-25 -75 -22 -79 -19 -84 Z', part: 'gold' },
  { outline: rectangle(35.6, -96, 38.4, -6), part: 'brown' },
  { outline: polygon([34, -94], [37, -108], [40, -94]), part: 'steel' },
  { outline: 'M38 -92 C42 -92 44 -96 48 -97 C50 -88 50 -80 47 -72 C44 -75 42 -77 38 -77 Z', part: 'steel' },
  { outline: polygon([36, -90], [28, -85], [36, -80]), part: 'steel' },
  ...hand(-34),
];

export const FIGURES: Readonly<Record<Court, readonly Shape[]>> = { J: JACK, Q: QUEEN, K: KING };
