/** How a conversation becomes one text, open for the assistant's answer; every model family has its own way. */
import type { ChatMessage, Image } from '@vlgym/core';
import { checkNames, names } from '@vlgym/core/internal';

export interface RenderedChat {
  readonly text: string;
  /** Pictures in the order of their placeholders. */
  readonly images: readonly Image[];
}

export interface ChatTemplate {
  /** Vocabulary entry that represents a picture in the text; null for a model that reads text only. */
  readonly imageToken: string | null;
  /** The text that stands for a whole picture, if that is not `imageToken`. */
  readonly imagePlaceholder?: string | undefined;
  /** Vocabulary entry that a prompt begins with, put before a text that does not; default none. */
  readonly startToken?: string | null | undefined;
  /** A template of a folder gets contents as lists of parts, also those that are one text. Default false. */
  readonly contentParts?: boolean | undefined;
  /** Vocabulary entry that ends a response. */
  readonly endOfTurn: string;
  /** All vocabulary entries that sampling stops at, `endOfTurn` included. */
  readonly endTokens: readonly string[];
  render(messages: readonly ChatMessage[]): RenderedChat;
}

export interface ChatMlOptions {
  /** System message of conversations that have none; none by default. */
  readonly defaultSystem?: string | undefined;
}

const CHAT_ML_OPTIONS = names<ChatMlOptions>({ defaultSystem: 0 });

/**
 * ChatML as the Qwen family writes it: `<|im_start|>role\n … <|im_end|>\n`, a picture as
 * `<|vision_start|><|image_pad|><|vision_end|>` at its place in the message. Qwen2-VL and Qwen2.5-VL add a system message
 * when there is none (`defaultSystem`), Qwen3-VL does not.
 */
export function chatMl(options: ChatMlOptions = {}): ChatTemplate {
  checkNames('options', options, CHAT_ML_OPTIONS);
  const { defaultSystem } = options;
  const imageToken = '<|image_pad|>';
  const endOfTurn = '<|im_end|>';
  const turn = (role: string, text: string) => `<|im_start|>${role}\n${text}${endOfTurn}\n`;
  return {
    imageToken,
    endOfTurn,
    endTokens: [endOfTurn, '<|endoftext|>'],
    render(messages) {
      const images: Image[] = [];
      const text = messages.map(({ role, content }) => {
        if (typeof content === 'string') return turn(role, content);
        const parts = content.map((part) => {
          if (part.type === 'text') return part.text;
          images.push(part.image);
          return `<|vision_start|>${imageToken}<|vision_end|>`;
        });
        return turn(role, parts.join(''));
      });
      const needsSystem = defaultSystem !== undefined && messages[0]?.role !== 'system';
      const opening = needsSystem ? turn('system', defaultSystem) : '';
      return { text: `${opening}${text.join('')}<|im_start|>assistant\n`, images };
    },
  };
}
