/** Qwen2 and Qwen2.5 from their published folders. */
import { DECODER_LINEARS } from '../../adapters/published-weights.js';
import type { ModelFamily } from '../../language-model.js';
import { TextModel } from '../shared/text-model.js';
import { textChatMl } from '../shared/text-only-template.js';
import { parseQwen2Config, type Qwen2Config, readQwen2Config } from './config.js';

export const qwen2Family: ModelFamily<Qwen2Config> = {
  name: 'qwen2',
  presets: {},
  chatTemplate: textChatMl,
  parseConfig: parseQwen2Config,
  create: (config, init) =>
    new TextModel(config, { attentionBias: true, wideNorm: true, windows: config.windows }, init),
  adapterTargets: DECODER_LINEARS,
  published: { modelType: 'qwen2', readConfig: readQwen2Config, internalName: (name) => name },
};
