/** Qwen3-VL from its published folders. */
import { chatMl } from '../../chat/chat-template.js';
import type { ModelFamily } from '../../language-model.js';
import { LANGUAGE_LINEARS, QwenModel } from '../shared/model.js';
import { interleavedPairs } from '../shared/positions.js';
import { internalName } from '../shared/weight-names.js';
import { parseQwen3VlConfig, type Qwen3VlConfig, readQwen3VlConfig } from './config.js';
import { Qwen3VisionEncoder } from './vision.js';

export const qwen3VlFamily: ModelFamily<Qwen3VlConfig> = {
  name: 'qwen3-vl',
  presets: {},
  chatTemplate: chatMl(),
  parseConfig: parseQwen3VlConfig,
  create: (config, init) =>
    new QwenModel(
      config,
      {
        decoder: { attentionBias: false, headNorms: true, wideNorm: true },
        pairAxes: interleavedPairs,
        vision: (weights, tensors) => new Qwen3VisionEncoder(config.vision, config.hiddenSize, weights, tensors),
      },
      init,
    ),
  adapterTargets: LANGUAGE_LINEARS,
  published: { modelType: 'qwen3_vl', readConfig: readQwen3VlConfig, internalName },
};
