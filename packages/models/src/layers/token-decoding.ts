/**
 * The decoders of this package as `nn.TokenDecoder`, which reads one token per row in one native call.
 *
 * The adapters of a projection read their input through one matrix. In the dtype of the model, as in training.
 */
import { cat, nn, type Tensor, tidy } from '@vlgym/gpu';
import type { ForwardContext, TokenReader } from '../language-model.js';
import { KeyValueCache } from './key-value-cache.js';
import type { Projection } from './projection.js';
import type { Rotary } from './rotary.js';

interface Weighted {
  readonly weight: Tensor;
}

/** What the decoder of `tiny` and that of the Qwen-VL families have in common. */
export interface DecoderModules {
  readonly embed_tokens: Weighted;
  readonly norm: Weighted;
  readonly layers: readonly {
    readonly input_layernorm: Weighted;
    readonly post_attention_layernorm: Weighted;
    readonly self_attn: {
      readonly qkv_proj: Projection;
      readonly o_proj: Projection;
      readonly q_norm?: Weighted | null;
      readonly k_norm?: Weighted | null;
    };
    readonly mlp: { readonly gate_up_proj: Projection; readonly down_proj: Projection };
  }[];
}

export interface DecoderSizes {
  readonly numAttentionHeads: number;
  readonly numKeyValueHeads: number;
  readonly headDim: number;
  readonly rmsNormEps: number;
}

/** With the weights, and the adapters, that are in place now; null where products are not in the dtype of the model. */
export function tokenReader(
  { embed_tokens, layers, norm }: DecoderModules,
  head: Projection | null,
  { numAttentionHeads, numKeyValueHeads, headDim, rmsNormEps }: DecoderSizes,
  { wideNorm }: { readonly wideNorm: boolean },
): TokenReader | null {
  const projections = layers.flatMap(({ self_attn, mlp }) => [
    ...[self_attn.qkv_proj, self_attn.o_proj],
    ...[mlp.gate_up_proj, mlp.down_proj],
  ]);
  if ([...projections, head].some((projection) => projection?.inBfloat16)) return null;
  const decoder = tidy(
    () =>
      new nn.TokenDecoder({
        heads: numAttentionHeads,
        keyValueHeads: numKeyValueHeads,
        headWidth: headDim,
        normEps: rmsNormEps,
        wideNorm,
        embedding: embed_tokens.weight,
        layers: layers.map(({ input_layernorm, self_attn, post_attention_layernorm, mlp }) => ({
          inputNorm: input_layernorm.weight,
          qkv: linear(self_attn.qkv_proj),
          queryNorm: self_attn.q_norm?.weight,
          keyNorm: self_attn.k_norm?.weight,
          output: linear(self_attn.o_proj),
          middleNorm: post_attention_layernorm.weight,
          gateUp: linear(mlp.gate_up_proj),
          down: linear(mlp.down_proj),
        })),
        norm: norm.weight,
        head: head ? linear(head) : { weight: embed_tokens.weight },
      }),
  );
  return {
    read(ids: Tensor, { positions, mask, cache }: ForwardContext): Tensor {
      if (!(cache instanceof KeyValueCache)) throw new TypeError('a token is read into a KeyValueCache');
      const { cos, sin } = positions as Rotary;
      const { keys, values, length } = cache.next();
      const scores = decoder.scores(ids, { cos, sin, mask, keys, values, length });
      cache.advance(1);
      return scores;
    },
    dispose: () => decoder.dispose(),
  };
}

function linear({ weight, bias, adapted, adapters, parts }: Projection): nn.DecoderLinear {
  if (!adapted) return { weight, bias };
  let start = 0;
  const places = parts.map(({ rows }) => {
    const first = start;
    start += rows;
    return first;
  });
  const attached = adapters.flatMap((adapter, i) => (adapter ? [{ adapter, start: places[i]! }] : []));
  if (attached.length === 0) return { weight, bias };
  const cast = (factor: Tensor) => (factor.dtype === weight.dtype ? factor : factor.to(weight.dtype));
  return {
    weight,
    bias,
    lowRank: {
      a: cast(
        cat(
          attached.map(({ adapter }) => adapter.lora_A),
          0,
        ),
      ),
      parts: attached.map(({ adapter, start }) => ({
        start,
        rank: adapter.lora_A.shape[0]!,
        scale: adapter.scaling,
        b: cast(adapter.lora_B).transpose(0, 1),
      })),
    },
  };
}
