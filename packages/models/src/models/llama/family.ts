/** Llama and SmolLM2 from their published folders. */
import { DECODER_LINEARS } from '../../adapters/published-weights.js';
import type { ModelFamily } from '../../language-model.js';
import { TextModel } from '../shared/text-model.js';
import { textChatMl } from '../shared/text-only-template.js';
import { type LlamaConfig, parseLlamaConfig, readLlamaConfig } from './config.js';

export const llamaFamily: ModelFamily<LlamaConfig> = {
  name: 'llama',
  presets: {},
  chatTemplate: textChatMl,
  parseConfig: parseLlamaConfig,
  create: (config, init) => {
    const { attentionBias, mlpBias } = config;
    return new TextModel(config, { attentionBias, outputBias: attentionBias, mlpBias, wideNorm: true }, init);
  },
  adapterTargets: DECODER_LINEARS,
  published: { modelType: 'llama', readConfig: readLlamaConfig, internalName: (name) => name },
};
