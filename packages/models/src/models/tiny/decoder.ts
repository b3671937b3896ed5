/**
 * The language side: a Qwen2 decoder (arXiv 2407.10671). Each layer is x + attention(norm(x)), then x + mlp(norm(x)).
 *
 * Property names are the published ones; `qkv_proj` and `gate_up_proj` hold the published `q_proj`, `k_proj`, `v_proj`
 * and `gate_proj`, `up_proj` (`weights.ts`).
 */
import { Embedding, functional, init, Module, RMSNorm } from '../nn/index.js';
import type { Tensor } from '../tensor/tensor.js';
import type { ModelConfig } from './config.js';
import type { KeyValueCache } from './key-value-cache.js';
import { type Beginning, Projection } from './projection.js';
import { type Rotary, rotate } from './rotary.js';

/** Where the tokens of a forward stand and what they may look at. */
export interface Context {
  /** Of the tokens in this forward. */
  readonly rotary: Rotary;
  /**
   * Float, 0 where a query may look and -inf where not: [B, 1, queries, keys]. Null: with a full forward every token
   * sees those before it, with a cache every token of it.
   */
  readonly mask: Tensor | null;
  readonly cache?: KeyValueCache | undefined;
}

class Attention extends Module {
  readonly qkv_proj: Projection;
  readonly o_proj: Projection;
  readonly #heads: number;
  readonly #groups: number;
  readonly #width: number;
  readonly #layer: number;

  constructor(config: ModelConfig, layer: number, begin: Beginning) {
    super();
    const { hiddenSize, numAttentionHeads, numKeyValueHeads, headDim, attentionBias, numHiddenLayers } = config;
    const parts = {
      q_proj: numAttentionHeads * headDim,
      k_proj: numKeyValueHeads * headDim,
      v_proj: numKeyValueHeads * headDim,
    };
    this.qkv_proj = new Projection(hiddenSize, parts, { ...begin, bias: attentionBias });
    this.o_proj = new Projection(numAttentionHeads * headDim, hiddenSize, residual(begin, numHiddenLayers));
    this.#heads = numAttentionHeads;
    this.#groups = numKeyValueHeads;
    this.#width = headDim;
    this.#layer = layer;
  }

  forward(x: Tensor, { rotary, mask, cache }: Context): Tensor {
    const [rows, tokens] = x.shape as [number, number, number];
    const [heads, groups, width] = [this.#heads, this.#groups, this.#width];
    const all = this.qkv_proj.forward(x).view([rows, tokens, heads + 2 * groups, width]);
    const turned = rotate(all.narrow(2, 0, heads + groups), rotary);
    const query = turned.narrow(2, 0, heads);
    let key = turned.narrow(2, heads, groups).transpose(1, 2);
    let value = all.narrow(2, heads + groups, groups).transpose(1, 2);
    if (cache) ({ key, value } = cache.append(this.#layer, key, value));

    if (tokens === 1) {
      // one query per row: the heads that share a key-value head become its queries, which needs no copy of the cache
      const grouped = query.reshape([rows, groups, heads / groups, width]);
      const seen = functional.scaledDotProductAttention(grouped, key, value, { attnMask: mask });
      return this.o_proj.forward(seen.reshape([rows, 1, heads * width]));
    }
    const seen = functional.scaledDotProductAttention(query.transpose(1, 2), key, value, {
      attnMask: mask,
      isCausal: mask === null,
      enableGqa: heads !== groups,
    });
    return this.o_proj.forward(seen.transpose(1, 2).reshape([rows, tokens, heads * width]));
  }
}

/** SwiGLU (arXiv 2002.05202). */
class Mlp extends Module {
  readonly gate_up_proj: Projection;
  readonly down_proj: Projection;

  constructor({ hiddenSize, intermediateSize, numHiddenLayers }: ModelConfig, begin: Beginning) {
    super();
    const parts = { gate_proj: intermediateSize, up_proj: intermediateSize };
    this.gate_up_proj = new Projection(hiddenSize, parts, begin);
    this.down_proj = new Projection(intermediateSize, hiddenSize, residual(begin, numHiddenLayers));
  }

  forward(x: Tensor): Tensor {
    const [gate, up] = this.gate_up_proj.forward(x).chunk(2, -1) as [Tensor, Tensor];
    return this.down_proj.forward(gate.silu().mul(up));
  }
}

/** What is added 2 * layers times to the stream begins smaller, so that its variance does not grow with depth (GPT-2). */
function residual(begin: Beginning, layers: number): Beginning {
  return { ...begin, std: begin.std / Math.sqrt(2 * layers) };
}

class DecoderLayer extends Module {
  readonly input_layernorm: RMSNorm;
  readonly self_attn: Attention;
  readonly post_attention_layernorm: RMSNorm;
  readonly mlp: Mlp;

  constructor(config: ModelConfig, layer: number, begin: Beginning) {
    super();
    const norm = { eps: config.rmsNormEps, dtype: begin.dtype, device: begin.device };
    this.input_layernorm = new RMSNorm(config.hiddenSize, norm);
    this.self_attn = new Attention(config, layer, begin);
    this.post_attention_layernorm = new RMSNorm(config.hiddenSize, norm);
    this.mlp = new Mlp(config, begin);
  }

  forward(x: Tensor, context: Context): Tensor {
    const attended = x.add(this.self_attn.forward(this.input_layernorm.forward(x), context));
    return attended.add(this.mlp.forward(this.post_attention_layernorm.forward(attended)));
  }
}

export class Decoder extends Module {
  readonly embed_tokens: Embedding;
  readonly layers: readonly DecoderLayer[];
  readonly norm: RMSNorm;

  constructor(config: ModelConfig, begin: Beginning) {
    super();
    const { vocabSize, hiddenSize, numHiddenLayers, rmsNormEps: eps } = config;
    this.embed_tokens = new Embedding(vocabSize, hiddenSize, begin);
    init.normal_(this.embed_tokens.weight, 0, begin.std, begin);
    this.layers = Array.from({ length: numHiddenLayers }, (_, layer) => new DecoderLayer(config, layer, begin));
    this.norm = new RMSNorm(hiddenSize, { eps, dtype: begin.dtype, device: begin.device });
  }

  /** Embeddings [B, T, D] → hidden states after the last norm [B, T, D]. */
  forward(embeddings: Tensor, context: Context): Tensor {
    let x = embeddings;
    for (const layer of this.layers) x = layer.forward(x, context);
    context.cache?.advance(embeddings.size(1));
    return this.norm.forward(x);
  }
}
