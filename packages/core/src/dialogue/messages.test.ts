import { expect, it } from 'vitest';
import type { ChatMessage } from './dialogue.js';
import { messageText, promptImages } from './messages.js';

const image = (fill: number) => ({ data: new Uint8Array([fill]), height: 1, width: 1, channels: 1 }) as const;
const messages: ChatMessage[] = [
  { role: 'system', content: 'be brief' },
  {
    role: 'user',
    content: [
      { type: 'image', image: image(1) },
      { type: 'text', text: 'a' },
      { type: 'image', image: image(2) },
      { type: 'text', text: 'b' },
    ],
  },
  { role: 'user', content: [{ type: 'image', image: image(3) }] },
];

it('lists the pictures of a prompt in reading order', () => {
  expect(promptImages(messages).map(({ data }) => data[0])).toEqual([1, 2, 3]);
});

it('gives the text of a message without its pictures', () => {
  expect(messages.map(messageText)).toEqual(['be brief', 'ab', '']);
});
