/**
 * Positions of text and pictures on three axes (M-RoPE, arXiv 2409.12191): time, height, width.
 *
 * Text moves on all three axes together. The tokens of a picture at position p stand at time p, height p + row and width
 * p + column; the text behind continues at p + max(rows, columns).
 */

import type { Grid } from '../../batch/image-processor.js';
import type { TokenLayout, TokenRow } from '../../batch/token-rows.js';

export interface RowPositions {
  /** [3][prompt tokens] time, height, width. */
  readonly axes: readonly [Int32Array, Int32Array, Int32Array];
  /** Position of the first token behind the prompt; the n-th has position `next + n` on all axes. */
  readonly next: number;
}

/**
 * @param gridOf  Tokens per column and row of a picture, after merging.
 */
export function rowPositions(
  { promptIds, images }: Pick<TokenRow, 'promptIds' | 'images'>,
  imageToken: number,
  gridOf: (image: TokenRow['images'][number]) => Grid,
): RowPositions {
  const axes = [0, 1, 2].map(() => new Int32Array(promptIds.length)) as [Int32Array, Int32Array, Int32Array];
  let position = 0;
  let picture = 0;
  for (let token = 0; token < promptIds.length; ) {
    const image = promptIds[token] === imageToken ? images[picture] : undefined;
    if (!image) {
      for (const axis of axes) axis[token] = position;
      position += 1;
      token += 1;
      continue;
    }
    const { rows, columns } = gridOf(image);
    picture += 1;
    for (let row = 0; row < rows; row += 1)
      for (let column = 0; column < columns; column += 1, token += 1) {
        axes[0][token] = position;
        axes[1][token] = position + row;
        axes[2][token] = position + column;
      }
    position += Math.max(rows, columns);
  }
  return { axes, next: position };
}

/** The axis, 0 to 2, that each frequency pair follows. */
export type PairAxes = (sections: readonly [number, number, number]) => Uint8Array;

/** Qwen2-VL and Qwen2.5-VL: the pairs of time, then those of height, then those of width. */
export const chunkedPairs: PairAxes = (sections) =>
  Uint8Array.from(sections.flatMap((count, axis) => new Array<number>(count).fill(axis)));

/** Qwen3-VL: height and width take every third pair at the start; everything else follows time. */
export const interleavedPairs: PairAxes = ([time, height, width]) =>
  Uint8Array.from({ length: time + height + width }, (_, pair) => {
    if (pair % 3 === 1 && pair < 3 * height) return 1;
    return pair % 3 === 2 && pair < 3 * width ? 2 : 0;
  });

/** Positions of the first `columns` columns of a batch, [3][rows * columns]; 0 on padding. */
export function layoutPositions(
  { rows, promptLength }: TokenLayout,
  columns: number,
  positionsOf: (row: TokenRow) => RowPositions,
): readonly [Int32Array, Int32Array, Int32Array] {
  const axes = [0, 1, 2].map(() => new Int32Array(rows.length * columns)) as [Int32Array, Int32Array, Int32Array];
  for (const [i, row] of rows.entries()) {
    const { axes: ofPrompt, next } = positionsOf(row);
    const start = promptLength - row.promptIds.length;
    for (const [axis, target] of axes.entries()) {
      target.set(ofPrompt[axis]!.subarray(0, columns - start), i * columns + start);
      for (let column = promptLength; column < columns; column += 1)
        target[i * columns + column] = next + column - promptLength;
    }
  }
  return axes;
}

/** float64 [rows * columns * pairs]: position times frequency, on the axis of each pair. */
export function layoutAngles(
  axes: readonly [Int32Array, Int32Array, Int32Array],
  pairAxes: Uint8Array,
  speeds: Float64Array,
): Float64Array {
  const places = axes[0].length;
  const angles = new Float64Array(places * speeds.length);
  let next = 0;
  for (let place = 0; place < places; place += 1)
    for (const [pair, speed] of speeds.entries()) angles[next++] = axes[pairAxes[pair]!]![place]! * speed;
  return angles;
}
