/** The eyes of a composed model: a vision encoder, and how pictures become what it reads. */
import type { Image } from '@vlgym/core';
import type { DType, Module, Tensor } from '@vlgym/gpu';
import type { PictureSize, PublishedFiles } from '../../language-model.js';
import type { WeightInit } from '../../layers/fresh-parameter.js';
import type { Steps } from '../../layers/steps.js';

/** Where tensors are made. */
export interface TensorKind {
  readonly dtype: DType;
  readonly device: string;
}

/** Pictures as an encoder takes them. */
export interface EyeImages {
  readonly patches: Tensor;
  /** `placesOf` */
  readonly places: Tensor;
}

export interface Eye<Images extends EyeImages = EyeImages> {
  readonly encoder: Module;
  /** Features of a token. */
  readonly width: number;
  /** @throws {ImageSizeError} */
  imageTokens(size: PictureSize): number;
  prepareImages(images: readonly Image[], kind: TensorKind): Images;
  /** The tokens of all pictures [tokens, width], one picture after the other. A step per block. */
  tokens(images: Images): Steps<Tensor>;
}

/** Its own fields, and how pictures are read. */
export interface EyeConfig {
  readonly vision: object;
  readonly image: object;
}

/** How a vision encoder is read and made, from the configuration of the whole model that it came from. */
export interface EyeKind<Config extends EyeConfig = EyeConfig> {
  /** @throws {ModelConfigError} */
  parse(config: unknown): Config;
  /** @throws {ModelConfigUnsupportedError | ModelConfigError} */
  read(files: PublishedFiles): Config;
  /** With fresh weights. */
  open(config: Config, init: WeightInit): Eye;
}
