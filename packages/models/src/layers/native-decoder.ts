/**
 * The decoder of this package as `nn.Decoder`: all layers in one native call, for sampling, scoring and training alike.
 *
 * `decoder.ts` says in TypeScript what it computes, and is what runs where it cannot; `native-decoder.test.ts` compares the
 * two.
 */
import { type Generator, isGradEnabled, nn, noGrad, type Tensor, tidy } from '@vlgym/gpu';
import type { ForwardContext, TokenReader } from '../language-model.js';
import { KeyValueCache } from './key-value-cache.js';
import type { LowPrecisionWeights } from './low-precision-weights.js';
import type { Projection } from './projection.js';
import type { Rotary } from './rotary.js';

interface Weighted {
  readonly weight: Tensor;
}

/** The modules of a `Decoder` that the native one reads. */
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

/** How a family computes its norms, and what else is in the model. */
export interface NativeOptions {
  readonly wideNorm: boolean;
  /** The output layer; absent if the table of embeddings is used. */
  readonly head?: Projection | null | undefined;
  /** Copies in place of the matrices, where no gradients are recorded. */
  readonly lowPrecision?: LowPrecisionWeights | null | undefined;
}

/**
 * The decoder with the weights, and the adapters, that are in place now; its layers' own `forward` says what it computes.
 * Null if that is impossible: several generators draw dropout.
 */
export function nativeDecoder(
  { embed_tokens, layers, norm }: DecoderModules,
  { numAttentionHeads, numKeyValueHeads, headDim, rmsNormEps }: DecoderSizes,
  { wideNorm, head, lowPrecision }: NativeOptions,
): nn.Decoder | null {
  const projections = layers.flatMap(({ self_attn, mlp }) => [
    ...[self_attn.qkv_proj, self_attn.o_proj],
    ...[mlp.gate_up_proj, mlp.down_proj],
  ]);
  const autocast = projections.every(({ inBfloat16 }) => inBfloat16);
  if (head) projections.push(head);
  const [generator, ...others] = dropoutGenerators(projections);
  if (others.length > 0) return null;
  const records = isGradEnabled();
  const matrix = (weight: Tensor) => (lowPrecision && !records ? lowPrecision.of(weight) : { weight });
  const linear = (projection: Projection) => ({ ...adapted(projection), ...matrix(projection.weight) });
  const open = () =>
    new nn.Decoder({
      heads: numAttentionHeads,
      keyValueHeads: numKeyValueHeads,
      headWidth: headDim,
      normEps: rmsNormEps,
      wideNorm,
      records,
      autocast,
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
      head: head ? linear(head) : matrix(embed_tokens.weight as Tensor),
      generator,
    });
  // factors that were joined for it: the decoder holds on to them
  return tidy(open);
}

/** Reads single tokens; null if `nativeDecoder` is. */
export function tokenReader(modules: DecoderModules, sizes: DecoderSizes, options: NativeOptions): TokenReader | null {
  const decoder = noGrad(() => nativeDecoder(modules, sizes, options));
  return (
    decoder && {
      read(ids: Tensor, context: ForwardContext): Tensor {
        const scores = decoder.scores(ids, decoderContext(context));
        (context.cache as KeyValueCache).advance(1);
        return scores;
      },
      async readAsync(ids: Tensor, context: ForwardContext): Promise<Tensor> {
        const scores = await decoder.scoresAsync(ids, decoderContext(context));
        (context.cache as KeyValueCache).advance(1);
        return scores;
      },
      dispose: () => decoder.dispose(),
    }
  );
}

/** @throws {TypeError} The cache is not a `KeyValueCache`. */
export function decoderContext({ positions, mask, cache }: ForwardContext): nn.DecoderContext {
  if (cache && !(cache instanceof KeyValueCache)) throw new TypeError('a decoder reads into a KeyValueCache');
  const { cos, sin } = positions as Rotary;
  return { cos, sin, mask, cache: cache?.next() };
}

/** The distinct dropout generators of the trained adapters. */
function dropoutGenerators(projections: readonly Projection[]): Generator[] {
  const adapters = projections.flatMap(({ adapted, adapters }) => (adapted === 'all' ? adapters : []));
  return [...new Set(adapters.flatMap((adapter) => (adapter?.dropout ? adapter.generator : [])))];
}

/** Everything but the weight. */
function adapted({ bias, adapted, adapters, parts }: Projection): Omit<nn.DecoderLinear, 'weight'> {
  let start = 0;
  const lowRank: nn.LowRankPart[] = [];
  for (const [i, { rows }] of parts.entries()) {
    const adapter = adapters[i];
    for (const factors of adapter?.acting(adapted) ?? []) lowRank.push({ start, scale: adapter!.scaling, ...factors });
    start += rows;
  }
  return { bias, parts: lowRank };
}
