/** The shape of a model that reads text only, and how published folders spell it. */
import { z } from 'zod';
import { ropeScalingSchema } from '../../layers/rope-scaling.js';
import { sizeSchema } from '../../model-config.js';
import { decoderFields } from './config.js';
import { ModelConfigUnsupportedError, onlyValues, type PublishedRecord, publishedRope } from './published-config.js';

/** Fields that every text-only family has. */
export const textOnlyFields = {
  ...decoderFields,
  ropeScaling: ropeScalingSchema.nullable().default(null),
};

/** Tokens that each layer attends to, itself included; null: all. */
export const windowsSchema = z.array(sizeSchema.nullable()).max(1_000);

const textOnlySchema = z.object(textOnlyFields);

/** The settings that the shared parts of a text-only model read. */
export type TextOnlyConfig = z.output<typeof textOnlySchema>;

/** Rules that hold in every family, to be passed to `superRefine`. */
export function checkTextShape(
  config: TextOnlyConfig & { readonly windows?: readonly unknown[] | undefined },
  context: z.RefinementCtx,
): void {
  const rule = (path: string, holds: boolean, message: string) => {
    if (!holds) context.addIssue({ code: 'custom', path: [path], message });
  };
  const { numAttentionHeads, numKeyValueHeads, numHiddenLayers, headDim, windows } = config;
  rule('numKeyValueHeads', numAttentionHeads % numKeyValueHeads === 0, 'must divide numAttentionHeads');
  rule('headDim', headDim % 2 === 0, 'must be even: rotations take pairs');
  if (windows)
    rule('windows', windows.length === numHiddenLayers, `must have ${numHiddenLayers} entries, one per layer`);
}

export interface TextDefaults {
  readonly rmsNormEps: number;
  readonly ropeTheta: number;
  readonly maxPositionEmbeddings: number;
  /** Width of a head where the file names none; absent: hiddenSize / numAttentionHeads. */
  readonly headDim?: number;
  readonly tieWordEmbeddings?: boolean;
}

/** The decoder, still to be checked by the schema of the family. */
export function publishedDecoder(config: PublishedRecord, defaults: TextDefaults): Record<string, unknown> {
  const heads = config.num_attention_heads as number;
  const rope = ropeOf(config);
  onlyValues('quantization_config', config.quantization_config, [], 'weights in bfloat16, float16 or float32');
  return {
    vocabSize: config.vocab_size,
    hiddenSize: config.hidden_size,
    maxPositionEmbeddings: config.max_position_embeddings ?? defaults.maxPositionEmbeddings,
    numHiddenLayers: config.num_hidden_layers,
    numAttentionHeads: heads,
    numKeyValueHeads: config.num_key_value_heads ?? heads,
    headDim: config.head_dim ?? defaults.headDim ?? Math.floor((config.hidden_size as number) / heads),
    intermediateSize: config.intermediate_size,
    rmsNormEps: config.rms_norm_eps ?? defaults.rmsNormEps,
    ropeTheta: rope.rope_theta ?? config.rope_theta ?? defaults.ropeTheta,
    ropeScaling: publishedScaling(rope, config),
    tieWordEmbeddings: config.tie_word_embeddings ?? defaults.tieWordEmbeddings ?? false,
    initializerRange: config.initializer_range ?? 0.02,
  };
}

/** A length of the first training that stands beside the settings goes before one among them, as in transformers. */
function ropeOf(config: PublishedRecord): PublishedRecord {
  const { original_max_position_embeddings: length } = config;
  const rope = publishedRope(config);
  return length === undefined || length === null ? rope : { ...rope, original_max_position_embeddings: length };
}

/** Scalings whose frequencies depend on how long the text becomes, or that change the size of the cosines too. */
export function publishedScaling(rope: PublishedRecord, config: PublishedRecord = {}): Record<string, unknown> | null {
  onlyValues('partial_rotary_factor', rope.partial_rotary_factor ?? config.partial_rotary_factor, [1]);
  const type = rope.rope_type ?? rope.type ?? 'default';
  const { factor } = rope;
  switch (type) {
    case 'default':
      return null;
    case 'linear':
      return { type, factor };
    case 'llama3':
      return {
        type,
        factor,
        lowFreqFactor: rope.low_freq_factor,
        highFreqFactor: rope.high_freq_factor,
        originalMaxPositionEmbeddings: rope.original_max_position_embeddings ?? config.max_position_embeddings,
      };
    default:
      throw new ModelConfigUnsupportedError('rope_scaling.rope_type', type, '"default", "linear" or "llama3"');
  }
}

/**
 * Windows by layer of Qwen2 and Qwen3: those of `layer_types`, or of all layers from `max_window_layers` on. `sliding_window`
 * counts only where `use_sliding_window` is true, and is 4096 where it is left out.
 */
export function publishedWindows(config: PublishedRecord): (unknown | null)[] | undefined {
  const layers = config.num_hidden_layers;
  if (typeof layers !== 'number' || !Number.isInteger(layers) || layers < 0 || layers > 1_000) return undefined;
  const { sliding_window: size = 4096 } = config;
  const window = config.use_sliding_window === true ? size : null;
  const types = layerTypes(config);
  const firstWindow = (config.max_window_layers as number | undefined) ?? 28;
  const slides = (layer: number) => (types ? types[layer] === 'sliding_attention' : layer >= firstWindow);
  const windows = Array.from({ length: layers }, (_, layer) => (slides(layer) ? window : null));
  if (types && windows.some((value, layer) => value === null && types[layer] === 'sliding_attention'))
    throw new ModelConfigUnsupportedError(
      'layer_types',
      'sliding_attention',
      '"full_attention", or `use_sliding_window` with the size of the window in `sliding_window`',
    );
  return windows.every((value) => value === null) ? undefined : windows;
}

/** `layer_types`, one entry per layer; undefined if the file has none. */
export function layerTypes(config: PublishedRecord): readonly unknown[] | undefined {
  const { layer_types: types } = config;
  if (types === undefined || types === null) return undefined;
  if (!Array.isArray(types) || types.length !== config.num_hidden_layers)
    throw new ModelConfigUnsupportedError('layer_types', types, 'a list with one entry per layer');
  for (const type of types) onlyValues('layer_types', type, ['full_attention', 'sliding_attention']);
  return types;
}
