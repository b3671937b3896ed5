/** Attention and MLP of a decoder's layer. */
import { Module, nn, type Tensor } from '@vlgym/gpu';
import type { ForwardContext } from '../language-model.js';
import { type DecoderConfig, type DecoderKind, type Norm, newNorm, residualInit } from './decoder-kind.js';
import type { WeightInit } from './fresh-parameter.js';
import type { KeyValueCache } from './key-value-cache.js';
import { Projection } from './projection.js';
import { type Rotary, rotate } from './rotary.js';

export interface DecoderContext extends ForwardContext {
  readonly positions: Rotary;
  readonly cache?: KeyValueCache | undefined;
  /** Receives intermediate results by name; for parity tests. */
  readonly observe?: ((name: string, tensor: Tensor) => void) | undefined;
}

export class Attention extends Module {
  readonly qkv_proj: Projection;
  readonly o_proj: Projection;
  readonly q_norm: Norm | null;
  readonly k_norm: Norm | null;
  readonly #heads: number;
  readonly #groups: number;
  readonly #width: number;
  readonly #layer: number;
  /** Null: headDim^-0.5. */
  readonly #scale: number | null;

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
    this.#scale = kind.attentionScale ?? null;
  }

  forward(x: Tensor, { positions, mask, cache }: DecoderContext): Tensor {
    const [rows, tokens] = x.shape as [number, number, number];
    const [heads, groups, width] = [this.#heads, this.#groups, this.#width];
    const scale = this.#scale;
    const all = this.qkv_proj.forward(x).view([rows, tokens, heads + 2 * groups, width]);
    const { query, key: newKey } = this.#rotated(all, positions);
    let key = newKey.transpose(1, 2);
    let value = all.narrow(2, heads + groups, groups).transpose(1, 2);
    if (cache) ({ key, value } = cache.append(this.#layer, key, value));
    if (tokens === 1) {
      // one query per row: the heads that share a key-value head become its queries, which needs no copy of the cache
      const grouped = query.reshape([rows, groups, heads / groups, width]);
      const attended = nn.functional.scaledDotProductAttention(grouped, key, value, { attnMask: mask, scale });
      return this.o_proj.forward(attended.reshape([rows, 1, heads * width]));
    }
    const attended = nn.functional.scaledDotProductAttention(query.transpose(1, 2), key, value, {
      attnMask: mask,
      isCausal: mask === null,
      enableGqa: heads !== groups,
      scale,
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

/** SwiGLU, or GeGLU (arXiv 2002.05202). */
export class Mlp extends Module {
  readonly gate_up_proj: Projection;
  readonly down_proj: Projection;
  readonly #activation: 'silu' | 'gelu';

  constructor(config: DecoderConfig, kind: DecoderKind, init: WeightInit) {
    super();
    const { hiddenSize, intermediateSize } = config;
    const parts = { gate_proj: intermediateSize, up_proj: intermediateSize };
    const bias = kind.mlpBias;
    this.#activation = kind.activation ?? 'silu';
    this.gate_up_proj = new Projection(hiddenSize, parts, { ...init, bias });
    this.down_proj = new Projection(intermediateSize, hiddenSize, { ...residualInit(config, kind, init), bias });
  }

  forward(x: Tensor): Tensor {
    const [gate, up] = this.gate_up_proj.forward(x).chunk(2, -1) as [Tensor, Tensor];
    const open = this.#activation === 'silu' ? gate.silu() : gate.gelu('tanh');
    return this.down_proj.forward(open.mul(up));
  }
}
