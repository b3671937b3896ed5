/** Qwen3 from its published folders. */
import { DECODER_LINEARS } from '../../adapters/published-weights.js';
import type { ModelFamily } from '../../language-model.js';
import { TextModel } from '../shared/text-model.js';
import { textChatMl } from '../shared/text-only-template.js';
import { parseQwen3Config, type Qwen3Config, readQwen3Config } from './config.js';

export const qwen3Family: ModelFamily<Qwen3Config> = {
  name: 'qwen3',
  presets: {},
  chatTemplate: textChatMl,
  parseConfig: parseQwen3Config,
  create: (config, init) => {
    const { attentionBias, windows } = config;
    const biases = { attentionBias, outputBias: attentionBias };
    return new TextModel(config, { ...biases, headNorms: true, wideNorm: true, windows }, init);
  },
  adapterTargets: DECODER_LINEARS,
  published: { modelType: 'qwen3', readConfig: readQwen3Config, internalName: (name) => name },
};
