/** How a family cuts pictures into tiles, known from its configuration alone. */
import type { Image } from '@vlgym/core';
import type { PictureReader, PictureSize } from '../../language-model.js';

export interface TileReader extends PictureReader {
  /** The text that takes the place of the template's placeholder. */
  imageText(size: PictureSize): string;
  /** Pixels per row and column of a tile. */
  readonly side: number;
  /** The tiles of a picture, each `side` × `side`, in the order in which the encoder reads them. */
  tiles(image: Image): Image[];
}
