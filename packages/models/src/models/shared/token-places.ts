import { type Tensor, tensor } from '@vlgym/gpu';
import type { Grid, ImageProcessor } from '../../batch/image-processor.js';

/** The places of pictures that are cut into grids of patches. */
export function tokenPlaces(grids: readonly Grid[], processor: ImageProcessor, device: string): Tensor {
  return placesOf(
    grids.map((grid) => processor.tokens(grid)),
    device,
  );
}

/**
 * int64 [pictures * tokens of the largest]: index among the encoded tokens; 0 on padding. The batch builder counts every
 * picture as long as the largest; encoded tokens stand without gaps.
 *
 * @param counts  Tokens of each picture.
 */
export function placesOf(counts: readonly number[], device: string): Tensor {
  const longest = Math.max(...counts);
  const places = new Int32Array(counts.length * longest);
  let first = 0;
  for (const [picture, count] of counts.entries()) {
    for (let token = 0; token < count; token += 1) places[picture * longest + token] = first + token;
    first += count;
  }
  return tensor(places, { dtype: 'int64', device });
}
