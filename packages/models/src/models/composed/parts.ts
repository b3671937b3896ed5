/** The families that a composed model takes its two parts from: a decoder of text, and a vision encoder. */
import type { LanguageModelConfig, ModelFamily, PublishedFiles } from '../../language-model.js';
import type { WeightInit } from '../../layers/fresh-parameter.js';
import { gemma3TextFamily } from '../gemma3-text/family.js';
import { llamaFamily } from '../llama/family.js';
import { mistralFamily } from '../mistral/family.js';
import { qwen2Family } from '../qwen2/family.js';
import { parseQwen25VlConfig, readQwen25VlConfig } from '../qwen2-5-vl/config.js';
import { Qwen25VisionEncoder } from '../qwen2-5-vl/vision.js';
import { parseQwen2VlConfig, readQwen2VlConfig } from '../qwen2-vl/config.js';
import { Qwen2VisionEncoder } from '../qwen2-vl/vision.js';
import { qwen3Family } from '../qwen3/family.js';
import { parseQwen3VlConfig, readQwen3VlConfig } from '../qwen3-vl/config.js';
import { Qwen3VisionEncoder } from '../qwen3-vl/vision.js';
import type { QwenConfig } from '../shared/config.js';
import type { LayoutTensors, VisionEncoder } from '../shared/vision.js';

/** By `model_type` of the folder that the decoder came from. */
export const DECODERS: Readonly<Record<string, ModelFamily>> = Object.fromEntries(
  [llamaFamily, qwen2Family, qwen3Family, gemma3TextFamily, mistralFamily].map((family) => [
    family.published!.modelType,
    family as ModelFamily<LanguageModelConfig>,
  ]),
);

/** A vision encoder, from the configuration of the whole model that it came from. */
export interface EncoderKind {
  /** @throws {ModelConfigError} */
  parse(config: unknown): QwenConfig;
  /** @throws {ModelConfigUnsupportedError | ModelConfigError} */
  read(files: PublishedFiles): QwenConfig;
  create(config: QwenConfig, init: WeightInit, tensors: LayoutTensors): VisionEncoder;
}

/** By `model_type` of the folder that the encoder came from. */
export const ENCODERS: Readonly<Record<string, EncoderKind>> = {
  qwen2_vl: {
    parse: parseQwen2VlConfig,
    read: readQwen2VlConfig,
    create: (config, init, tensors) => new Qwen2VisionEncoder(config.vision, config.hiddenSize, init, tensors),
  },
  qwen2_5_vl: {
    parse: parseQwen25VlConfig,
    read: readQwen25VlConfig,
    create: (config, init, tensors) =>
      new Qwen25VisionEncoder(parseQwen25VlConfig(config).vision, config.hiddenSize, init, tensors),
  },
  qwen3_vl: {
    parse: parseQwen3VlConfig,
    read: readQwen3VlConfig,
    create: (config, init, tensors) =>
      new Qwen3VisionEncoder(parseQwen3VlConfig(config).vision, config.hiddenSize, init, tensors),
  },
};
