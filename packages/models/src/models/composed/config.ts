/**
 * The shape of a composed model: the fields of its decoder, and the configuration of the model that its vision encoder came
 * from, whose sizes of text do not matter but for the width of its tokens.
 */
import { z } from 'zod';
import type { LanguageModelConfig, PublishedFiles } from '../../language-model.js';
import { parseModelConfig } from '../../model-config.js';
import { DECODERS } from '../shared/decoders.js';
import { ModelConfigUnsupportedError, type PublishedRecord, record } from '../shared/published-config.js';
import type { TextOnlyConfig } from '../shared/text-config.js';
import type { EyeConfig, EyeKind } from './eye.js';
import { EYES } from './eyes.js';

/** `model_type` of a folder that `composeModel` writes. */
export const COMPOSED_TYPE = 'vlgym_composed';

const composedSchema = z.looseObject({
  /** `model_type` of the decoder. */
  decoderType: z.enum(Object.keys(DECODERS) as [string, ...string[]]),
  /** `model_type` of the model that the vision encoder came from. */
  encoderType: z.enum(Object.keys(EYES) as [string, ...string[]]),
  /** Its configuration, in the spelling of its family. */
  encoder: z.record(z.string(), z.unknown()),
});

export type ComposedConfig = TextOnlyConfig & {
  readonly decoderType: string;
  readonly encoderType: string;
  readonly encoder: EyeConfig;
  /** How pictures are read: those of `encoder`. */
  readonly vision: object;
  readonly image: object;
};

/** @throws {ModelConfigError} Fields are missing, of another type, or contradict each other. */
export function parseComposedConfig(config: unknown): ComposedConfig {
  const { decoderType, encoderType, encoder: given } = parseModelConfig(composedSchema, config);
  const encoder = eyeOf(encoderType).parse(given);
  return {
    ...(DECODERS[decoderType]!.parseConfig(config) as LanguageModelConfig as TextOnlyConfig),
    ...{ decoderType, encoderType, encoder, vision: encoder.vision, image: encoder.image },
  };
}

/** @throws {ModelConfigUnsupportedError | ModelConfigError} The folder describes another model, or none. */
export function readComposedConfig({ config, preprocessor }: PublishedFiles): ComposedConfig {
  const text = record(config.text_config);
  const vision = record(config.vision_config);
  const decoder = known(DECODERS, 'text_config.model_type', text.model_type);
  const encoder = known(EYES, 'vision_config.model_type', vision.model_type);
  return parseComposedConfig({
    ...decoder.published!.readConfig({ config: text, preprocessor: {} }),
    decoderType: text.model_type,
    encoderType: vision.model_type,
    encoder: encoder.read({ config: vision, preprocessor }),
  });
}

/** `config.json` of the model that the encoder came from, without features that only its own decoder takes. */
export function visionConfig(config: PublishedRecord): PublishedRecord {
  if (config.model_type !== 'qwen3_vl') return config;
  return { ...config, vision_config: { ...record(config.vision_config), deepstack_visual_indexes: [] } };
}

export const eyeOf = (type: string): EyeKind => EYES[type]!;

function known<T>(kinds: Readonly<Record<string, T>>, key: string, type: unknown): T {
  const found = typeof type === 'string' && Object.hasOwn(kinds, type) ? kinds[type] : undefined;
  if (found === undefined) throw new ModelConfigUnsupportedError(key, type, Object.keys(kinds).join(', '));
  return found;
}
