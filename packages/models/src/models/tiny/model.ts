/** A small vision-language model: pictures become tokens among the tokens of the text, and a decoder reads both. */
import type { Image } from '@vlgym/core';
import { nn, type Tensor, tensor } from '@vlgym/gpu';
import { DECODER_LINEARS } from '../../adapters/published-weights.js';
import { ImageProcessor } from '../../batch/image-processor.js';
import type { TokenLayout } from '../../batch/token-rows.js';
import type { LanguageModel, ModelInit, PlacedImages } from '../../language-model.js';
import { Decoder } from '../../layers/decoder.js';
import { DecoderModel } from '../../layers/decoder-model.js';
import { linearInBfloat16, Projection, type WeightInit } from '../../layers/projection.js';
import { angleDtype, frequencies, type Rotary, rotary } from '../../layers/rotary.js';
import type { Steps } from '../../layers/steps.js';
import type { TinyConfig } from './config.js';
import { visionBatch } from './vision-batch.js';
import { type VisionBatch, VisionEncoder } from './vision-encoder.js';

export class TinyModel extends DecoderModel<TinyConfig> implements LanguageModel {
  readonly adapterTargets = DECODER_LINEARS;
  readonly visual: VisionEncoder;
  readonly model: Decoder;
  /** Null when the embedding table is the output layer. */
  readonly lm_head: Projection | null;
  /** The product with the embedding table in bfloat16, as `Projection.inBfloat16`. */
  inBfloat16 = false;
  readonly #processor: ImageProcessor;

  constructor(
    readonly config: TinyConfig,
    init: ModelInit,
  ) {
    super();
    const weights: WeightInit = { std: config.initializerRange, ...init };
    this.visual = new VisionEncoder(config, weights);
    const { attentionBias, vocabSize, hiddenSize } = config;
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

  prepareImages(images: readonly Image[]): VisionBatch {
    const { dtype, device } = this;
    const floats = (data: Float32Array | Float64Array, shape: readonly number[], wanted = dtype) =>
      tensor(data, { shape, dtype: wanted, device });
    return visionBatch(images, this.#processor, this.config.vision, floats, dtype);
  }

  *embed(ids: Tensor, images: PlacedImages<VisionBatch> | null): Steps<Tensor> {
    const embeddings = this.model.embed_tokens.forward(ids);
    if (!images) return embeddings;
    const encoded = yield* this.visual.steps(images.batch);
    const tokens = encoded.flatten(0, 1).indexSelect(0, images.source);
    return embeddings.flatten(0, 1).indexPut([images.target], tokens).view(embeddings.shape);
  }

  /** Angles of `columns` columns; a row of n prompt tokens starts counting n columns before `promptLength`. */
  positions({ promptLength, promptLengths }: TokenLayout, columns: number): Rotary {
    const { headDim, ropeTheta } = this.config;
    const speeds = frequencies(headDim, ropeTheta);
    const isShared = promptLengths.every((length) => length === promptLength);
    const rows = isShared ? [promptLength] : promptLengths;
    const places = new Float64Array(rows.length * columns);
    let next = 0;
    for (const length of rows)
      for (let column = 0; column < columns; column += 1)
        places[next++] = Math.max(column - (promptLength - length), 0);
    const { dtype, device } = this;
    const angles = tensor(places, { shape: [rows.length, columns, 1], device }).mul(tensor(speeds, { device }));
    return rotary(angles.to(angleDtype(dtype)), dtype);
  }

  override logits(hidden: Tensor): Tensor {
    if (this.lm_head) return this.lm_head.forward(hidden);
    const { weight } = this.model.embed_tokens;
    return this.inBfloat16 ? linearInBfloat16(hidden, weight) : nn.functional.linear(hidden, weight);
  }

  protected override get decoder(): Decoder {
    return this.model;
  }
}
