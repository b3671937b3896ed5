/** Idefics3 and SmolVLM from their published folders. */
import type { ChatMessage, Image } from '@vlgym/core';
import type { ChatTemplate } from '../../chat/chat-template.js';
import type { ModelFamily } from '../../language-model.js';
import { TILED_LINEARS } from '../tiled/model.js';
import { type Idefics3Config, parseIdefics3Config, readIdefics3Config } from './config.js';
import { Idefics3Model } from './model.js';
import { Idefics3Tiles, IMAGE } from './tiles.js';

const END = '<end_of_utterance>';

/** `User: … <end_of_utterance>`, for folders without a chat template. */
const chatTemplate: ChatTemplate = {
  imageToken: IMAGE,
  contentParts: true,
  endOfTurn: END,
  endTokens: [END],
  render(messages: readonly ChatMessage[]) {
    const images: Image[] = [];
    const turns = messages.map(({ role, content }) => {
      const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content;
      const texts = parts.map((part) => {
        if (part.type === 'text') return part.text;
        images.push(part.image);
        return IMAGE;
      });
      const colon = parts[0]?.type === 'image' ? ':' : ': ';
      return `${role[0]!.toUpperCase()}${role.slice(1)}${colon}${texts.join('')}${END}\n`;
    });
    return { text: `<|im_start|>${turns.join('')}Assistant:`, images };
  },
};

function family(name: string, modelType: string): ModelFamily<Idefics3Config> {
  return {
    name,
    presets: {},
    chatTemplate,
    parseConfig: parseIdefics3Config,
    create: (config, init) => new Idefics3Model(config, init),
    pictures: (config) => new Idefics3Tiles(config),
    adapterTargets: TILED_LINEARS,
    published: {
      modelType,
      readConfig: readIdefics3Config,
      internalName: (name) => name,
      namedTokens: { image_token_id: IMAGE },
    },
  };
}

export const idefics3Family = family('idefics3', 'idefics3');
/** The same architecture under another `model_type`. */
export const smolVlmFamily = family('smolvlm', 'smolvlm');
