/**
 * Messages as one text in the ChatML form of the Qwen family, open for the assistant's answer.
 *
 * `<|im_start|>role\n … <|im_end|>\n`, a picture as `<|vision_start|><|image_pad|><|vision_end|>` where it stands in
 * its message. Qwen2-VL and Qwen2.5-VL add a system message when there is none (`defaultSystem`), Qwen3-VL does not.
 */
import type { ChatMessage, Image } from '@vlgym/core';

export interface ChatTemplate {
  /** System message of conversations that have none; none by default. */
  readonly defaultSystem?: string;
}

export interface RenderedChat {
  readonly text: string;
  /** Pictures in the order of their placeholders. */
  readonly images: readonly Image[];
}

export const IMAGE_PLACEHOLDER = '<|image_pad|>';
export const END_OF_TURN = '<|im_end|>';
export const END_OF_TEXT = '<|endoftext|>';

export function renderChat(messages: readonly ChatMessage[], { defaultSystem }: ChatTemplate = {}): RenderedChat {
  const images: Image[] = [];
  const turn = (role: string, text: string) => `<|im_start|>${role}\n${text}${END_OF_TURN}\n`;
  const text = messages.map(({ role, content }) => {
    if (typeof content === 'string') return turn(role, content);
    const parts = content.map((part) => {
      if (part.type === 'text') return part.text;
      images.push(part.image);
      return `<|vision_start|>${IMAGE_PLACEHOLDER}<|vision_end|>`;
    });
    return turn(role, parts.join(''));
  });
  const opening = defaultSystem !== undefined && messages[0]?.role !== 'system' ? turn('system', defaultSystem) : '';
  return { text: `${opening}${text.join('')}<|im_start|>assistant\n`, images };
}
