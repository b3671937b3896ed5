/** LLaVA-NeXT (LLaVA-1.6) from its published folders. */
import type { ChatMessage, Image } from '@vlgym/core';
import type { ChatTemplate } from '../../chat/chat-template.js';
import type { ModelFamily } from '../../language-model.js';
import { nestedName } from '../shared/weight-names.js';
import { TILED_LINEARS } from '../tiled/model.js';
import { type LlavaNextConfig, parseLlavaNextConfig, readLlavaNextConfig } from './config.js';
import { LlavaNextModel } from './model.js';
import { IMAGE, LlavaNextTiles } from './tiles.js';

const END = '</s>';

/** `[INST] … [/INST]` of Mistral, pictures before the text; for folders without a chat template. */
const chatTemplate: ChatTemplate = {
  imageToken: IMAGE,
  contentParts: true,
  endOfTurn: END,
  endTokens: [END],
  render(messages: readonly ChatMessage[]) {
    const images: Image[] = [];
    const turns = messages.map(({ role, content }) => {
      const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content;
      const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
      if (role === 'system') return `<<SYS>>\n${text}\n<</SYS>>\n\n`;
      if (role === 'assistant') return ` ${text}${END}`;
      const shown = parts.flatMap((part) => (part.type === 'image' ? [part.image] : []));
      images.push(...shown);
      return `[INST] ${`${IMAGE}\n`.repeat(shown.length)}${text} [/INST]`;
    });
    return { text: turns.join(''), images };
  },
};

export const llavaNextFamily: ModelFamily<LlavaNextConfig> = {
  name: 'llava-next',
  presets: {},
  chatTemplate,
  parseConfig: parseLlavaNextConfig,
  create: (config, init) => new LlavaNextModel(config, init),
  pictures: (config) => new LlavaNextTiles(config),
  adapterTargets: TILED_LINEARS,
  published: {
    modelType: 'llava_next',
    readConfig: readLlavaNextConfig,
    internalName: nestedName,
    namedTokens: { image_token_index: IMAGE },
  },
};
