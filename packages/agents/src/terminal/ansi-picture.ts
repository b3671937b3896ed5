/** A picture in a terminal with 24-bit colors: each character shows two pixels, one above the other. */
import type { Image } from '@vlgym/core';

/**
 * @param columns  Width in characters; the height follows from the picture's proportions. Each character cell shows
 *                 the average color of the pixels it covers, alpha ignored.
 * @returns        Lines with escape sequences, each ending in a reset and a newline.
 */
export function ansiPicture(image: Image, columns = 60): string {
  const width = Math.max(1, Math.min(columns, image.width));
  const rows = Math.max(1, Math.round((image.height * width) / image.width / 2));
  let text = '';
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < width; column += 1) {
      const upper = average(image, column / width, (2 * row) / (2 * rows), 1 / width, 1 / (2 * rows));
      const lower = average(image, column / width, (2 * row + 1) / (2 * rows), 1 / width, 1 / (2 * rows));
      text += `\x1b[38;2;${upper.join(';')}m\x1b[48;2;${lower.join(';')}m▀`;
    }
    text += '\x1b[0m\n';
  }
  return text;
}

/** Mean color of a rectangle given in shares of the picture; at least one pixel. */
function average({ data, width, height, channels }: Image, x: number, y: number, w: number, h: number): number[] {
  const [left, top] = [Math.floor(x * width), Math.floor(y * height)];
  const right = Math.max(left + 1, Math.floor((x + w) * width));
  const bottom = Math.max(top + 1, Math.floor((y + h) * height));
  const sums = [0, 0, 0];
  for (let row = top; row < bottom; row += 1) {
    for (let column = left; column < right; column += 1) {
      const pixel = (row * width + column) * channels;
      for (let part = 0; part < 3; part += 1) sums[part]! += data[pixel + (channels === 1 ? 0 : part)] ?? 0;
    }
  }
  return sums.map((sum) => Math.round(sum / ((right - left) * (bottom - top))));
}
