/** The shape of Llama (arXiv 2302.13971, 2407.21783) and of what has its architecture, such as SmolLM2 (arXiv 2502.02737). */
import { z } from 'zod';
import type { PublishedFiles } from '../../language-model.js';
import { parseModelConfig } from '../../model-config.js';
import { onlyValues } from '../shared/published-config.js';
import { checkTextShape, publishedDecoder, textOnlyFields } from '../shared/text-config.js';

const llamaSchema = z
  .object({
    ...textOnlyFields,
    /** Biases of query, key, value and output. */
    attentionBias: z.boolean().default(false),
    /** Biases of the three matrices of the MLP. */
    mlpBias: z.boolean().default(false),
  })
  .superRefine(checkTextShape);

export type LlamaConfig = z.output<typeof llamaSchema>;

/** @throws {ModelConfigError} Fields are missing, of another type, or contradict each other. */
export function parseLlamaConfig(config: unknown): LlamaConfig {
  return parseModelConfig(llamaSchema, config);
}

/** @throws {ModelConfigUnsupportedError | ModelConfigError} The folder describes another model, or none. */
export function readLlamaConfig({ config }: PublishedFiles): LlamaConfig {
  onlyValues('hidden_act', config.hidden_act, ['silu']);
  return parseLlamaConfig({
    ...publishedDecoder(config, { rmsNormEps: 1e-6, ropeTheta: 1e4, maxPositionEmbeddings: 2048 }),
    attentionBias: config.attention_bias ?? false,
    mlpBias: config.mlp_bias ?? false,
  });
}
