/** Qwen2.5-VL from its published folders. */
import { chatMl } from '../../chat/chat-template.js';
import type { ModelFamily } from '../../language-model.js';
import { LANGUAGE_LINEARS, QwenModel } from '../shared/model.js';
import { chunkedPairs } from '../shared/positions.js';
import { internalName } from '../shared/weight-names.js';
import { parseQwen25VlConfig, type Qwen25VlConfig, readQwen25VlConfig } from './config.js';
import { Qwen25VisionEncoder } from './vision.js';

export const qwen25VlFamily: ModelFamily<Qwen25VlConfig> = {
  name: 'qwen2.5-vl',
  presets: {},
  chatTemplate: chatMl({ defaultSystem: 'You are a helpful assistant.' }),
  parseConfig: parseQwen25VlConfig,
  create: (config, init) =>
    new QwenModel(
      config,
      {
        decoder: { attentionBias: true, wideNorm: true },
        pairAxes: chunkedPairs,
        vision: (weights, tensors) => new Qwen25VisionEncoder(config.vision, config.hiddenSize, weights, tensors),
      },
      init,
    ),
  adapterTargets: LANGUAGE_LINEARS,
  published: { modelType: 'qwen2_5_vl', readConfig: readQwen25VlConfig, internalName },
};
