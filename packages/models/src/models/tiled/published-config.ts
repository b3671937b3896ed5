/** Settings that folders of models that read tiles have in common: the decoder, the vision encoder, the numbers of pixels. */
import type { PublishedFiles } from '../../language-model.js';
import { DECODERS } from '../shared/decoders.js';
import { ModelConfigUnsupportedError, onlyValues, type PublishedRecord, record } from '../shared/published-config.js';
import type { PixelConfig } from './config.js';

/** Sizes that a nested configuration leaves out where they are those of the class (huggingface/transformers). */
const DECODER_DEFAULTS: Readonly<Record<string, PublishedRecord>> = {
  llama: { vocab_size: 32_000, hidden_size: 4096, intermediate_size: 11_008, ...layers(32, 32) },
  mistral: { vocab_size: 32_000, hidden_size: 4096, intermediate_size: 14_336, ...layers(32, 32) },
  qwen2: { vocab_size: 151_936, hidden_size: 4096, intermediate_size: 22_016, ...layers(32, 32) },
  qwen3: { vocab_size: 151_936, hidden_size: 4096, intermediate_size: 22_016, ...layers(32, 32) },
  gemma3_text: { vocab_size: 262_208, hidden_size: 2304, intermediate_size: 9216, ...layers(26, 8) },
};

function layers(count: number, heads: number): PublishedRecord {
  return { num_hidden_layers: count, num_attention_heads: heads };
}

/**
 * The decoder's fields, in the spelling of its family.
 *
 * @throws {ModelConfigUnsupportedError | ModelConfigError} No family reads the decoder, or not with these settings.
 */
export function publishedDecoderOf(
  { config }: PublishedFiles,
  defaults: { readonly type: string; readonly tied: boolean },
): Record<string, unknown> {
  onlyValues('quantization_config', config.quantization_config, [], 'weights in bfloat16, float16 or float32');
  const text = record(config.text_config);
  const type = text.model_type ?? defaults.type;
  const family = typeof type === 'string' && Object.hasOwn(DECODERS, type) ? DECODERS[type] : undefined;
  if (!family?.published)
    throw new ModelConfigUnsupportedError('text_config.model_type', type, Object.keys(DECODERS).join(', '));
  // the whole model's key decides, whatever that of its decoder says
  const tied = { tie_word_embeddings: config.tie_word_embeddings ?? defaults.tied };
  return {
    ...family.published.readConfig({
      config: { ...DECODER_DEFAULTS[type as string], ...text, ...tied },
      preprocessor: {},
    }),
    decoderType: type,
  };
}

const ACTIVATIONS: Readonly<Record<string, string>> = {
  gelu: 'gelu',
  gelu_pytorch_tanh: 'gelu-tanh',
  quick_gelu: 'quick-gelu',
};

export interface TowerDefaults {
  readonly hidden_size: number;
  readonly intermediate_size: number;
  readonly num_hidden_layers: number;
  readonly num_attention_heads: number;
  readonly image_size: number;
  readonly patch_size: number;
  readonly hidden_act: string;
  readonly layer_norm_eps: number;
}

const BASE = { hidden_size: 768, intermediate_size: 3072, num_hidden_layers: 12, num_attention_heads: 12 };
/** Class defaults of `CLIPVisionConfig`. */
export const CLIP_TOWER: TowerDefaults = {
  ...BASE,
  ...{ image_size: 224, patch_size: 32, hidden_act: 'quick_gelu', layer_norm_eps: 1e-5 },
};
/** Class defaults of `SiglipVisionConfig`. */
export const SIGLIP_TOWER: TowerDefaults = {
  ...BASE,
  ...{ image_size: 224, patch_size: 16, hidden_act: 'gelu_pytorch_tanh', layer_norm_eps: 1e-6 },
};

export function publishedTower(vision: PublishedRecord, defaults: TowerDefaults): Record<string, unknown> {
  onlyValues('vision_config.num_channels', vision.num_channels, [3]);
  const given = Object.fromEntries(Object.entries(vision).filter(([, value]) => value !== null));
  const all: PublishedRecord = { ...defaults, ...given };
  for (const key of ['image_size', 'patch_size']) {
    if (typeof all[key] !== 'number')
      throw new ModelConfigUnsupportedError(`vision_config.${key}`, all[key], 'one number: the side of a square');
  }
  const activation = all.hidden_act as string;
  onlyValues('vision_config.hidden_act', activation, Object.keys(ACTIVATIONS));
  return {
    depth: all.num_hidden_layers,
    hiddenSize: all.hidden_size,
    numHeads: all.num_attention_heads,
    intermediateSize: all.intermediate_size,
    patchSize: all.patch_size,
    imageSize: all.image_size,
    layerNormEps: all.layer_norm_eps,
    activation: ACTIVATIONS[activation],
  };
}

/** `PIL.Image.Resampling` by number. */
const FILTERS: Readonly<Record<number, PixelConfig['resample']>> = { 1: 'lanczos', 2: 'bilinear', 3: 'bicubic' };

export interface PixelDefaults {
  readonly mean: readonly number[];
  readonly std: readonly number[];
  readonly resample: number;
}

/** Bytes to numbers, and the filter of resizing. */
export function publishedPixels(preprocessor: PublishedRecord, defaults: PixelDefaults): Record<string, unknown> {
  const { resample = defaults.resample } = preprocessor;
  onlyValues('preprocessor resample', resample, [1, 2, 3], '1 (Lanczos), 2 (bilinear) or 3 (bicubic)');
  const perChannel = (value: unknown) => (typeof value === 'number' ? [value, value, value] : value);
  return {
    mean: perChannel(preprocessor.image_mean ?? defaults.mean),
    std: perChannel(preprocessor.image_std ?? defaults.std),
    rescale: preprocessor.do_rescale === false ? null : (preprocessor.rescale_factor ?? 1 / 255),
    normalize: preprocessor.do_normalize !== false,
    resample: FILTERS[(resample ?? defaults.resample) as number],
  };
}

/** @throws {ModelConfigUnsupportedError} The processor's number of tokens is not that of the model. */
export function checkProcessor(key: string, value: unknown, expected: number | string): void {
  onlyValues(`processor ${key}`, value, [expected], `${expected}, as in config.json`);
}
