/** The shape of Qwen3 (arXiv 2505.09388). */
import { z } from 'zod';
import type { PublishedFiles } from '../../language-model.js';
import { parseModelConfig } from '../../model-config.js';
import { onlyValues } from '../shared/published-config.js';
import {
  checkTextShape,
  publishedDecoder,
  publishedWindows,
  textOnlyFields,
  windowsSchema,
} from '../shared/text-config.js';

const qwen3Schema = z
  .object({
    ...textOnlyFields,
    /** Biases of query, key, value and output. */
    attentionBias: z.boolean().default(false),
    windows: windowsSchema.optional(),
  })
  .superRefine(checkTextShape);

export type Qwen3Config = z.output<typeof qwen3Schema>;

/** @throws {ModelConfigError} Fields are missing, of another type, or contradict each other. */
export function parseQwen3Config(config: unknown): Qwen3Config {
  return parseModelConfig(qwen3Schema, config);
}

/** @throws {ModelConfigUnsupportedError | ModelConfigError} The folder describes another model, or none. */
export function readQwen3Config({ config }: PublishedFiles): Qwen3Config {
  onlyValues('hidden_act', config.hidden_act, ['silu']);
  return parseQwen3Config({
    ...publishedDecoder(config, { rmsNormEps: 1e-6, ropeTheta: 1e4, maxPositionEmbeddings: 32_768, headDim: 128 }),
    attentionBias: config.attention_bias ?? false,
    windows: publishedWindows(config),
  });
}
