/** Models that `composeModel` puts together from a decoder and a vision encoder. */
import { chatMl } from '../../chat/chat-template.js';
import type { ModelFamily } from '../../language-model.js';
import { COMPOSED_TYPE, type ComposedConfig, parseComposedConfig, readComposedConfig } from './config.js';
import { COMPOSED_LINEARS, ComposedModel } from './model.js';

export const composedFamily: ModelFamily<ComposedConfig> = {
  name: 'composed',
  presets: {},
  chatTemplate: chatMl(),
  parseConfig: parseComposedConfig,
  create: (config, init) => new ComposedModel(config, init),
  adapterTargets: COMPOSED_LINEARS,
  published: { modelType: COMPOSED_TYPE, readConfig: readComposedConfig, internalName: (name) => name },
};
