/**
 * The language side of the Qwen-VL family: a Qwen2 decoder (arXiv 2407.10671), or that of Qwen3 (arXiv 2505.09388) with
 * a norm per head of queries and keys and without biases.
 *
 * Property names are the published ones; `qkv_proj` and `gate_up_proj` hold the published `q_proj`, `k_proj`, `v_proj`
 * and `gate_proj`, `up_proj` (`adapters/published-weights.ts`).
 */
import { Module, nn, type Parameter, type Tensor, tidy } from '@vlgym/gpu';
import type { ForwardContext, ForwardPart } from '../../language-model.js';
import { freshParameter, type WeightInit } from '../../layers/fresh-parameter.js';
import type { KeyValueCache } from '../../layers/key-value-cache.js';
import type { NarrowWeights } from '../../layers/narrow-weights.js';
import { decoderContext, layerPart, nativeDecoder } from '../../layers/native-decoder.js';
import { Projection } from '../../layers/projection.js';
import { HalfSafeRmsNorm } from '../../layers/rms-norm.js';
import { type Rotary, rotate } from '../../layers/rotary.js';
import type { QwenConfig } from './config.js';
import type { Observer } from './vision.js';

/** How the decoders of the family differ. */
export interface DecoderKind {
  /** Query, key and value have biases (Qwen2). */
  readonly attentionBias: boolean;
  /** Queries and keys are normalized per head before they are rotated (Qwen3). */
  readonly headNorms: boolean;
}

export interface DecoderContext extends ForwardContext {
  readonly positions: Rotary;
  readonly cache?: KeyValueCache | undefined;
  readonly observe?: Observer | undefined;
}

class Attention extends Module {
  readonly qkv_proj: Projection;
  readonly o_proj: Projection;
  readonly q_norm: HalfSafeRmsNorm | null;
  readonly k_norm: HalfSafeRmsNorm | null;
  readonly #heads: number;
  readonly #groups: number;
  readonly #width: number;
  readonly #layer: number;

  constructor(config: QwenConfig, kind: DecoderKind, layer: number, init: WeightInit) {
    super();
    const { hiddenSize, numAttentionHeads, numKeyValueHeads, headDim, rmsNormEps } = config;
    const parts = {
      q_proj: numAttentionHeads * headDim,
      k_proj: numKeyValueHeads * headDim,
      v_proj: numKeyValueHeads * headDim,
    };
    this.qkv_proj = new Projection(hiddenSize, parts, { ...init, bias: kind.attentionBias });
    this.o_proj = new Projection(numAttentionHeads * headDim, hiddenSize, init);
    const headNorm = () => (kind.headNorms ? new HalfSafeRmsNorm(headDim, rmsNormEps, init) : null);
    this.q_norm = headNorm();
    this.k_norm = headNorm();
    this.#heads = numAttentionHeads;
    this.#groups = numKeyValueHeads;
    this.#width = headDim;
    this.#layer = layer;
  }

  forward(x: Tensor, { positions, mask, cache }: DecoderContext): Tensor {
    const [rows, tokens] = x.shape as [number, number, number];
    const [heads, groups, width] = [this.#heads, this.#groups, this.#width];
    const all = this.qkv_proj.forward(x).view([rows, tokens, heads + 2 * groups, width]);
    const { query, key: newKey } = this.#rotated(all, positions);
    let key = newKey.transpose(1, 2);
    let value = all.narrow(2, heads + groups, groups).transpose(1, 2);
    if (cache) ({ key, value } = cache.append(this.#layer, key, value));
    if (tokens === 1) {
      // one query per row: the heads that share a key-value head become its queries, which needs no copy of the cache
      const grouped = query.reshape([rows, groups, heads / groups, width]);
      const attended = nn.functional.scaledDotProductAttention(grouped, key, value, { attnMask: mask });
      return this.o_proj.forward(attended.reshape([rows, 1, heads * width]));
    }
    const attended = nn.functional.scaledDotProductAttention(query.transpose(1, 2), key, value, {
      attnMask: mask,
      isCausal: mask === null,
      enableGqa: heads !== groups,
    });
    return this.o_proj.forward(attended.transpose(1, 2).reshape([rows, tokens, heads * width]));
  }

  #rotated(all: Tensor, positions: Rotary): { query: Tensor; key: Tensor } {
    const [heads, groups] = [this.#heads, this.#groups];
    if (this.q_norm && this.k_norm) {
      const query = rotate(this.q_norm.forward(all.narrow(2, 0, heads)), positions);
      return { query, key: rotate(this.k_norm.forward(all.narrow(2, heads, groups)), positions) };
    }
    const both = rotate(all.narrow(2, 0, heads + groups), positions);
    return { query: both.narrow(2, 0, heads), key: both.narrow(2, heads, groups) };
  }
}

/** SwiGLU (arXiv 2002.05202). */
class Mlp extends Module {
  readonly gate_up_proj: Projection;
  readonly down_proj: Projection;

  constructor({ hiddenSize, intermediateSize }: QwenConfig, init: WeightInit) {
    super();
    this.gate_up_proj = new Projection(hiddenSize, { gate_proj: intermediateSize, up_proj: intermediateSize }, init);
    this.down_proj = new Projection(intermediateSize, hiddenSize, init);
  }

  forward(x: Tensor): Tensor {
    const [gate, up] = this.gate_up_proj.forward(x).chunk(2, -1) as [Tensor, Tensor];
    return this.down_proj.forward(gate.silu().mul(up));
  }
}

class DecoderLayer extends Module {
  readonly input_layernorm: HalfSafeRmsNorm;
  readonly self_attn: Attention;
  readonly post_attention_layernorm: HalfSafeRmsNorm;
  readonly mlp: Mlp;

  constructor(config: QwenConfig, kind: DecoderKind, layer: number, init: WeightInit) {
    super();
    this.input_layernorm = new HalfSafeRmsNorm(config.hiddenSize, config.rmsNormEps, init);
    this.self_attn = new Attention(config, kind, layer, init);
    this.post_attention_layernorm = new HalfSafeRmsNorm(config.hiddenSize, config.rmsNormEps, init);
    this.mlp = new Mlp(config, init);
  }

  forward(x: Tensor, context: DecoderContext): Tensor {
    const attended = x.add(this.self_attn.forward(this.input_layernorm.forward(x), context));
    return attended.add(this.mlp.forward(this.post_attention_layernorm.forward(attended)));
  }
}

/** A table of vectors, one per token. */
class TokenTable extends Module {
  /** [vocabulary, width] */
  readonly weight: Parameter;

  constructor({ vocabSize, hiddenSize }: QwenConfig, init: WeightInit) {
    super();
    this.weight = freshParameter([vocabSize, hiddenSize], init);
  }

  forward(ids: Tensor): Tensor {
    return nn.functional.embedding(ids, this.weight);
  }
}

export class Decoder extends Module {
  readonly embed_tokens: TokenTable;
  readonly layers: readonly DecoderLayer[];
  readonly norm: HalfSafeRmsNorm;
  narrow: NarrowWeights | null = null;
  readonly #config: QwenConfig;

  constructor(config: QwenConfig, kind: DecoderKind, init: WeightInit) {
    super();
    this.#config = config;
    const { hiddenSize, numHiddenLayers, rmsNormEps } = config;
    this.embed_tokens = new TokenTable(config, init);
    this.layers = Array.from({ length: numHiddenLayers }, (_, layer) => new DecoderLayer(config, kind, layer, init));
    this.norm = new HalfSafeRmsNorm(hiddenSize, rmsNormEps, init);
  }

  /**
   * Embeddings [B, T, D] → hidden states after the last norm [B, T, D], or [B, 1, D] of the last column.
   *
   * @param deepstack  Features that are added to the output of layer 0, 1, …, [B, T, D].
   */
  forward(embeddings: Tensor, deepstack: readonly Tensor[], context: DecoderContext): Tensor {
    const { lastOnly } = context;
    // an observer looks between the layers
    using native = context.observe ? null : this.native();
    const hidden =
      native?.forward(embeddings, decoderContext(context), { added: deepstack, lastOnly }) ??
      this.layered(embeddings, deepstack, context);
    context.cache?.advance(embeddings.size(1));
    return hidden;
  }

  /** The same without blocking the event loop. */
  async forwardAsync(embeddings: Tensor, deepstack: readonly Tensor[], context: DecoderContext): Promise<Tensor> {
    using native = this.native();
    if (!native) return this.forward(embeddings, deepstack, context);
    const { lastOnly } = context;
    const hidden = await native.forwardAsync(embeddings, decoderContext(context), { added: deepstack, lastOnly });
    context.cache?.advance(embeddings.size(1));
    return hidden;
  }

  /** `forward`, layer by layer; the cache does not move on. */
  layered(embeddings: Tensor, deepstack: readonly Tensor[], context: DecoderContext): Tensor {
    const { observe } = context;
    let x = embeddings;
    for (const [i, layer] of this.layers.entries()) {
      observe?.(`hidden/${i}`, x);
      const before = x;
      x = tidy(() => {
        const after = layer.forward(before, context);
        return deepstack[i] ? after.add(deepstack[i]) : after;
      });
      // a prompt's states are large, and only an observer looks at those between the layers
      if (before !== embeddings && !observe) before.dispose();
    }
    observe?.(`hidden/${this.layers.length}`, x);
    const normed = this.norm.forward(x);
    observe?.('hidden/final', normed);
    return normed;
  }

  /** `forward` in one part per layer: [x, features of deepstack that are still to come …] to the same. */
  parts(context: DecoderContext): Required<ForwardPart>[] {
    return this.layers.map((layer, i) => {
      const isLast = i === this.layers.length - 1;
      const layered = (x: Tensor, feature: Tensor | undefined) => {
        const y = layer.forward(x, context);
        const sum = feature ? y.add(feature) : y;
        return isLast ? this.norm.forward(sum) : sum;
      };
      return layerPart({ open: () => this.native([layer]), layered, context, isLast });
    });
  }

  /** These layers as one native call, with the weights in place now; null if that cannot be. */
  native(layers = this.layers): nn.Decoder | null {
    const { embed_tokens, norm } = this;
    return nativeDecoder({ embed_tokens, norm, layers }, this.#config, { wideNorm: true, narrow: this.narrow });
  }
}
