/** The shape of Qwen2 and Qwen2.5 (arXiv 2407.10671). */
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

const qwen2Schema = z.object({ ...textOnlyFields, windows: windowsSchema.optional() }).superRefine(checkTextShape);

export type Qwen2Config = z.output<typeof qwen2Schema>;

/** @throws {ModelConfigError} Fields are missing, of another type, or contradict each other. */
export function parseQwen2Config(config: unknown): Qwen2Config {
  return parseModelConfig(qwen2Schema, config);
}

/** @throws {ModelConfigUnsupportedError | ModelConfigError} The folder describes another model, or none. */
export function readQwen2Config({ config }: PublishedFiles): Qwen2Config {
  onlyValues('hidden_act', config.hidden_act, ['silu']);
  return parseQwen2Config({
    ...publishedDecoder(config, { rmsNormEps: 1e-6, ropeTheta: 1e4, maxPositionEmbeddings: 32_768 }),
    windows: publishedWindows(config),
  });
}
