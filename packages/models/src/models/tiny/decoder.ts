/**
 * The language side: a Qwen2 decoder (arXiv 2407.10671). Each layer is x + attention(norm(x)), then x + mlp(norm(x)).
 *
 * Property names are the published ones; `qkv_proj` and `gate_up_proj` hold the published `q_proj`, `k_proj`, `v_proj`
 * and `gate_proj`, `up_proj` (`adapters/published-weights.ts`).
 */
import { Module, nn, type Tensor, tidy } from '@vlgym/gpu';
import type { ForwardContext, ForwardPart } from '../../language-model.js';
import type { KeyValueCache } from '../../layers/key-value-cache.js';
import type { NarrowWeights } from '../../layers/narrow-weights.js';
import { decoderContext, layerPart, nativeDecoder } from '../../layers/native-decoder.js';
import { Projection, type WeightInit } from '../../layers/projection.js';
import { type Rotary, rotate } from '../../layers/rotary.js';
import type { TinyConfig } from './config.js';

export interface DecoderContext extends ForwardContext {
  readonly positions: Rotary;
  readonly cache?: KeyValueCache | undefined;
}

class Attention extends Module {
  readonly qkv_proj: Projection;
  readonly o_proj: Projection;
  readonly #heads: number;
  readonly #groups: number;
  readonly #width: number;
  readonly #layer: number;

  constructor(config: TinyConfig, layer: number, init: WeightInit) {
    super();
    const { hiddenSize, numAttentionHeads, numKeyValueHeads, headDim, attentionBias, numHiddenLayers } = config;
    const parts = {
      q_proj: numAttentionHeads * headDim,
      k_proj: numKeyValueHeads * headDim,
      v_proj: numKeyValueHeads * headDim,
    };
    this.qkv_proj = new Projection(hiddenSize, parts, { ...init, bias: attentionBias });
    this.o_proj = new Projection(numAttentionHeads * headDim, hiddenSize, residual(init, numHiddenLayers));
    this.#heads = numAttentionHeads;
    this.#groups = numKeyValueHeads;
    this.#width = headDim;
    this.#layer = layer;
  }

  forward(x: Tensor, { positions, mask, cache }: DecoderContext): Tensor {
    const [rows, tokens] = x.shape as [number, number, number];
    const [heads, groups, width] = [this.#heads, this.#groups, this.#width];
    const all = this.qkv_proj.forward(x).view([rows, tokens, heads + 2 * groups, width]);
    const rotated = rotate(all.narrow(2, 0, heads + groups), positions);
    const query = rotated.narrow(2, 0, heads);
    let key = rotated.narrow(2, heads, groups).transpose(1, 2);
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
}

/** SwiGLU (arXiv 2002.05202). */
class Mlp extends Module {
  readonly gate_up_proj: Projection;
  readonly down_proj: Projection;

  constructor({ hiddenSize, intermediateSize, numHiddenLayers }: TinyConfig, init: WeightInit) {
    super();
    const parts = { gate_proj: intermediateSize, up_proj: intermediateSize };
    this.gate_up_proj = new Projection(hiddenSize, parts, init);
    this.down_proj = new Projection(intermediateSize, hiddenSize, residual(init, numHiddenLayers));
  }

  forward(x: Tensor): Tensor {
    const [gate, up] = this.gate_up_proj.forward(x).chunk(2, -1) as [Tensor, Tensor];
    return this.down_proj.forward(gate.silu().mul(up));
  }
}

/**
 * Layers that write to the residual stream, 2 * layers times, start smaller, so that its variance does not grow with depth
 * (GPT-2).
 */
function residual(init: WeightInit, layers: number): WeightInit {
  return { ...init, std: init.std / Math.sqrt(2 * layers) };
}

class DecoderLayer extends Module {
  readonly input_layernorm: nn.RMSNorm;
  readonly self_attn: Attention;
  readonly post_attention_layernorm: nn.RMSNorm;
  readonly mlp: Mlp;

  constructor(config: TinyConfig, layer: number, init: WeightInit) {
    super();
    const norm = { eps: config.rmsNormEps, dtype: init.dtype, device: init.device };
    this.input_layernorm = new nn.RMSNorm(config.hiddenSize, norm);
    this.self_attn = new Attention(config, layer, init);
    this.post_attention_layernorm = new nn.RMSNorm(config.hiddenSize, norm);
    this.mlp = new Mlp(config, init);
  }

  forward(x: Tensor, context: DecoderContext): Tensor {
    const attended = x.add(this.self_attn.forward(this.input_layernorm.forward(x), context));
    return attended.add(this.mlp.forward(this.post_attention_layernorm.forward(attended)));
  }
}

export class Decoder extends Module {
  readonly embed_tokens: nn.Embedding;
  readonly layers: readonly DecoderLayer[];
  readonly norm: nn.RMSNorm;
  narrow: NarrowWeights | null = null;
  readonly #config: TinyConfig;

  constructor(config: TinyConfig, init: WeightInit) {
    super();
    this.#config = config;
    const { vocabSize, hiddenSize, numHiddenLayers, rmsNormEps: eps } = config;
    this.embed_tokens = new nn.Embedding(vocabSize, hiddenSize, init);
    nn.init.normal_(this.embed_tokens.weight, 0, init.std, init);
    this.layers = Array.from({ length: numHiddenLayers }, (_, layer) => new DecoderLayer(config, layer, init));
    this.norm = new nn.RMSNorm(hiddenSize, { eps, dtype: init.dtype, device: init.device });
  }

  /** Embeddings [B, T, D] → hidden states after the last norm [B, T, D], or [B, 1, D] of the last column. */
  forward(embeddings: Tensor, context: DecoderContext): Tensor {
    using native = this.native();
    const { lastOnly } = context;
    const hidden =
      native?.forward(embeddings, decoderContext(context), { lastOnly }) ?? this.layered(embeddings, context);
    context.cache?.advance(embeddings.size(1));
    return hidden;
  }

  /** The same without blocking the event loop. */
  async forwardAsync(embeddings: Tensor, context: DecoderContext): Promise<Tensor> {
    using native = this.native();
    if (!native) return this.forward(embeddings, context);
    const hidden = await native.forwardAsync(embeddings, decoderContext(context), { lastOnly: context.lastOnly });
    context.cache?.advance(embeddings.size(1));
    return hidden;
  }

  /** `forward`, layer by layer; the cache does not move on. */
  layered(embeddings: Tensor, context: DecoderContext): Tensor {
    let x = embeddings;
    for (const layer of this.layers) {
      const before = x;
      x = tidy(() => layer.forward(before, context));
    }
    return this.norm.forward(x);
  }

  /** `forward` in one part per layer. */
  parts(context: DecoderContext): Required<ForwardPart>[] {
    return this.layers.map((layer, i) => {
      const isLast = i === this.layers.length - 1;
      const layered = (x: Tensor) => {
        const y = layer.forward(x, context);
        return isLast ? this.norm.forward(y) : y;
      };
      return layerPart({ open: () => this.native([layer]), layered, context, isLast });
    });
  }

  /** These layers as one native call, with the weights in place now; null if that cannot be. */
  native(layers = this.layers): nn.Decoder | null {
    const { embed_tokens, norm } = this;
    return nativeDecoder({ embed_tokens, norm, layers }, this.#config, { wideNorm: false, narrow: this.narrow });
  }
}
