/**
 * A decoder of text that sees: the tokens of a vision encoder, made as wide as the decoder by a projector, stand among the
 * tokens of the text, as in LLaVA (arXiv 2310.03744). Positions count tokens of both in one row.
 *
 * Names of the decoder's modules are those that it has alone, so that an adapter of it fits both.
 */
import type { Image } from '@vlgym/core';
import { Module, type Tensor } from '@vlgym/gpu';
import type { TokenLayout } from '../../batch/token-rows.js';
import type { LanguageModel, ModelInit, PictureSize, PlacedImages, Positions } from '../../language-model.js';
import type { Decoder } from '../../layers/decoder.js';
import { DecoderModel } from '../../layers/decoder-model.js';
import type { WeightInit } from '../../layers/fresh-parameter.js';
import { Projection } from '../../layers/projection.js';
import type { Steps } from '../../layers/steps.js';
import { DECODERS } from '../shared/decoders.js';
import { withPictures } from '../shared/pictures.js';
import type { TextModel } from '../shared/text-model.js';
import { type ComposedConfig, eyeOf } from './config.js';
import type { Eye, EyeImages } from './eye.js';

/** The linear layers of the decoder, of the projector, and of the vision encoder but for its convolution. */
export const COMPOSED_LINEARS =
  /^(?:model\.layers\.\d+\.(?:self_attn\.[qkvo]_proj|mlp\.(?:gate|up|down)_proj)|projector\.linear_[12]|visual\.(?:blocks\.\d+\.(?:attn|mlp)|merger|encoder\.layers\.\d+\.(?:self_attn|mlp))\.[\w.]+)$/;

/** Two layers with GELU between them. */
class Projector extends Module {
  readonly linear_1: Projection;
  readonly linear_2: Projection;

  constructor(from: number, to: number, init: WeightInit) {
    super();
    this.linear_1 = new Projection(from, to, { ...init, bias: true });
    this.linear_2 = new Projection(to, to, { ...init, bias: true });
  }

  forward(tokens: Tensor): Tensor {
    return this.linear_2.forward(this.linear_1.forward(tokens).gelu());
  }
}

export class ComposedModel extends DecoderModel<ComposedConfig> implements LanguageModel {
  readonly adapterTargets = COMPOSED_LINEARS;
  readonly model: Decoder;
  readonly lm_head: Projection | null;
  readonly visual: Module;
  readonly projector: Projector;
  /** Embeds and counts tokens of text, with `model` and `lm_head`. */
  readonly #text: TextModel;
  readonly #eye: Eye;

  constructor(
    readonly config: ComposedConfig,
    init: ModelInit,
  ) {
    super();
    const { decoderType, encoderType, encoder, hiddenSize, initializerRange: std } = config;
    this.#text = DECODERS[decoderType]!.create(config, init) as TextModel;
    this.model = this.#text.model;
    this.lm_head = this.#text.lm_head;
    this.#eye = eyeOf(encoderType).open(encoder, { std, ...init });
    this.visual = this.#eye.encoder;
    this.projector = new Projector(this.#eye.width, hiddenSize, { std, ...init });
  }

  protected override get decoder(): Decoder {
    return this.model;
  }

  imageTokens(size: PictureSize): number {
    return this.#eye.imageTokens(size);
  }

  prepareImages(images: readonly Image[]): EyeImages {
    return this.#eye.prepareImages(images, this);
  }

  *encodeImage(image: Image): Steps<Tensor> {
    return yield* this.#tokens(this.prepareImages([image]));
  }

  *#tokens(images: EyeImages): Steps<Tensor> {
    return this.projector.forward(yield* this.#eye.tokens(images));
  }

  *embed(ids: Tensor, images: PlacedImages<EyeImages> | null): Steps<Tensor> {
    return yield* withPictures(yield* this.#text.embed(ids), images, (batch) => this.#tokens(batch));
  }

  positions(layout: TokenLayout, columns: number): Positions {
    return this.#text.positions(layout, columns);
  }
}
