/** Helpers to read chat messages. */
import type { Image } from '../image.js';
import type { ChatMessage } from './dialogue.js';

/** Every picture of a prompt, in reading order. */
export function promptImages(messages: readonly ChatMessage[]): Image[] {
  return messages.flatMap(({ content }) =>
    typeof content === 'string' ? [] : content.flatMap((part) => (part.type === 'image' ? [part.image] : [])),
  );
}

/** The text of one message, without pictures. */
export function messageText({ content }: ChatMessage): string {
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}
