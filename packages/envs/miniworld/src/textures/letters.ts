/**
 * Handwritten letters and digits, black on white, drawn as strokes in nine hands that differ in slant, size and tremor.
 *
 * They replace the handwriting pictures of the original, which we may not distribute. Lower-case letters are drawn as
 * small capitals.
 */
import type { RgbImage } from '@vlgym/core';
import { pseudoRandom } from './canvas.js';

/** Strokes on a grid of 4 columns and 6 rows from the top left: digit pairs `xy`; a space starts a new stroke. */
const STROKES: Readonly<Record<string, string>> = {
  A: '062046 1434',
  B: '0600304132030343454606',
  C: '4130101105163645',
  D: '0600204144452606',
  E: '40000646 0333',
  F: '400006 0333',
  G: '41301011051636454424',
  H: '0006 4046 0343',
  I: '2026 1030 1636',
  J: '30353616050 3040',
  K: '0006 4003 1246',
  L: '000646',
  M: '0600234046',
  N: '06004640',
  O: '103041453616050110',
  P: '06003041423303',
  Q: '103041453616050110 2446',
  R: '06003041423303 2346',
  S: '4130100102134344453616',
  T: '0040 2026',
  U: '0005163645 4045',
  V: '002640',
  W: '0016233640',
  X: '0046 4006',
  Y: '002340 2326',
  Z: '00400646',
  0: '103041453616050110 4105',
  1: '112026 1636',
  2: '0110304142064 4646',
  3: '0110304142234344361605',
  4: '3630044 4444',
  5: '4000023343453616',
  6: '3011051636454433130',
  7: '004016',
  8: '1030413213050616364544133101101',
  9: '4230101203334236',
};

const SIZE = 128;
/** Height of a letter relative to its square, as in the original. */
const BODY = 0.4;
export const LETTER_HANDS = 9;

/** @param variant  The hand, from 1 to 9. */
export function drawLetter(letter: string, variant: number): RgbImage {
  const data = new Uint8Array(3 * SIZE * SIZE).fill(255);
  const upper = letter.toUpperCase();
  const scale = SIZE * BODY * (letter === upper ? 1 : 0.75);
  const random = pseudoRandom(1000 * letter.charCodeAt(0) + variant);
  const wobble = () => (variant === 1 ? 0.02 : 0.07) * (random() - 0.5);
  const slant = variant === 1 ? 0.08 : 0.4 * (random() - 0.5);
  const width = variant === 1 ? 4 : 3 + 3 * random();
  for (const stroke of (STROKES[upper] ?? '').split(' ')) {
    const points: [number, number][] = [];
    for (let index = 0; index + 1 < stroke.length; index += 2) {
      const x = Number(stroke[index]) / 6 - 2 / 6 + wobble();
      const y = Number(stroke[index + 1]) / 6 - 0.5 + wobble();
      points.push([SIZE / 2 + scale * (x - slant * y), SIZE / 2 + scale * y]);
    }
    for (let index = 0; index + 1 < points.length; index += 1) line(data, points[index]!, points[index + 1]!, width);
  }
  return { data, width: SIZE, height: SIZE, channels: 3 };
}

/** Draws a line from a to b with a round pen and soft edges. */
function line(data: Uint8Array, [ax, ay]: [number, number], [bx, by]: [number, number], width: number): void {
  const length2 = (bx - ax) ** 2 + (by - ay) ** 2 || 1;
  for (let y = Math.floor(Math.min(ay, by) - width); y <= Math.max(ay, by) + width; y += 1) {
    for (let x = Math.floor(Math.min(ax, bx) - width); x <= Math.max(ax, bx) + width; x += 1) {
      if (x < 0 || y < 0 || x >= SIZE || y >= SIZE) continue;
      const t = Math.min(1, Math.max(0, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length2));
      const gap = Math.sqrt((x - ax - t * (bx - ax)) ** 2 + (y - ay - t * (by - ay)) ** 2) - width / 2;
      const shade = Math.round(255 * Math.min(1, Math.max(0, gap / 1.5)));
      const index = 3 * (y * SIZE + x);
      if (shade < data[index]!) data.fill(shade, index, index + 3);
    }
  }
}
