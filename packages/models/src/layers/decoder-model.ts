/** The part of a model around its decoder that all families share: cache, forward, output layer. */
import { type DType, Module, nn, type Tensor } from '@vlgym/gpu';
import type { ForwardPart, TokenReader } from '../language-model.js';
import type { Decoder, DecoderContext } from './decoder.js';
import { KeyValueCache, type KeyValueShape } from './key-value-cache.js';
import type { LowPrecisionWeights } from './low-precision-weights.js';
import type { Projection } from './projection.js';

export abstract class DecoderModel<Config extends KeyValueShape> extends Module {
  abstract readonly config: Config;
  /** Null when the embedding table is the output layer. */
  abstract readonly lm_head: Projection | null;
  protected abstract readonly decoder: Decoder;

  get dtype(): DType {
    return this.decoder.norm.weight.dtype;
  }

  get device(): string {
    return this.decoder.norm.weight.device;
  }

  get lowPrecision(): LowPrecisionWeights | null {
    return this.decoder.lowPrecision;
  }

  set lowPrecision(weights: LowPrecisionWeights | null) {
    this.decoder.lowPrecision = weights;
  }

  get autocast(): boolean {
    return this.decoder.autocast;
  }

  set autocast(isOn: boolean) {
    this.decoder.autocast = isOn;
  }

  newCache(rows: number, capacity: number): KeyValueCache {
    return new KeyValueCache(this.config, rows, capacity, this);
  }

  forward(embeddings: Tensor, context: DecoderContext): Tensor {
    return this.decoder.forward(embeddings, context);
  }

  forwardAsync(embeddings: Tensor, context: DecoderContext): Promise<Tensor> {
    return this.decoder.forwardAsync(embeddings, context);
  }

  parts(context: DecoderContext): ForwardPart[] {
    return this.decoder.parts(context);
  }

  logits(hidden: Tensor): Tensor {
    return this.lm_head?.forward(hidden) ?? nn.functional.linear(hidden, this.decoder.embed_tokens.weight);
  }

  outputWeight(): Tensor | null {
    return this.lm_head ? this.lm_head.plainWeight : this.decoder.embed_tokens.weight;
  }

  tokenReader(): TokenReader | null {
    return this.decoder.tokenReader(this.lm_head);
  }
}
