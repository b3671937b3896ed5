/** The encoders SigLIP and CLIP: a picture is squeezed into one square, which becomes the same number of tokens whatever its shape. */
import type { Image } from '@vlgym/core';
import { resizeImage } from '@vlgym/core/images';
import { type Tensor, tensor } from '@vlgym/gpu';
import { ImageSizeError } from '../../batch/image-processor.js';
import { onWhite } from '../../batch/on-white.js';
import type { WeightInit } from '../../layers/fresh-parameter.js';
import type { Steps } from '../../layers/steps.js';
import { placesOf } from '../shared/pictures.js';
import type { TiledConfig } from '../tiled/config.js';
import { PatchWriter } from '../tiled/pixels.js';
import { type TowerKind, VisionTower } from '../tiled/vision-tower.js';
import type { Eye, EyeImages, EyeKind, TensorKind } from './eye.js';

type TowerParts = Pick<TiledConfig, 'vision' | 'image'>;

/** How a family uses such an encoder. */
interface TowerFamily<Config extends TowerParts> extends Pick<EyeKind<Config>, 'parse' | 'read'> {
  readonly isClip?: (config: Config) => boolean;
  /** Pixels per side of the square; default the encoder's `imageSize`. */
  readonly side?: (config: Config) => number;
  /** Tokens of a picture, and features of each. */
  shape(config: Config, patchesPerSide: number): { readonly tokens: number; readonly width: number };
  /** [pictures, patches, numbers] → [pictures, tokens, width] */
  encode(tower: VisionTower, patches: Tensor, config: Config, kind: TensorKind): Steps<Tensor>;
}

export const towerEye = <Config extends TowerParts>(family: TowerFamily<Config>): EyeKind<Config> => ({
  parse: family.parse,
  read: family.read,
  open: (config, init) => new TowerEye(config, family, init),
});

class TowerEye<Config extends TowerParts> implements Eye {
  readonly encoder: VisionTower;
  readonly width: number;
  readonly #tokens: number;
  readonly #side: number;
  readonly #writer: PatchWriter;
  readonly #kind: TensorKind;

  constructor(
    readonly config: Config,
    readonly family: TowerFamily<Config>,
    init: WeightInit,
  ) {
    const { vision, image } = config;
    this.#side = family.side?.(config) ?? vision.imageSize;
    this.#writer = new PatchWriter(this.#side, vision.patchSize, image);
    const { tokens, width } = family.shape(config, this.#writer.perSide);
    this.#tokens = tokens;
    this.width = width;
    this.#kind = init;
    const isClip = family.isClip?.(config) ?? false;
    const positions = Math.floor(vision.imageSize / vision.patchSize) ** 2 + (isClip ? 1 : 0);
    this.encoder = new VisionTower(vision, { positions, isClip } satisfies TowerKind, init);
  }

  imageTokens(size: Pick<Image, 'height' | 'width'>): number {
    if (!(Math.min(size.height, size.width) >= 1)) throw new ImageSizeError(size);
    return this.#tokens;
  }

  prepareImages(images: readonly Image[], { dtype, device }: TensorKind): EyeImages {
    const square = { height: this.#side, width: this.#side, filter: this.config.image.resample };
    const pixels = this.#writer.write(images.map((image) => resizeImage(onWhite(image), square)));
    const shape = [images.length, this.#writer.perSide ** 2, this.#writer.patchLength];
    return {
      patches: tensor(pixels, { shape, dtype, device }),
      places: placesOf(
        images.map((image) => this.imageTokens(image)),
        device,
      ),
    };
  }

  *tokens({ patches }: EyeImages): Steps<Tensor> {
    const tokens = yield* this.family.encode(this.encoder, patches, this.config, this.#kind);
    return tokens.flatten(0, 1);
  }
}
