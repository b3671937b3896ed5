import { type Tensor, tensor } from '@vlgym/gpu';
import type { Grid, ImageProcessor } from '../../batch/image-processor.js';

/**
 * int64 [pictures * tokens of the largest]: index among the encoded tokens; 0 on padding. The batch builder counts every
 * picture as long as the largest; encoded tokens stand without gaps.
 */
export function tokenPlaces(grids: readonly Grid[], processor: ImageProcessor, device: string): Tensor {
  const counts = grids.map((grid) => processor.tokens(grid));
  const longest = Math.max(...counts);
  const places = new Int32Array(grids.length * longest);
  let first = 0;
  for (const [picture, count] of counts.entries()) {
    for (let token = 0; token < count; token += 1) places[picture * longest + token] = first + token;
    first += count;
  }
  return tensor(places, { dtype: 'int64', device });
}
