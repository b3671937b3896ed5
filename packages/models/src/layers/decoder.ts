/**
 * The language side of all families: a Qwen2 decoder (arXiv 2407.10671), or that of Qwen3 (arXiv 2505.09388) with a norm
 * per head of queries and keys and without biases. Each layer is x + attention(norm(x)), then x + mlp(norm(x)); that of
 * Gemma 3 (arXiv 2503.19786) is x + norm(attention(norm(x))), then x + norm(mlp(norm(x))). `DecoderKind` says what differs.
 *
 * Property names are the published ones; `qkv_proj` and `gate_up_proj` hold the published `q_proj`, `k_proj`, `v_proj`
 * and `gate_proj`, `up_proj` (`adapters/published-weights.ts`).
 */
import { Module, nn, type Parameter, type Tensor, tidy } from '@vlgym/gpu';
import type { ForwardPart, TokenReader } from '../language-model.js';
import { Attention, type DecoderContext, Mlp } from './attention.js';
import { type DecoderConfig, type DecoderKind, hasNativeForm, type Norm, newNorm } from './decoder-kind.js';
import { freshParameter, type WeightInit } from './fresh-parameter.js';
import type { LowPrecisionWeights } from './low-precision-weights.js';
import { decoderContext, nativeDecoder, tokenReader } from './native-decoder.js';
import type { Projection } from './projection.js';
import { localRotary } from './rotary.js';
import { windowMask } from './window-mask.js';

export type { DecoderContext } from './attention.js';
export type { DecoderConfig, DecoderKind } from './decoder-kind.js';

class DecoderLayer extends Module {
  readonly input_layernorm: Norm;
  readonly self_attn: Attention;
  /** Before the MLP; with norms after, behind attention. */
  readonly post_attention_layernorm: Norm;
  readonly pre_feedforward_layernorm: Norm | null = null;
  readonly mlp: Mlp;
  readonly post_feedforward_layernorm: Norm | null = null;

  constructor(config: DecoderConfig, kind: DecoderKind, layer: number, init: WeightInit) {
    super();
    const { hiddenSize, rmsNormEps } = config;
    this.input_layernorm = newNorm(hiddenSize, rmsNormEps, kind, init);
    this.self_attn = new Attention(config, kind, layer, init);
    this.post_attention_layernorm = newNorm(hiddenSize, rmsNormEps, kind, init);
    this.mlp = new Mlp(config, kind, init);
    if (!kind.normsAfter) return;
    this.pre_feedforward_layernorm = newNorm(hiddenSize, rmsNormEps, kind, init);
    this.post_feedforward_layernorm = newNorm(hiddenSize, rmsNormEps, kind, init);
  }

  forward(x: Tensor, context: DecoderContext): Tensor {
    const { pre_feedforward_layernorm: before, post_feedforward_layernorm: after } = this;
    if (before && after) {
      const heard = this.self_attn.forward(this.input_layernorm.forward(x), context);
      const sum = x.add(this.post_attention_layernorm.forward(heard));
      return sum.add(after.forward(this.mlp.forward(before.forward(sum))));
    }
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
  lowPrecision: LowPrecisionWeights | null = null;
  #autocast = false;
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

  /** Products of the layers in bfloat16, next to weights and results in the model's dtype. */
  get autocast(): boolean {
    return this.#autocast;
  }

  set autocast(isOn: boolean) {
    this.#autocast = isOn;
    for (const { self_attn, mlp } of this.layers) {
      const { qkv_proj, o_proj } = self_attn;
      for (const each of [qkv_proj, o_proj, mlp.gate_up_proj, mlp.down_proj]) each.inBfloat16 = isOn;
    }
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
    if (!hasNativeForm(this.#kind)) return null;
    const { embed_tokens, norm } = this;
    return nativeDecoder({ embed_tokens, norm, layers }, this.#config, this.#options);
  }

  /** Reads single tokens. @param head  The output layer; null if it is the table of embeddings. */
  tokenReader(head: Projection | null): TokenReader | null {
    // how far back the token sees is not known to the native decoder
    if (!hasNativeForm(this.#kind) || this.#kind.windows?.some((window) => window !== null)) return null;
    return tokenReader(this, this.#config, { ...this.#options, head });
  }

  /** Does the window of some layer hide tokens of this forward? The native decoder has one mask for all layers. */
  #hides(x: Tensor, { cache }: DecoderContext): boolean {
    const keys = (cache?.length ?? 0) + x.size(1);
    return this.#kind.windows?.some((window) => window !== null && window < keys) ?? false;
  }

  /** The context of each layer, with the mask of its window and, where there are such, its own positions. */
  #contexts(x: Tensor, context: DecoderContext): (layer: number) => DecoderContext {
    const { windows } = this.#kind;
    if (!windows) return () => context;
    const past = context.cache?.length ?? 0;
    const masked = new Map<number | null, DecoderContext>([[null, context]]);
    const positions = localRotary(context.positions);
    for (const window of windows) {
      if (window === null || masked.has(window)) continue;
      masked.set(window, { ...context, positions, mask: windowMask(context.mask, x, past, window) });
    }
    return (layer) => masked.get(windows[layer] ?? null)!;
  }

  get #options() {
    return { wideNorm: this.#kind.wideNorm, lowPrecision: this.lowPrecision };
  }
}
