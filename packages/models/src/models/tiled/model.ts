/**
 * A model that reads pictures as square tiles of one size: a vision transformer, a projector, and a decoder of text among
 * whose tokens those of the tiles stand. Positions count tokens of both in one row. The families differ in how a picture
 * becomes tiles, and in how the vectors of patches become tokens.
 *
 * Names of modules are those of huggingface/transformers 5, which adapters of peft refer to.
 */
import type { Image } from '@vlgym/core';
import { type Tensor, tensor } from '@vlgym/gpu';
import type { TokenLayout } from '../../batch/token-rows.js';
import type { LanguageModel, ModelInit, PictureSize, PlacedImages } from '../../language-model.js';
import type { Decoder } from '../../layers/decoder.js';
import { DecoderModel } from '../../layers/decoder-model.js';
import type { WeightInit } from '../../layers/fresh-parameter.js';
import type { Projection } from '../../layers/projection.js';
import type { Rotary } from '../../layers/rotary.js';
import type { Steps } from '../../layers/steps.js';
import { DECODERS } from '../shared/decoders.js';
import { placesOf, withPictures } from '../shared/pictures.js';
import type { TextModel } from '../shared/text-model.js';
import type { Observer } from '../shared/vision.js';
import type { TiledConfig } from './config.js';
import type { TileReader } from './picture-reader.js';
import { PatchWriter } from './pixels.js';

/** The linear layers of the language model, as in published adapters. */
export const TILED_LINEARS =
  /^model\.(?:language|text)_model\.layers\.\d+\.(?:self_attn\.[qkvo]_proj|mlp\.(?:gate|up|down)_proj)$/;

/** Pictures as the vision encoder takes them. */
export interface TiledImages {
  /** [tiles, patches, numbers per patch] of all pictures. */
  readonly patches: Tensor;
  readonly pictures: readonly {
    /** That of the picture before it was cut. */
    readonly size: PictureSize;
    readonly tiles: number;
  }[];
  /** int64 [pictures * tokens of the largest]: index among the encoded tokens; 0 on padding. */
  readonly places: Tensor;
}

export abstract class TiledModel<Config extends TiledConfig = TiledConfig>
  extends DecoderModel<Config>
  implements LanguageModel
{
  readonly adapterTargets = TILED_LINEARS;
  /** Null when the embedding table is the output layer. */
  readonly lm_head: Projection | null;
  readonly #text: TextModel;
  readonly #reader: TileReader;
  readonly #writer: PatchWriter;

  constructor(
    readonly config: Config,
    reader: TileReader,
    init: ModelInit,
  ) {
    super();
    this.#text = DECODERS[config.decoderType]!.create(config, init) as TextModel;
    this.lm_head = this.#text.lm_head;
    this.#reader = reader;
    this.#writer = new PatchWriter(reader.side, config.vision.patchSize, config.image);
  }

  /** Vectors of patches → tokens of all pictures [tokens, width], one picture after the other. A step per block. */
  protected abstract encoded(images: TiledImages, observe?: Observer): Steps<Tensor>;

  /** How weights start. */
  protected static weights(config: TiledConfig, init: ModelInit): WeightInit {
    return { std: config.initializerRange, ...init };
  }

  protected override get decoder(): Decoder {
    return this.#text.model;
  }

  imageTokens(size: PictureSize): number {
    return this.#reader.imageTokens(size);
  }

  imageText(size: PictureSize): string {
    return this.#reader.imageText(size);
  }

  prepareImages(images: readonly Image[]): TiledImages {
    const { dtype, device } = this;
    const writer = this.#writer;
    const tiles = images.map((image) => this.#reader.tiles(image));
    const all = tiles.flat();
    const shape = [all.length, writer.perSide ** 2, writer.patchLength];
    return {
      patches: tensor(writer.write(all), { shape, dtype, device }),
      pictures: images.map(({ height, width }, i) => ({ size: { height, width }, tiles: tiles[i]!.length })),
      places: placesOf(
        images.map((image) => this.imageTokens(image)),
        device,
      ),
    };
  }

  *encodeImage(image: Image): Steps<Tensor> {
    return yield* this.encoded(this.prepareImages([image]));
  }

  *embed(ids: Tensor, images: PlacedImages<TiledImages> | null, observe?: Observer): Steps<Tensor> {
    return yield* withPictures(yield* this.#text.embed(ids), images, (batch) => this.encoded(batch, observe));
  }

  positions(layout: TokenLayout, columns: number): Rotary {
    return this.#text.positions(layout, columns);
  }
}
