/** Positions of the patches of pictures: the parts of the vision side that depend only on sizes. */
import type { Grid, ImageProcessor } from '../../batch/image-processor.js';

/** Base of the rotary frequencies of rows and columns, the same in the whole family. */
export const VISION_ROPE_BASE = 10_000;

/** Row and column of every patch of every picture, [patches * 2], in the order in which they are read. */
export function patchPositions(grids: readonly Grid[], processor: ImageProcessor): Int32Array {
  return Int32Array.from(grids.flatMap((grid) => Array.from(processor.positions(grid))));
}

/** Borders of the pictures in patches, from 0: attention never crosses them. */
export function pictureBorders(grids: readonly Grid[]): number[] {
  const borders = [0];
  for (const { rows, columns } of grids) borders.push(borders.at(-1)! + rows * columns);
  return borders;
}

/** float64 [patches * 2 * frequencies]: the angles of the row, then those of the column. */
export function patchAngles(positions: Int32Array, speeds: Float64Array): Float64Array {
  const angles = new Float64Array(positions.length * speeds.length);
  let next = 0;
  for (const place of positions) for (const speed of speeds) angles[next++] = place * speed;
  return angles;
}
