/** Set-of-marks: numbered boxes drawn over a screenshot, so that an agent can say "click 7". */
import type { RgbImage } from '@vlgym/core';
import type { MarkedElement } from './live-page.js';

/** Digits as 3 by 5 dots; each character is one row of dots, in binary. */
const DIGITS = ['75557', '26227', '71747', '71717', '55711', '74717', '74757', '71111', '75757', '75717'];
/** Pixels of a dot. */
const DOT = 2;
const INK: readonly [number, number, number] = [255, 255, 255];
const COLORS: readonly (readonly [number, number, number])[] = [
  [190, 30, 45],
  [20, 100, 180],
  [20, 130, 60],
  [150, 60, 160],
  [180, 100, 0],
];

/**
 * Returns a copy of the image with the marks of the visible elements.
 *
 * @param size  Pixels of a dot; a digit is five dots high.
 */
export function drawMarks(
  image: RgbImage,
  elements: readonly MarkedElement[],
  [left, top]: readonly [number, number],
  size: number = DOT,
): RgbImage {
  const data = Uint8Array.from(image.data);
  const fill = (x: number, y: number, width: number, height: number, [r, g, b]: readonly [number, number, number]) => {
    for (let row = Math.max(0, y); row < Math.min(image.height, y + height); row += 1) {
      for (let column = Math.max(0, x); column < Math.min(image.width, x + width); column += 1) {
        data.set([r, g, b], 3 * (row * image.width + column));
      }
    }
  };
  for (const { mark, box } of elements.filter(({ visible }) => visible)) {
    const [x, y, width, height] = [box[0] - left, box[1] - top, box[2], box[3]];
    const color = COLORS[mark % COLORS.length]!;
    fill(x, y, width, 2, color);
    fill(x, y + height - 2, width, 2, color);
    fill(x, y, 2, height, color);
    fill(x + width - 2, y, 2, height, color);
    const digits = [...String(mark)];
    const tag = digits.length * 4 * size + size;
    const tagX = Math.max(0, x - tag); // next to the element, so that its text stays readable
    fill(tagX, y, tag, 7 * size, color);
    digits.forEach((digit, place) => {
      [...DIGITS[Number(digit)]!].forEach((row, line) => {
        for (let dot = 0; dot < 3; dot += 1) {
          if ((Number(row) >> (2 - dot)) & 1) {
            fill(tagX + (place * 4 + dot + 1) * size, y + (line + 1) * size, size, size, INK);
          }
        }
      });
    });
  }
  return { ...image, data };
}
