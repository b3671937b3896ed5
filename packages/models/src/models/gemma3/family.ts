/** Gemma 3 with pictures from its published folders (`gemma3`). */
import type { ChatMessage, Image } from '@vlgym/core';
import type { ChatTemplate } from '../../chat/chat-template.js';
import type { ModelFamily } from '../../language-model.js';
import { nestedName } from '../shared/weight-names.js';
import { TILED_LINEARS } from '../tiled/model.js';
import { type Gemma3Config, parseGemma3Config, readGemma3Config } from './config.js';
import { Gemma3Model } from './model.js';
import { BEGIN, END, Gemma3Tiles, IMAGE } from './tiles.js';

const END_OF_TURN = '<end_of_turn>';

/** Turns of user and model, the system message before the first; for folders without a chat template. */
const chatTemplate: ChatTemplate = {
  imageToken: IMAGE,
  imagePlaceholder: BEGIN,
  contentParts: true,
  endOfTurn: END_OF_TURN,
  endTokens: [END_OF_TURN],
  render(messages: readonly ChatMessage[]) {
    const images: Image[] = [];
    const textOf = ({ content }: ChatMessage) => {
      if (typeof content === 'string') return content.trim();
      const parts = content.map((part) => {
        if (part.type === 'text') return part.text.trim();
        images.push(part.image);
        return BEGIN;
      });
      return parts.join('');
    };
    const [first] = messages;
    const system = first?.role === 'system' ? `${textOf(first)}\n\n` : '';
    const turns = messages.slice(system === '' ? 0 : 1).map((message, i) => {
      const role = message.role === 'assistant' ? 'model' : message.role;
      return `<start_of_turn>${role}\n${i === 0 ? system : ''}${textOf(message)}${END_OF_TURN}\n`;
    });
    return { text: `<bos>${turns.join('')}<start_of_turn>model\n`, images };
  },
};

export const gemma3Family: ModelFamily<Gemma3Config> = {
  name: 'gemma3',
  presets: {},
  chatTemplate,
  parseConfig: parseGemma3Config,
  create: (config, init) => new Gemma3Model(config, init),
  pictures: (config) => new Gemma3Tiles(config),
  adapterTargets: TILED_LINEARS,
  published: {
    modelType: 'gemma3',
    readConfig: readGemma3Config,
    internalName: nestedName,
    namedTokens: { image_token_index: IMAGE, boi_token_index: BEGIN, eoi_token_index: END },
  },
};
