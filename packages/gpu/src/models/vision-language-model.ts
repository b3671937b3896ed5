/**
 * A vision-language model: pictures become tokens among the tokens of the text, a decoder reads both, one head gives the
 * next token and one the value of what was seen (`docs/specs/algorithms.md` 8.3).
 */
import { noGrad } from '../autograd/grad-mode.js';
import { functional, Linear, Module } from '../nn/index.js';
import { ones, zeros } from '../tensor/creation.js';
import type { DType } from '../tensor/dtype.js';
import { Generator } from '../tensor/generator.js';
import { tidy } from '../tensor/scope.js';
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

/** Size of a fresh value head's output weights, relative to the usual. */
const FRESH_OUTPUT = 0.1;

/**
 * MLP with ReLU from the hidden state at the last prompt token to one number, in float32.
 *
 * Hidden states of different observations share a large common part (in the tiny model its size is 1.0, the spread
 * around it 0.12): `standardize` takes it off, or the first layer would see a constant and learn next to nothing.
 */
export class ValueHead extends Module {
  readonly layers: readonly Linear[];

  constructor(hiddenSize: number, widths: readonly number[], { generator, device, dtype }: Beginning) {
    super();
    const sizes = [hiddenSize, ...widths, 1];
    const kind = { generator, device, dtype: dtype === 'float64' ? dtype : ('float32' as const) };
    this.layers = widths.concat(1).map((width, i) => new Linear(sizes[i]!, width, kind));
    // a fresh head says next to nothing: random values would enter the targets that it learns from
    noGrad(() => this.layers.at(-1)!.weight.mul_(FRESH_OUTPUT));
    const { dtype: precision } = kind;
    this.registerBuffer('input_mean', zeros([hiddenSize], { dtype: precision, device }));
    this.registerBuffer('input_scale', ones([hiddenSize], { dtype: precision, device }));
  }

  /**
   * From now on inputs are taken relative to mean and spread of these states, [N, D]. A backbone in training moves all
   * states together, far in units of their spread: who trains it calls this for every buffer.
   */
  standardize(states: Tensor): void {
    noGrad(() =>
      tidy(() => {
        const x = states.to(this.layers[0]!.weight.dtype);
        const mean = x.mean(0);
        const deviations = x.sub(mean);
        // a dimension that hardly varies is not blown up
        const floor = 1e-3 * Math.sqrt(x.mul(x).mean().item());
        this.buffer('input_mean').copy_(mean);
        this.buffer('input_scale').copy_(deviations.mul(deviations).mean(0).sqrt().add(floor));
      }),
    );
  }

  /** [B, D] → [B] */
  forward(hidden: Tensor): Tensor {
    const last = this.layers.length - 1;
    const inputs = hidden.to(this.layers[0]!.weight.dtype);
    let x = inputs.sub(this.buffer('input_mean')).div(this.buffer('input_scale'));
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
