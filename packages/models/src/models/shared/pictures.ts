/** Pictures on their way through a model: from pixels to what its vision encoder takes, from its tokens to their places in the text. */
import type { Image } from '@vlgym/core';
import { type DType, type Tensor, tensor } from '@vlgym/gpu';
import type { ImageProcessor } from '../../batch/image-processor.js';
import type { PlacedImages } from '../../language-model.js';
import type { Steps } from '../../layers/steps.js';
import type { VisionEncoder, VisionLayout } from './vision.js';

/** Pictures that are cut into grids of patches, as a vision encoder takes them. */
export interface GridImages<Layout extends VisionLayout = VisionLayout> {
  /** [patches, numbers per patch] normalized pixels of all pictures. */
  readonly patches: Tensor;
  readonly layout: Layout;
  /** `placesOf` */
  readonly places: Tensor;
}

interface TensorKind {
  readonly dtype: DType;
  readonly device: string;
}

/** Normalized pixels of pictures, one after the other: [patches, numbers per patch]. */
export function patchesOf(images: readonly Image[], processor: ImageProcessor, { dtype, device }: TensorKind): Tensor {
  const grids = images.map((image) => processor.grid(image));
  const { patchLength } = processor;
  const patches = grids.reduce((sum, { rows, columns }) => sum + rows * columns, 0);
  const pixels = processor.room(patches * patchLength);
  let offset = 0;
  for (const [i, image] of images.entries()) {
    processor.write(image, pixels, offset);
    offset += grids[i]!.rows * grids[i]!.columns * patchLength;
  }
  return tensor(pixels, { shape: [patches, patchLength], dtype, device });
}

export function gridImages<Layout extends VisionLayout>(
  images: readonly Image[],
  processor: ImageProcessor,
  encoder: VisionEncoder<Layout>,
  kind: TensorKind,
): GridImages<Layout> {
  const grids = images.map((image) => processor.grid(image));
  return {
    patches: patchesOf(images, processor, kind),
    layout: encoder.layout(grids, processor),
    places: placesOf(
      grids.map((grid) => processor.tokens(grid)),
      kind.device,
    ),
  };
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

/**
 * Embeddings [B, T, D] with the tokens of the pictures in their places.
 *
 * @param encode  Pictures → tokens [tokens, D], unless they are encoded already.
 */
export function* withPictures<Batch extends { readonly places: Tensor }>(
  embeddings: Tensor,
  images: PlacedImages<Batch> | null,
  encode: (batch: Batch) => Steps<Tensor>,
): Steps<Tensor> {
  if (!images) return embeddings;
  const { batch, encoded, source, target } = images;
  const tokens = encoded ?? (yield* encode(batch));
  const order = encoded ? source : batch.places.indexSelect(0, source);
  return embeddings.flatten(0, 1).indexPut([target], tokens.indexSelect(0, order)).view(embeddings.shape);
}
