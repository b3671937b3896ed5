/** The family of this package: a small vision-language model built like Qwen2-VL, to be trained from random weights. */
import { chatMl } from '../../chat/chat-template.js';
import type { ModelFamily } from '../../language-model.js';
import { parseTinyConfig, type TinyConfig, type TinyConfigInput } from './config.js';
import { TinyModel } from './model.js';
import { tinyPresets } from './presets.js';

export const tinyFamily: ModelFamily<TinyConfig> = {
  name: 'tiny',
  presets: tinyPresets,
  chatTemplate: chatMl(),
  parseConfig: (config) => parseTinyConfig(config as TinyConfigInput),
  create: (config, init) => new TinyModel(config, init),
};
