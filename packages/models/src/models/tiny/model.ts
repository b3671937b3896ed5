/** A small vision-language model: pictures become tokens among the tokens of the text, and a decoder reads both. */
import type { Image } from '@vlgym/core';
import { nn, type Tensor } from '@vlgym/gpu';
import { DECODER_LINEARS } from '../../adapters/published-weights.js';
import { ImageProcessor } from '../../batch/image-processor.js';
import type { TokenLayout } from '../../batch/token-rows.js';
import type { LanguageModel, ModelInit, PlacedImages } from '../../language-model.js';
import { Decoder } from '../../layers/decoder.js';
import { DecoderModel } from '../../layers/decoder-model.js';
import { Projection, type WeightInit } from '../../layers/projection.js';
import { frequencies, type Rotary } from '../../layers/rotary.js';
import type { Steps } from '../../layers/steps.js';
import { type GridImages, gridImages, withPictures } from '../shared/pictures.js';
import { rotaryOf } from '../shared/text-model.js';
import { LayoutTensors } from '../shared/vision.js';
import type { TinyConfig } from './config.js';
import { type TinyLayout, TinyVisionEncoder } from './vision-encoder.js';

export class TinyModel extends DecoderModel<TinyConfig> implements LanguageModel {
  readonly adapterTargets = DECODER_LINEARS;
  readonly visual: TinyVisionEncoder;
  readonly model: Decoder;
  /** Null when the embedding table is the output layer. */
  readonly lm_head: Projection | null;
  readonly #processor: ImageProcessor;

  constructor(
    readonly config: TinyConfig,
    init: ModelInit,
  ) {
    super();
    const weights: WeightInit = { std: config.initializerRange, ...init };
    const { attentionBias, vocabSize, hiddenSize } = config;
    this.visual = new TinyVisionEncoder(config.vision, hiddenSize, weights, new LayoutTensors(init));
    // drawn twice, so that a seed gives the weights that it always gave
    const { weight: table } = new nn.Embedding(vocabSize, hiddenSize, init);
    nn.init.normal_(table, 0, weights.std, init);
    this.model = new Decoder(config, { attentionBias, wideNorm: false, smallResiduals: true, table }, weights);
    this.lm_head = config.tieWordEmbeddings ? null : new Projection(config.hiddenSize, config.vocabSize, weights);
    this.#processor = new ImageProcessor(config);
  }

  imageTokens(size: Pick<Image, 'height' | 'width'>): number {
    return this.#processor.tokens(this.#processor.grid(size));
  }

  prepareImages(images: readonly Image[]): GridImages<TinyLayout> {
    return gridImages(images, this.#processor, this.visual, this);
  }

  *embed(ids: Tensor, images: PlacedImages<GridImages<TinyLayout>> | null): Steps<Tensor> {
    const embeddings = this.model.embed_tokens.forward(ids);
    return yield* withPictures(embeddings, images, (batch) => this.#tokens(batch));
  }

  *#tokens({ patches, layout }: GridImages<TinyLayout>): Steps<Tensor> {
    const { tokens } = yield* this.visual.steps(patches, layout);
    return tokens;
  }

  positions(layout: TokenLayout, columns: number): Rotary {
    const { headDim, ropeTheta } = this.config;
    return rotaryOf(layout, columns, frequencies(headDim, ropeTheta), this);
  }

  protected override get decoder(): Decoder {
    return this.model;
  }
}
