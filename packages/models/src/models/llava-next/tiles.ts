/**
 * How LLaVA-NeXT cuts pictures (LLaVA-1.6; arXiv 2310.03744 has its base): the whole picture squeezed into one tile, then the
 * picture in its own shape, fitted into the grid of tiles that wastes least, with black borders.
 *
 * Tokens of the borders are left out again, and a learned token ends each line. Sizes follow
 * `image_processing_utils.py`, `modeling_llava_next.py` and `processing_llava_next.py` of huggingface/transformers.
 */
import type { Image } from '@vlgym/core';
import { resizeImage } from '@vlgym/core/images';
import { ImageSizeError } from '../../batch/image-processor.js';
import { onWhite } from '../../batch/on-white.js';
import type { PictureSize } from '../../language-model.js';
import type { TileReader } from '../tiled/picture-reader.js';
import { crop } from '../tiled/pixels.js';
import type { LlavaNextConfig } from './config.js';

export const IMAGE = '<image>';

/** The tiles behind the first one, and the part of their patches that shows the picture. */
export interface TileGrid {
  /** Tiles per column and row. */
  readonly rows: number;
  readonly columns: number;
  /** Patches per column and row of all tiles together, borders cut off. */
  readonly top: number;
  readonly left: number;
  readonly height: number;
  readonly width: number;
}

export class LlavaNextTiles implements TileReader {
  readonly side: number;
  readonly #perSide: number;
  readonly #grids: readonly PictureSize[];
  readonly #filter: LlavaNextConfig['image']['resample'];

  constructor({ vision, image, gridPinpoints }: Pick<LlavaNextConfig, 'vision' | 'image' | 'gridPinpoints'>) {
    this.side = vision.imageSize;
    this.#perSide = Math.floor(vision.imageSize / vision.patchSize);
    this.#grids = gridPinpoints.map(([height, width]) => ({ height, width }));
    this.#filter = image.resample;
  }

  imageTokens(size: PictureSize): number {
    const { height, width } = this.grid(size);
    return this.#perSide ** 2 + height * (width + 1);
  }

  imageText(size: PictureSize): string {
    return IMAGE.repeat(this.imageTokens(size));
  }

  tiles(image: Image): Image[] {
    const { side } = this;
    const source = onWhite(image);
    const filter = this.#filter;
    const whole = resizeImage(source, { height: side, width: side, filter });
    const target = this.#best(image);
    const fitted = resizeImage(source, { ...fit(image, target), filter });
    const [top, left] = [target.height - fitted.height, target.width - fitted.width].map((rest) =>
      Math.floor(rest / 2),
    );
    const columns = target.width / side;
    const parts = Array.from({ length: (target.height / side) * columns }, (_, tile) =>
      crop(fitted, {
        top: Math.floor(tile / columns) * side - top!,
        left: (tile % columns) * side - left!,
        height: side,
        width: side,
      }),
    );
    return [whole, ...parts];
  }

  resized(image: Image): Image {
    return image;
  }

  /** @throws {ImageSizeError} The picture has no pixels. */
  grid(size: PictureSize): TileGrid {
    const target = this.#best(size);
    const [rows, columns] = [target.height / this.side, target.width / this.side];
    const [height, width] = [rows * this.#perSide, columns * this.#perSide];
    // borders are where the picture is flatter or narrower than the grid
    if (size.width / size.height > width / height) {
      const shown = wholePart(size.height * (width / size.width));
      const top = Math.floor((height - shown) / 2);
      return { rows, columns, top, left: 0, height: height - 2 * top, width };
    }
    const shown = wholePart(size.width * (height / size.height));
    const left = Math.floor((width - shown) / 2);
    return { rows, columns, top: 0, left, height, width: width - 2 * left };
  }

  /** The grid that shows most pixels of the picture, and among such ones wastes least. @throws {ImageSizeError} */
  #best(size: PictureSize): PictureSize {
    if (!(Math.min(size.height, size.width) >= 1)) throw new ImageSizeError(size);
    let best = this.#grids[0]!;
    let [most, least] = [0, Number.POSITIVE_INFINITY];
    for (const grid of this.#grids) {
      const scale = Math.min(grid.width / size.width, grid.height / size.height);
      const pixels = Math.trunc(size.width * scale) * Math.trunc(size.height * scale);
      const shown = Math.min(pixels, size.width * size.height);
      const wasted = grid.width * grid.height - shown;
      if (shown > most || (shown === most && wasted < least)) {
        [best, most, least] = [grid, shown, wasted];
      }
    }
    return best;
  }
}

/** The largest size with the picture's shape inside the grid. */
function fit({ height, width }: PictureSize, target: PictureSize): PictureSize {
  const [scaleWidth, scaleHeight] = [target.width / width, target.height / height];
  if (scaleWidth < scaleHeight)
    return { height: Math.min(Math.ceil(height * scaleWidth), target.height), width: target.width };
  return { height: target.height, width: Math.min(Math.ceil(width * scaleHeight), target.width) };
}

/** Rounded to seven digits first, so that 5.999999999 is 6. */
function wholePart(value: number): number {
  return Math.trunc(Number(value.toFixed(7)));
}
