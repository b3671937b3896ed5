/** Small readings of chat messages that adapters, trainers and recorders share. */
import type { Image } from '../image.js';
import type { ChatMessage } from './dialogue.js';

/** Every picture of a prompt, in the order in which the model meets them. */
export function promptImages(messages: readonly ChatMessage[]): Image[] {
  return messages.flatMap(({ content }) =>
    typeof content === 'string' ? [] : content.flatMap((part) => (part.type === 'image' ? [part.image] : [])),
  );
}

/** The words of one message, pictures left out. */
export function messageText({ content }: ChatMessage): string {
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}
