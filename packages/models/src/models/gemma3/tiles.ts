/**
 * How Gemma 3 (arXiv 2503.19786) reads pictures: squeezed into one square; with pan and scan, long ones also in pieces side by
 * side. Rules of `image_processing_gemma3.py` and `processing_gemma3.py` of huggingface/transformers.
 */
import type { Image } from '@vlgym/core';
import { resizeImage } from '@vlgym/core/images';
import { ImageSizeError } from '../../batch/image-processor.js';
import { onWhite } from '../../batch/on-white.js';
import type { PictureSize } from '../../language-model.js';
import type { TileReader } from '../tiled/picture-reader.js';
import { crop } from '../tiled/pixels.js';
import type { Gemma3Config } from './config.js';

/** Stands for a picture in the text of a template, and before its tokens. */
export const BEGIN = '<start_of_image>';
export const END = '<end_of_image>';
/** One token of a picture. */
export const IMAGE = '<image_soft_token>';

export class Gemma3Tiles implements TileReader {
  readonly side: number;
  readonly #tokens: number;
  readonly #image: Gemma3Config['image'];

  constructor({ vision, image, tokensPerTile }: Pick<Gemma3Config, 'vision' | 'image' | 'tokensPerTile'>) {
    this.side = vision.imageSize;
    this.#tokens = tokensPerTile;
    this.#image = image;
  }

  imageTokens(size: PictureSize): number {
    return (1 + this.#crops(size).length) * this.#tokens;
  }

  imageText(size: PictureSize): string {
    const tile = `\n\n${BEGIN}${IMAGE.repeat(this.#tokens)}${END}\n\n`;
    const crops = this.#crops(size).map(() => tile);
    if (crops.length === 0) return tile;
    return `Here is the original image ${tile} and here are some crops to help you see better ${crops.join(' ')}`;
  }

  tiles(image: Image): Image[] {
    const source = onWhite(image);
    const { side } = this;
    const parts = this.#crops(image).map((area) => crop(source, area));
    return [source, ...parts].map((part) =>
      resizeImage(part, { height: side, width: side, filter: this.#image.resample }),
    );
  }

  resized(image: Image): Image {
    return image;
  }

  /** The pieces of a picture; none where it is nearly square, or where they would be too small. */
  #crops(size: PictureSize): { top: number; left: number; height: number; width: number }[] {
    const { height, width } = size;
    if (!(Math.min(height, width) >= 1)) throw new ImageSizeError(size);
    const { panAndScan } = this.#image;
    if (!panAndScan) return [];
    const { minCropSize, maxCrops, minRatio } = panAndScan;
    const isWide = width >= height;
    const [long, short] = isWide ? [width, height] : [height, width];
    if (long / short < minRatio) return [];
    const wanted = Math.min(Math.floor(long / minCropSize), Math.floor(long / short + 0.5));
    const count = Math.min(maxCrops, Math.max(2, wanted));
    const length = Math.ceil(long / count);
    if (Math.min(length, short) < minCropSize) return [];
    const firsts = Array.from({ length: count }, (_, i) => length * i).filter((first) => first < long);
    return firsts.map((first) => {
      const rest = Math.min(length, long - first);
      return isWide ? { top: 0, left: first, height, width: rest } : { top: first, left: 0, height: rest, width };
    });
  }
}
