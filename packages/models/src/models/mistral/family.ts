/** Mistral from its published folders. */
import { DECODER_LINEARS } from '../../adapters/published-weights.js';
import type { ModelFamily } from '../../language-model.js';
import { TextModel } from '../shared/text-model.js';
import { textChatMl } from '../shared/text-only-template.js';
import { type MistralConfig, parseMistralConfig, readMistralConfig } from './config.js';

export const mistralFamily: ModelFamily<MistralConfig> = {
  name: 'mistral',
  presets: {},
  chatTemplate: textChatMl,
  parseConfig: parseMistralConfig,
  create: (config, init) =>
    new TextModel(config, { attentionBias: false, wideNorm: true, windows: config.windows }, init),
  adapterTargets: DECODER_LINEARS,
  published: { modelType: 'mistral', readConfig: readMistralConfig, internalName: (name) => name },
};
