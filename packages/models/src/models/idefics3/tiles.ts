/**
 * How Idefics3 (arXiv 2408.12637) and SmolVLM (arXiv 2504.05299) cut pictures: resized so that the longest side has a given
 * length, then to whole tiles, in rows and columns, with the whole picture as the last tile.
 *
 * Sizes follow `image_processing_idefics3.py` of huggingface/transformers, which resizes three times and rounds to bytes in
 * between; the text is that of `processing_idefics3.py`.
 */
import type { Image } from '@vlgym/core';
import { resizeImage } from '@vlgym/core/images';
import { ImageSizeError } from '../../batch/image-processor.js';
import { onWhite } from '../../batch/on-white.js';
import type { PictureSize } from '../../language-model.js';
import type { TileReader } from '../tiled/picture-reader.js';
import { crop } from '../tiled/pixels.js';
import type { Idefics3Config } from './config.js';

/** No side is longer after the first resizing. */
const MAX_SIDE = 4096;

export const IMAGE = '<image>';
const FAKE = '<fake_token_around_image>';
const WHOLE = `${FAKE}<global-img>`;

export class Idefics3Tiles implements TileReader {
  readonly side: number;
  /** Tokens of one tile. */
  readonly #perTile: number;
  readonly #image: Idefics3Config['image'];

  constructor({ vision, image, scaleFactor }: Pick<Idefics3Config, 'vision' | 'image' | 'scaleFactor'>) {
    this.side = image.tileSize;
    this.#image = image;
    this.#perTile = (Math.floor(this.side / vision.patchSize) / scaleFactor) ** 2;
  }

  imageTokens(size: PictureSize): number {
    const { rows, columns } = this.#plan(size);
    return (rows * columns + 1) * this.#perTile;
  }

  imageText(size: PictureSize): string {
    const { rows, columns } = this.#plan(size);
    const tokens = IMAGE.repeat(this.#perTile);
    const range = (count: number) => Array.from({ length: count }, (_, i) => i + 1);
    const lines = range(rows).map(
      (row) =>
        `${range(columns)
          .map((column) => `${FAKE}<row_${row}_col_${column}>${tokens}`)
          .join('')}\n`,
    );
    return `${lines.join('')}${rows > 0 ? '\n' : ''}${WHOLE}${tokens}${FAKE}`;
  }

  tiles(image: Image): Image[] {
    const { sizes, rows, columns } = this.#plan(image);
    const { side } = this;
    const filter = this.#image.resample;
    let resized = onWhite(image);
    for (const size of sizes) resized = resizeImage(resized, { ...size, filter });
    const parts = Array.from({ length: rows * columns }, (_, tile) =>
      crop(resized, {
        top: Math.floor(tile / columns) * side,
        left: (tile % columns) * side,
        height: side,
        width: side,
      }),
    );
    return [...parts, resizeImage(resized, { height: side, width: side, filter })];
  }

  resized(image: Image): Image {
    return image;
  }

  /** Sizes that a picture has one after the other, and its rows and columns of tiles; 0 where the whole picture is one. */
  #plan(size: PictureSize): { sizes: PictureSize[]; rows: number; columns: number } {
    if (!(Math.min(size.height, size.width) >= 1)) throw new ImageSizeError(size);
    const { size: wanted, splits } = this.#image;
    const first = wanted === null ? size : 'longestEdge' in wanted ? longestEdge(size, wanted.longestEdge) : wanted;
    if (!splits) return { sizes: [first], rows: 0, columns: 0 };
    const whole = wholeTiles(first, this.side);
    const [rows, columns] = [whole.height / this.side, whole.width / this.side];
    const isOne = rows === 1 && columns === 1;
    return { sizes: [first, whole], rows: isOne ? 0 : rows, columns: isOne ? 0 : columns };
  }
}

/** The longest side has `length`, the other one an even number of pixels. */
function longestEdge({ height, width }: PictureSize, length: number): PictureSize {
  const ratio = width / height;
  const even = (side: number) => side + (side % 2);
  const scaled =
    width >= height
      ? { height: even(Math.trunc(length / ratio)), width: length }
      : { height: length, width: even(Math.trunc(length * ratio)) };
  return belowLimit({ height: Math.max(scaled.height, 1), width: Math.max(scaled.width, 1) });
}

function belowLimit({ height, width }: PictureSize): PictureSize {
  const ratio = width / height;
  const least = (side: number) => Math.max(Math.trunc(side), 1);
  if (width >= height && width > MAX_SIDE) return { height: least(MAX_SIDE / ratio), width: MAX_SIDE };
  if (height > width && height > MAX_SIDE) return { height: MAX_SIDE, width: least(MAX_SIDE * ratio) };
  return { height, width };
}

function wholeTiles({ height, width }: PictureSize, side: number): PictureSize {
  const ratio = width / height;
  const up = (length: number) => Math.ceil(length / side) * side;
  if (width >= height) {
    const wide = up(width);
    return { height: up(Math.trunc(wide / ratio)), width: wide };
  }
  const high = up(height);
  return { height: high, width: up(Math.trunc(high * ratio)) };
}
