/** The shape of the language side of Gemma 3 (arXiv 2503.19786). */
import { z } from 'zod';
import type { PublishedFiles } from '../../language-model.js';
import { parseModelConfig } from '../../model-config.js';
import { onlyValues, type PublishedRecord, record } from '../shared/published-config.js';
import {
  checkTextShape,
  layerTypes,
  publishedDecoder,
  publishedScaling,
  textOnlyFields,
  windowsSchema,
} from '../shared/text-config.js';

const gemma3TextSchema = z
  .object({
    ...textOnlyFields,
    /** Biases of query, key, value and output. */
    attentionBias: z.boolean().default(false),
    windows: windowsSchema,
    /** Base of the rotary positions in layers with a window. */
    localRopeTheta: z.number().positive(),
    /** Products of queries and keys are divided by the square root of this. */
    queryPreAttnScalar: z.number().positive(),
  })
  .superRefine(checkTextShape);

export type Gemma3TextConfig = z.output<typeof gemma3TextSchema>;

/** @throws {ModelConfigError} Fields are missing, of another type, or contradict each other. */
export function parseGemma3TextConfig(config: unknown): Gemma3TextConfig {
  return parseModelConfig(gemma3TextSchema, config);
}

/** @throws {ModelConfigUnsupportedError | ModelConfigError} The folder describes another model, or none. */
export function readGemma3TextConfig({ config }: PublishedFiles): Gemma3TextConfig {
  onlyValues('hidden_activation', config.hidden_activation ?? config.hidden_act, ['gelu_pytorch_tanh']);
  onlyValues('final_logit_softcapping', config.final_logit_softcapping, [], 'null: scores as they are');
  onlyValues('attn_logit_softcapping', config.attn_logit_softcapping, [], 'null: attention as it is');
  onlyValues('use_bidirectional_attention', config.use_bidirectional_attention, [false]);
  const { full, local } = ropesOf(config);
  onlyValues('rope_parameters.sliding_attention.rope_type', local.rope_type ?? local.type, ['default']);
  onlyValues('rope_parameters.sliding_attention.partial_rotary_factor', local.partial_rotary_factor, [1]);
  const heads = { num_attention_heads: 8, num_key_value_heads: 4 };
  return parseGemma3TextConfig({
    ...publishedDecoder(
      { ...heads, ...config, rope_parameters: full },
      { rmsNormEps: 1e-6, ropeTheta: 1e6, maxPositionEmbeddings: 131_072, headDim: 256, tieWordEmbeddings: true },
    ),
    ropeScaling: publishedScaling(full, config),
    attentionBias: config.attention_bias ?? false,
    windows: windowsOf(config),
    localRopeTheta: local.rope_theta ?? 1e4,
    queryPreAttnScalar: config.query_pre_attn_scalar ?? 256,
  });
}

/** transformers 5 keeps both bases in `rope_parameters`, by type of layer; before, they stood side by side. */
function ropesOf(config: PublishedRecord): { full: PublishedRecord; local: PublishedRecord } {
  const both = record(config.rope_parameters);
  const full = { ...record(both.full_attention), ...record(config.rope_scaling) };
  const local = record(both.sliding_attention);
  return {
    full: { ...full, rope_theta: full.rope_theta ?? config.rope_theta ?? 1e6 },
    local: { ...local, rope_theta: local.rope_theta ?? config.rope_local_base_freq ?? 1e4 },
  };
}

/** Every sixth layer sees all tokens where the file does not say otherwise. */
function windowsOf(config: PublishedRecord): unknown {
  const layers = config.num_hidden_layers;
  if (typeof layers !== 'number' || !Number.isInteger(layers) || layers < 0 || layers > 1_000) return [];
  const types = layerTypes(config);
  const pattern = typeof config.sliding_window_pattern === 'number' ? config.sliding_window_pattern : 6;
  const slides = (layer: number) => (types ? types[layer] === 'sliding_attention' : (layer + 1) % pattern !== 0);
  const window = config.sliding_window ?? 4096;
  return Array.from({ length: layers }, (_, layer) => (slides(layer) ? window : null));
}
