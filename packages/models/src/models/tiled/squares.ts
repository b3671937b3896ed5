/** Squares of neighboring patches as one token. */
import type { Tensor } from '@vlgym/gpu';

/**
 * Side by side, in reading order: pixel shuffle (arXiv 1609.05158) backwards.
 *
 * @param x  [tiles, patches, width]
 * @returns [tiles, patches / factor², width * factor²]
 */
export function joinedSquares(x: Tensor, factor: number): Tensor {
  const [tiles, patches, width] = x.shape as [number, number, number];
  const side = Math.sqrt(patches) / factor;
  const blocks = x.view([tiles, side, factor, side, factor, width]).permute([0, 1, 3, 2, 4, 5]);
  return blocks.reshape([tiles, side * side, factor * factor * width]);
}

/**
 * Their mean; patches behind the last whole square are left out.
 *
 * @param x  [tiles, patches, width]
 * @param tokens  A square number.
 * @returns [tiles, tokens, width]
 */
export function meansOfSquares(x: Tensor, tokens: number): Tensor {
  const [tiles, patches, width] = x.shape as [number, number, number];
  const [side, perSide] = [Math.sqrt(patches), Math.sqrt(tokens)];
  const square = Math.floor(side / perSide);
  const grid = x
    .view([tiles, side, side, width])
    .narrow(1, 0, perSide * square)
    .narrow(2, 0, perSide * square);
  return grid.reshape([tiles, perSide, square, perSide, square, width]).mean([2, 4]).view([tiles, tokens, width]);
}
