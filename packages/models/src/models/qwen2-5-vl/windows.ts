/**
 * Windows of Qwen2.5-VL's vision encoder: squares of tokens, cut at the border of the picture. The sequence is permuted
 * so that the tokens of a window stand next to each other.
 */
import type { Grid } from '../../batch/image-processor.js';

export interface Windows {
  /** [tokens] the token of reading order at each place of the permuted sequence. */
  readonly order: Int32Array;
  /** Borders of the windows in patches, from 0. */
  readonly borders: readonly number[];
}

/**
 * @param grids   Patches per column and row of each picture.
 * @param merge   Patches per side of a token.
 * @param window  Tokens per side of a window.
 */
export function windowsOf(grids: readonly Grid[], merge: number, window: number): Windows {
  const order: number[] = [];
  const borders = [0];
  let first = 0;
  for (const grid of grids) {
    const [rows, columns] = [grid.rows / merge, grid.columns / merge];
    for (let top = 0; top < rows; top += window)
      for (let left = 0; left < columns; left += window) {
        const bottom = Math.min(top + window, rows);
        const right = Math.min(left + window, columns);
        for (let row = top; row < bottom; row += 1)
          for (let column = left; column < right; column += 1) order.push(first + row * columns + column);
        borders.push(borders.at(-1)! + (bottom - top) * (right - left) * merge ** 2);
      }
    first += rows * columns;
  }
  return { order: Int32Array.from(order), borders };
}
