/**
 * A vision-language model: pictures become tokens among the tokens of the text, a decoder reads both, one head gives the
 * next token and one the value of what was seen (algorithms specification, 8.3).
 */
import { functional, Linear, Module } from '../nn/index.js';
import type { DType } from '../tensor/dtype.js';
import { Generator } from '../tensor/generator.js';
import type { Tensor } from '../tensor/tensor.js';
import type { ModelConfig } from './config.js';
import { type Context, Decoder } from './decoder.js';
import { type Beginning, Projection } from './projection.js';
import { type VisionBatch, VisionEncoder } from './vision-encoder.js';

/** The pictures of a batch of token rows, and where their tokens stand. */
export interface PlacedImages {
  readonly batch: VisionBatch;
  /** [K] int64: which of the encoder's tokens, counted over all pictures, padding included. */
  readonly source: Tensor;
  /** [K] int64: where they go, as row * T + column. */
  readonly target: Tensor;
}

/** MLP with ReLU from the hidden state at the last prompt token to one number, in float32. */
export class ValueHead extends Module {
  readonly layers: readonly Linear[];

  constructor(hiddenSize: number, widths: readonly number[], { generator, device, dtype }: Beginning) {
    super();
    const sizes = [hiddenSize, ...widths, 1];
    const kind = { generator, device, dtype: dtype === 'float64' ? dtype : ('float32' as const) };
    this.layers = widths.concat(1).map((width, i) => new Linear(sizes[i]!, width, kind));
  }

  /** [B, D] → [B] */
  forward(hidden: Tensor): Tensor {
    const last = this.layers.length - 1;
    let x = hidden.to(this.layers[0]!.weight.dtype);
    for (const [i, layer] of this.layers.entries()) x = i < last ? layer.forward(x).relu() : layer.forward(x);
    return x.squeeze(-1);
  }
}

export interface ModelOptions {
  /** Of the starting weights. */
  readonly seed?: number;
  readonly dtype?: DType;
  readonly device?: string;
}

export class VisionLanguageModel extends Module {
  readonly visual: VisionEncoder;
  readonly model: Decoder;
  /** Null when the embedding table is the output layer. */
  readonly lm_head: Projection | null;
  readonly value_head: ValueHead;

  constructor(
    readonly config: ModelConfig,
    { seed = 0, dtype = 'float32', device = 'cpu' }: ModelOptions = {},
  ) {
    super();
    const begin: Beginning = { std: config.initializerRange, generator: new Generator(seed), dtype, device };
    this.visual = new VisionEncoder(config, begin);
    this.model = new Decoder(config, begin);
    this.lm_head = config.tieWordEmbeddings ? null : new Projection(config.hiddenSize, config.vocabSize, begin);
    this.value_head = new ValueHead(config.hiddenSize, config.valueHead, begin);
  }

  /** ids int64 [B, T] → hidden states after the last norm [B, T, D]. */
  forward(ids: Tensor, context: Context, images: PlacedImages | null = null): Tensor {
    const embeddings = this.model.embed_tokens.forward(ids);
    return this.model.forward(images ? this.#place(embeddings, images) : embeddings, context);
  }

  /** Hidden states [..., D] → scores over the vocabulary [..., V]. */
  logits(hidden: Tensor): Tensor {
    return this.lm_head?.forward(hidden) ?? functional.linear(hidden, this.model.embed_tokens.weight);
  }

  /** Hidden states at the last prompt tokens [B, D] → [B]. */
  values(hidden: Tensor): Tensor {
    return this.value_head.forward(hidden);
  }

  #place(embeddings: Tensor, { batch, source, target }: PlacedImages): Tensor {
    const tokens = this.visual.forward(batch).flatten(0, 1).indexSelect(0, source);
    return embeddings.flatten(0, 1).indexPut([target], tokens).view(embeddings.shape);
  }
}
