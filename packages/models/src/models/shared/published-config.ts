/**
 * `config.json` and `preprocessor_config.json` of a published folder, in both styles: flat with `rope_scaling`, as the
 * first releases, and nested with `text_config` and `rope_parameters`, as transformers 5 writes them.
 *
 * A key whose value changes the result and that this package does not compute is an error, never ignored.
 */
import { GymError } from '@vlgym/core';
import { isRecord } from '@vlgym/core/internal';

/** JSON of a file, its content unchecked. */
export type PublishedRecord = Readonly<Record<string, unknown>>;

/** A setting of a published model that this package does not compute. */
export class ModelConfigUnsupportedError extends GymError {
  constructor(
    /** Path of the key, e.g. `rope_scaling.type`. */
    readonly key: string,
    value: unknown,
    expected: string,
  ) {
    super(`Unsupported model configuration: ${key} is ${JSON.stringify(value)?.slice(0, 80)}.`, {
      code: 'MODEL_CONFIG_UNSUPPORTED',
      value,
      expected,
      hint: 'the model would give other results than published; choose a folder of a supported model',
    });
  }
}

export const record = (value: unknown): PublishedRecord => (isRecord(value) ? value : {});

/** @throws {ModelConfigUnsupportedError} The value is present and none of the supported ones. */
export function onlyValues(path: string, value: unknown, supported: readonly unknown[], expected?: string): void {
  if (value === undefined || value === null || supported.includes(value)) return;
  throw new ModelConfigUnsupportedError(
    path,
    value,
    expected ?? supported.map((one) => JSON.stringify(one)).join(' or '),
  );
}

/**
 * The settings of rotary positions, from the first of these records that has some. `rope_scaling` goes before
 * `rope_parameters`, as in transformers, unless it is empty.
 *
 * @throws {ModelConfigUnsupportedError} They differ between the types of layers.
 */
export function publishedRope(...records: readonly PublishedRecord[]): PublishedRecord {
  for (const config of records)
    for (const key of ['rope_scaling', 'rope_parameters']) {
      const rope = record(config[key]);
      const entries = Object.entries(rope);
      for (const [name, value] of entries)
        if (Object.keys(record(value)).length > 0)
          throw new ModelConfigUnsupportedError(`${key}.${name}`, value, 'the same rotary positions in all layers');
      if (entries.length > 0) return rope;
    }
  return {};
}

interface TextDefaults {
  readonly rmsNormEps: number;
  readonly ropeTheta: number;
  readonly mropeSection?: readonly number[];
  /** False where the width of a head is hiddenSize / numAttentionHeads. */
  readonly ownHeadDim: boolean;
  readonly interleaved: boolean;
}

/** The language side, still to be checked by the schema of the family. */
export function publishedText(config: PublishedRecord, defaults: TextDefaults): Record<string, unknown> {
  const text = isRecord(config.text_config) ? config.text_config : config;
  const rope = publishedRope(text, config);
  checkText(config, text, rope, defaults);
  const heads = text.num_attention_heads as number;
  const headDim = defaults.ownHeadDim ? (text.head_dim ?? 128) : (text.hidden_size as number) / heads;
  return {
    vocabSize: text.vocab_size,
    hiddenSize: text.hidden_size,
    maxPositionEmbeddings: text.max_position_embeddings,
    numHiddenLayers: text.num_hidden_layers,
    numAttentionHeads: heads,
    numKeyValueHeads: text.num_key_value_heads ?? heads,
    headDim,
    intermediateSize: text.intermediate_size,
    rmsNormEps: text.rms_norm_eps ?? defaults.rmsNormEps,
    ropeTheta: rope.rope_theta ?? text.rope_theta ?? config.rope_theta ?? defaults.ropeTheta,
    mropeSection: rope.mrope_section ?? defaults.mropeSection,
    // some releases say it of the decoder alone, next to a false that is only the default of the class
    tieWordEmbeddings: config.tie_word_embeddings || (text.tie_word_embeddings ?? false),
    initializerRange: text.initializer_range ?? 0.02,
    imageTokenId: config.image_token_id ?? text.image_token_id,
  };
}

function checkText(
  config: PublishedRecord,
  text: PublishedRecord,
  rope: PublishedRecord,
  { ownHeadDim, interleaved }: TextDefaults,
): void {
  for (const key of ['type', 'rope_type']) onlyValues(`rope_scaling.${key}`, rope[key], ['mrope', 'default']);
  onlyValues('rope_scaling.mrope_interleaved', rope.mrope_interleaved, [interleaved]);
  onlyValues('hidden_act', text.hidden_act, ['silu']);
  onlyValues('attention_bias', text.attention_bias, ownHeadDim ? [false] : [true]);
  onlyValues('partial_rotary_factor', text.partial_rotary_factor, [1]);
  onlyValues('num_experts', text.num_experts, [0]);
  onlyValues('quantization_config', config.quantization_config, [], 'weights in bfloat16, float16 or float32');
  if (
    text.use_sliding_window === true &&
    ((text.max_window_layers as number) ?? 0) < (text.num_hidden_layers as number)
  ) {
    throw new ModelConfigUnsupportedError('use_sliding_window', true, 'false: every layer sees all tokens');
  }
  if (Array.isArray(text.layer_types)) {
    const other = text.layer_types.find((type) => type !== 'full_attention');
    onlyValues('layer_types', other, ['full_attention']);
  }
  if (!ownHeadDim && typeof text.head_dim === 'number' && text.num_attention_heads !== undefined) {
    onlyValues('head_dim', text.head_dim, [(text.hidden_size as number) / (text.num_attention_heads as number)]);
  }
}

/** The vision side's record, its shared keys checked. */
export function publishedVision(config: PublishedRecord, activation: string): PublishedRecord {
  const vision = record(config.vision_config);
  for (const key of ['in_channels', 'in_chans']) onlyValues(`vision_config.${key}`, vision[key], [3]);
  onlyValues('vision_config.hidden_act', vision.hidden_act, [activation]);
  const rope = record(vision.rope_parameters);
  onlyValues('vision_config.rope_parameters.rope_theta', rope.rope_theta, [10_000]);
  onlyValues('vision_config.rope_parameters.rope_type', rope.rope_type, ['axial', 'default']);
  return vision;
}

/** Limits of the image processor where a folder names none (`Qwen2VLImageProcessor` of huggingface/transformers). */
const DEFAULT_SIZE = { shortest_edge: 56 * 56, longest_edge: 28 * 28 * 1280 };
/** Mean and spread of CLIP's training pictures. */
export const CLIP_MEAN = [0.48145466, 0.4578275, 0.40821073];
export const CLIP_STD = [0.26862954, 0.26130258, 0.27577711];
/** `Image.BICUBIC` of Pillow. */
const BICUBIC = 3;

interface PatchSizes {
  readonly patchSize: unknown;
  readonly spatialMergeSize: unknown;
  readonly temporalPatchSize: unknown;
}

/** How the folder's processor reads pictures. Both pairs of limits count pixels, despite the names of the second one. */
export function publishedImage(preprocessor: PublishedRecord, vision: PatchSizes): Record<string, unknown> {
  for (const key of ['do_resize', 'do_rescale', 'do_normalize', 'do_convert_rgb']) {
    onlyValues(`preprocessor ${key}`, preprocessor[key], [true]);
  }
  onlyValues('preprocessor resample', preprocessor.resample, [BICUBIC], '3 (bicubic)');
  const scale = preprocessor.rescale_factor ?? 1 / 255;
  if (typeof scale !== 'number' || Math.abs(scale * 255 - 1) > 1e-6) {
    throw new ModelConfigUnsupportedError('preprocessor rescale_factor', scale, '1 / 255');
  }
  onlyValues('preprocessor patch_size', preprocessor.patch_size, [vision.patchSize]);
  onlyValues('preprocessor merge_size', preprocessor.merge_size, [vision.spatialMergeSize]);
  onlyValues('preprocessor temporal_patch_size', preprocessor.temporal_patch_size, [vision.temporalPatchSize]);
  const size = preprocessor.size ?? DEFAULT_SIZE;
  const minPixels = preprocessor.min_pixels ?? record(size).shortest_edge;
  const maxPixels = preprocessor.max_pixels ?? record(size).longest_edge;
  if (minPixels === undefined || maxPixels === undefined)
    throw new ModelConfigUnsupportedError('preprocessor size', size, '`shortest_edge` and `longest_edge`, in pixels');
  return {
    minPixels,
    maxPixels,
    mean: preprocessor.image_mean ?? CLIP_MEAN,
    std: preprocessor.image_std ?? CLIP_STD,
  };
}
