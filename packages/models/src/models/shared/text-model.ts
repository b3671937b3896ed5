/**
 * A model that reads text only: one decoder with one axis of positions. Modules are named as those of huggingface/transformers,
 * which are the names of published files and of adapters of peft.
 */
import { type DType, Module, nn, type Tensor, tensor } from '@vlgym/gpu';
import { DECODER_LINEARS } from '../../adapters/published-weights.js';
import type { TokenLayout } from '../../batch/token-rows.js';
import type { ForwardPart, LanguageModel, ModelInit, TokenReader } from '../../language-model.js';
import { Decoder, type DecoderContext, type DecoderKind } from '../../layers/decoder.js';
import type { WeightInit } from '../../layers/fresh-parameter.js';
import { KeyValueCache } from '../../layers/key-value-cache.js';
import type { LowPrecisionWeights } from '../../layers/low-precision-weights.js';
import { Projection } from '../../layers/projection.js';
import { scaledFrequencies } from '../../layers/rope-scaling.js';
import { angleDtype, type Rotary, rotary } from '../../layers/rotary.js';
import type { Steps } from '../../layers/steps.js';
import { TextOnlyModelError } from '../../policy/errors.js';
import type { TextOnlyConfig } from './text-config.js';

export class TextModel<Config extends TextOnlyConfig = TextOnlyConfig> extends Module implements LanguageModel {
  readonly adapterTargets = DECODER_LINEARS;
  readonly model: Decoder;
  /** Null when the embedding table is the output layer. */
  readonly lm_head: Projection | null;

  constructor(
    readonly config: Config,
    kind: DecoderKind,
    init: ModelInit,
  ) {
    super();
    const weights: WeightInit = { std: config.initializerRange, ...init };
    this.model = new Decoder(config, kind, weights);
    this.lm_head = config.tieWordEmbeddings ? null : new Projection(config.hiddenSize, config.vocabSize, weights);
  }

  get dtype(): DType {
    return this.model.norm.weight.dtype;
  }

  get device(): string {
    return this.model.norm.weight.device;
  }

  get lowPrecision(): LowPrecisionWeights | null {
    return this.model.lowPrecision;
  }

  set lowPrecision(weights: LowPrecisionWeights | null) {
    this.model.lowPrecision = weights;
  }

  /** @throws {TextOnlyModelError} Always. */
  imageTokens(): never {
    throw new TextOnlyModelError(1);
  }

  /** @throws {TextOnlyModelError} Always. */
  prepareImages(images: readonly unknown[]): never {
    throw new TextOnlyModelError(images.length);
  }

  // biome-ignore lint/correctness/useYield: a table is read in one piece
  *embed(ids: Tensor): Steps<Tensor> {
    return this.model.embed_tokens.forward(ids);
  }

  positions(layout: TokenLayout, columns: number): Rotary {
    const { headDim, ropeTheta, ropeScaling } = this.config;
    return rotaryOf(layout, columns, scaledFrequencies(headDim, ropeTheta, ropeScaling), this);
  }

  newCache(rows: number, capacity: number): KeyValueCache {
    return new KeyValueCache(this.config, rows, capacity, this);
  }

  forward(embeddings: Tensor, context: DecoderContext): Tensor {
    return this.model.forward(embeddings, context);
  }

  forwardAsync(embeddings: Tensor, context: DecoderContext): Promise<Tensor> {
    return this.model.forwardAsync(embeddings, context);
  }

  parts(context: DecoderContext): ForwardPart[] {
    return this.model.parts(context);
  }

  logits(hidden: Tensor): Tensor {
    return this.lm_head?.forward(hidden) ?? nn.functional.linear(hidden, this.model.embed_tokens.weight);
  }

  outputWeight(): Tensor | null {
    return this.lm_head ? this.lm_head.plainWeight : this.model.embed_tokens.weight;
  }

  tokenReader(): TokenReader | null {
    return this.model.tokenReader(this.lm_head);
  }
}

/** Cosines and sines of `columns` columns; a row of n prompt tokens starts counting n columns before `promptLength`. */
export function rotaryOf(
  { promptLength, promptLengths }: TokenLayout,
  columns: number,
  speeds: Float64Array,
  { dtype, device }: { readonly dtype: DType; readonly device: string },
): Rotary {
  const isShared = promptLengths.every((length) => length === promptLength);
  const rows = isShared ? [promptLength] : promptLengths;
  const angles = new Float64Array(rows.length * columns * speeds.length);
  let next = 0;
  for (const length of rows)
    for (let column = 0; column < columns; column += 1) {
      const place = Math.max(column - (promptLength - length), 0);
      for (const speed of speeds) angles[next++] = place * speed;
    }
  const shape = [rows.length, columns, speeds.length];
  return rotary(tensor(angles, { shape, dtype: angleDtype(dtype), device }), dtype);
}
