/** The shape of Mistral (arXiv 2310.06825): Llama without biases, with one window for all layers. */
import { z } from 'zod';
import type { PublishedFiles } from '../../language-model.js';
import { parseModelConfig } from '../../model-config.js';
import { onlyValues, type PublishedRecord } from '../shared/published-config.js';
import { checkTextShape, layerTypes, publishedDecoder, textOnlyFields, windowsSchema } from '../shared/text-config.js';

const mistralSchema = z.object({ ...textOnlyFields, windows: windowsSchema.optional() }).superRefine(checkTextShape);

export type MistralConfig = z.output<typeof mistralSchema>;

/** @throws {ModelConfigError} Fields are missing, of another type, or contradict each other. */
export function parseMistralConfig(config: unknown): MistralConfig {
  return parseModelConfig(mistralSchema, config);
}

/** @throws {ModelConfigUnsupportedError | ModelConfigError} The folder describes another model, or none. */
export function readMistralConfig({ config }: PublishedFiles): MistralConfig {
  onlyValues('hidden_act', config.hidden_act, ['silu']);
  return parseMistralConfig({
    ...publishedDecoder(
      { num_key_value_heads: 8, ...config },
      { rmsNormEps: 1e-6, ropeTheta: 1e4, maxPositionEmbeddings: 131_072 },
    ),
    windows: windowsOf(config),
  });
}

/**
 * `sliding_window` holds for every layer; null: all tokens; left out: 4096, as in the first release.
 *
 * @throws {ModelConfigUnsupportedError} `layer_types` says that layers differ, which is another architecture (Ministral).
 */
function windowsOf(config: PublishedRecord): unknown {
  const { sliding_window: window = 4096, num_hidden_layers: layers } = config;
  const type = window === null ? 'full_attention' : 'sliding_attention';
  for (const given of layerTypes(config) ?? []) onlyValues('layer_types', given, [type]);
  if (window === null || typeof layers !== 'number' || !Number.isInteger(layers) || layers < 0 || layers > 1_000)
    return undefined;
  return new Array<unknown>(layers).fill(window);
}
