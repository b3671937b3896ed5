/**
 * The language side of all families: a Qwen2 decoder (arXiv 2407.10671), or that of Qwen3 (arXiv 2505.09388) with a norm
 * per head of queries and keys and without biases. Each layer is x + attention(norm(x)), then x + mlp(norm(x)).
 *
 * Property names are the published ones; `qkv_proj` and `gate_up_proj` hold the published `q_proj`, `k_proj`, `v_proj`
 * and `gate_proj`, `up_proj` (`adapters/published-weights.ts`).
 */
import { Module, nn, type Parameter, type Tensor, tidy } from '@vlgym/gpu';
import type { ForwardContext, ForwardPart, TokenReader } from '../language-model.js';
import { freshParameter, type WeightInit } from './fresh-parameter.js';
import type { KeyValueCache } from './key-value-cache.js';
import type { NarrowWeights } from './narrow-weights.js';
import { type DecoderSizes, decoderContext, nativeDecoder, tokenReader } from './native-decoder.js';
import { Projection } from './projection.js';
import { HalfSafeRmsNorm } from './rms-norm.js';
import { type Rotary, rotate } from './rotary.js';
import { windowMask } from './window-mask.js';

export interface DecoderConfig extends DecoderSizes {
  readonly vocabSize: number;
  readonly hiddenSize: number;
  readonly intermediateSize: number;
  readonly numHiddenLayers: number;
}

/** How the decoders of the families differ. */
export interface DecoderKind {
  /** Query, key and value have biases (Qwen2). */
  readonly attentionBias: boolean;
  /** The output projection of attention has a bias (Llama and Qwen3 with `attention_bias`). */
  readonly outputBias?: boolean;
  /** The three matrices of the MLP have biases (Llama with `mlp_bias`). */
  readonly mlpBias?: boolean;
  /**
   * Per layer: how many tokens a token attends to, itself and those right before it; null: all before it. Default: null for
   * all.
   */
  readonly windows?: readonly (number | null)[] | undefined;
  /** Queries and keys are normalized per head before they are rotated (Qwen3). */
  readonly headNorms?: boolean;
  /** In half precision, norms are computed in float32, cast back, and only then times their weight. */
  readonly wideNorm: boolean;
  /**
   * Layers that write to the residual stream, 2 * layers times, start smaller, so that its variance does not grow with
   * depth (GPT-2).
   */
  readonly smallResiduals?: boolean;
  /** [vocabulary, width] the table of embeddings; default: drawn like the other weights. */
  readonly table?: Parameter;
}

type Norm = HalfSafeRmsNorm | nn.RMSNorm;

function newNorm(width: number, eps: number, { wideNorm }: DecoderKind, { dtype, device }: WeightInit): Norm {
  return wideNorm ? new HalfSafeRmsNorm(width, eps, { dtype, device }) : new nn.RMSNorm(width, { eps, dtype, device });
}

function residualInit(
  { numHiddenLayers }: DecoderConfig,
  { smallResiduals }: DecoderKind,
  init: WeightInit,
): WeightInit {
  return smallResiduals ? { ...init, std: init.std / Math.sqrt(2 * numHiddenLayers) } : init;
}

export interface DecoderContext extends ForwardContext {
  readonly positions: Rotary;
  readonly cache?: KeyValueCache | undefined;
  /** Receives intermediate results by name; for parity tests. */
  readonly observe?: ((name: string, tensor: Tensor) => void) | undefined;
}

class Attention extends Module {
  readonly qkv_proj: Projection;
  readonly o_proj: Projection;
  readonly q_norm: Norm | null;
  readonly k_norm: Norm | null;
  readonly #heads: number;
  readonly #groups: number;
  readonly #width: number;
  readonly #layer: number;

  constructor(config: DecoderConfig, kind: DecoderKind, layer: number, init: WeightInit) {
    super();
    const { hiddenSize, numAttentionHeads, numKeyValueHeads, headDim, rmsNormEps } = config;
    const parts = {
      q_proj: numAttentionHeads * headDim,
      k_proj: numKeyValueHeads * headDim,
      v_proj: numKeyValueHeads * headDim,
    };
    this.qkv_proj = new Projection(hiddenSize, parts, { ...init, bias: kind.attentionBias });
    this.o_proj = new Projection(numAttentionHeads * headDim, hiddenSize, {
      ...residualInit(config, kind, init),
      bias: kind.outputBias,
    });
    const headNorm = () => (kind.headNorms ? newNorm(headDim, rmsNormEps, kind, init) : null);
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
    const rounded = (tensor: Tensor) => (this.qkv_proj.inBfloat16 ? tensor.to('bfloat16') : tensor);
    const inputs = [query.transpose(1, 2), key, value].map(rounded) as [Tensor, Tensor, Tensor];
    const attended = nn.functional.scaledDotProductAttention(...inputs, {
      attnMask: mask && rounded(mask),
      isCausal: mask === null,
      enableGqa: heads !== groups,
    });
    return this.o_proj.forward(
      attended
        .to(x.dtype)
        .transpose(1, 2)
        .reshape([rows, tokens, heads * width]),
    );
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

  constructor(config: DecoderConfig, kind: DecoderKind, init: WeightInit) {
    super();
    const { hiddenSize, intermediateSize } = config;
    const parts = { gate_proj: intermediateSize, up_proj: intermediateSize };
    const bias = kind.mlpBias;
    this.gate_up_proj = new Projection(hiddenSize, parts, { ...init, bias });
    this.down_proj = new Projection(intermediateSize, hiddenSize, { ...residualInit(config, kind, init), bias });
  }

  forward(x: Tensor): Tensor {
    const [gate, up] = this.gate_up_proj.forward(x).chunk(2, -1) as [Tensor, Tensor];
    return this.down_proj.forward(gate.silu().mul(up));
  }
}

class DecoderLayer extends Module {
  readonly input_layernorm: Norm;
  readonly self_attn: Attention;
  readonly post_attention_layernorm: Norm;
  readonly mlp: Mlp;

  constructor(config: DecoderConfig, kind: DecoderKind, layer: number, init: WeightInit) {
    super();
    const { hiddenSize, rmsNormEps } = config;
    this.input_layernorm = newNorm(hiddenSize, rmsNormEps, kind, init);
    this.self_attn = new Attention(config, kind, layer, init);
    this.post_attention_layernorm = newNorm(hiddenSize, rmsNormEps, kind, init);
    this.mlp = new Mlp(config, kind, init);
  }

  forward(x: Tensor, context: DecoderContext): Tensor {
    const attended = x.add(this.self_attn.forward(this.input_layernorm.forward(x), context));
    return attended.add(this.mlp.forward(this.post_attention_layernorm.forward(attended)));
  }
}

/** A table of vectors, one per token. */
class TokenTable extends Module {
  /** @param weight  [vocabulary, width] */
  constructor(readonly weight: Parameter) {
    super();
  }

  forward(ids: Tensor): Tensor {
    return nn.functional.embedding(ids, this.weight);
  }
}

export class Decoder extends Module {
  readonly embed_tokens: TokenTable;
  readonly layers: readonly DecoderLayer[];
  readonly norm: Norm;
  narrow: NarrowWeights | null = null;
  readonly #config: DecoderConfig;
  readonly #kind: DecoderKind;

  constructor(config: DecoderConfig, kind: DecoderKind, init: WeightInit) {
    super();
    this.#config = config;
    this.#kind = kind;
    const { vocabSize, hiddenSize, numHiddenLayers, rmsNormEps } = config;
    this.embed_tokens = new TokenTable(kind.table ?? freshParameter([vocabSize, hiddenSize], init));
    this.layers = Array.from({ length: numHiddenLayers }, (_, layer) => new DecoderLayer(config, kind, layer, init));
    this.norm = newNorm(hiddenSize, rmsNormEps, kind, init);
  }

  /**
   * Embeddings [B, T, D] → hidden states after the last norm [B, T, D], or [B, 1, D] of the last column.
   *
   * @param deepstack  Features that are added to the output of layer 0, 1, …, [B, T, D].
   */
  forward(embeddings: Tensor, context: DecoderContext, deepstack: readonly Tensor[] = []): Tensor {
    const { lastOnly } = context;
    // an observer looks between the layers
    using native = context.observe || this.#hides(embeddings, context) ? null : this.native();
    const hidden =
      native?.forward(embeddings, decoderContext(context), { added: deepstack, lastOnly }) ??
      this.layered(embeddings, context, deepstack);
    context.cache?.advance(embeddings.size(1));
    return hidden;
  }

  /** The same without blocking the event loop. */
  async forwardAsync(embeddings: Tensor, context: DecoderContext, deepstack: readonly Tensor[] = []): Promise<Tensor> {
    using native = this.#hides(embeddings, context) ? null : this.native();
    if (!native) return this.forward(embeddings, context, deepstack);
    const { lastOnly } = context;
    const hidden = await native.forwardAsync(embeddings, decoderContext(context), { added: deepstack, lastOnly });
    context.cache?.advance(embeddings.size(1));
    return hidden;
  }

  /** `forward`, layer by layer; the cache does not move on. */
  layered(embeddings: Tensor, context: DecoderContext, deepstack: readonly Tensor[] = []): Tensor {
    const { observe } = context;
    const contextOf = this.#contexts(embeddings, context);
    let x = embeddings;
    for (const [i, layer] of this.layers.entries()) {
      observe?.(`hidden/${i}`, x);
      const before = x;
      x = tidy(() => {
        const after = layer.forward(before, contextOf(i));
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
    const layered = (i: number, x: Tensor, feature: Tensor | undefined) => {
      const y = this.layers[i]!.forward(x, this.#contexts(x, context)(i));
      const sum = feature ? y.add(feature) : y;
      return i === this.layers.length - 1 ? this.norm.forward(sum) : sum;
    };
    return this.layers.map((layer, i) => ({
      run: async ([x, ...features]) => {
        const run = { isLast: i === this.layers.length - 1, added: features.slice(0, 1) };
        using native = this.#hides(x!, context) ? null : this.native([layer]);
        // without an `await` before it, `layered` computes with the weights of the call
        const y = await (native?.forwardAsync(x!, decoderContext(context), run) ?? layered(i, x!, features[0]));
        return run.isLast ? [y] : [y, ...features.slice(1)];
      },
    }));
  }

  /** These layers as one native call, with the weights in place now; null if that cannot be. */
  native(layers = this.layers): nn.Decoder | null {
    const { embed_tokens, norm } = this;
    return nativeDecoder({ embed_tokens, norm, layers }, this.#config, this.#options);
  }

  /** Reads single tokens. @param head  The output layer; null if it is the table of embeddings. */
  tokenReader(head: Projection | null): TokenReader | null {
    // how far back the token sees is not known to the native decoder
    if (this.#kind.windows?.some((window) => window !== null)) return null;
    return tokenReader(this, this.#config, { ...this.#options, head });
  }

  /** Does the window of some layer hide tokens of this forward? The native decoder has one mask for all layers. */
  #hides(x: Tensor, { cache }: DecoderContext): boolean {
    const keys = (cache?.length ?? 0) + x.size(1);
    return this.#kind.windows?.some((window) => window !== null && window < keys) ?? false;
  }

  /** The context of each layer, with the mask of its window. */
  #contexts(x: Tensor, context: DecoderContext): (layer: number) => DecoderContext {
    const { windows } = this.#kind;
    if (!windows || !this.#hides(x, context)) return () => context;
    const past = context.cache?.length ?? 0;
    const masked = new Map<number | null, DecoderContext>([[null, context]]);
    for (const window of windows) {
      if (!masked.has(window)) masked.set(window, { ...context, mask: windowMask(context.mask, x, past, window!) });
    }
    return (layer) => masked.get(windows[layer] ?? null)!;
  }

  get #options() {
    return { wideNorm: this.#kind.wideNorm, narrow: this.narrow };
  }
}
