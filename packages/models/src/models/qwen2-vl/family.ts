/** Qwen2-VL from its published folders. */
import { chatMl } from '../../chat/chat-template.js';
import type { ModelFamily } from '../../language-model.js';
import { LANGUAGE_LINEARS, QwenModel } from '../shared/model.js';
import { chunkedPairs } from '../shared/positions.js';
import { internalName } from '../shared/weight-names.js';
import { parseQwen2VlConfig, type Qwen2VlConfig, readQwen2VlConfig } from './config.js';
import { Qwen2VisionEncoder } from './vision.js';

export const qwen2VlFamily: ModelFamily<Qwen2VlConfig> = {
  name: 'qwen2-vl',
  presets: {},
  chatTemplate: chatMl({ defaultSystem: 'You are a helpful assistant.' }),
  parseConfig: parseQwen2VlConfig,
  create: (config, init) =>
    new QwenModel(
      config,
      {
        decoder: { attentionBias: true, wideNorm: true },
        pairAxes: chunkedPairs,
        vision: (weights, tensors) => new Qwen2VisionEncoder(config.vision, config.hiddenSize, weights, tensors),
      },
      init,
    ),
  adapterTargets: LANGUAGE_LINEARS,
  published: { modelType: 'qwen2_vl', readConfig: readQwen2VlConfig, internalName },
};
