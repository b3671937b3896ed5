/** The dialogue of the browser environment: the words of the text environment with the screenshot before them. */
import type { ChatMessage, Dialogue, PromptContext, Turn } from '@vlgym/core';
import type { BrowserInfo } from '../browser/browser-env.js';
import type { BrowserObservation } from '../browser/page-observation.js';
import type { WebShopInfo } from '../env/info.js';
import { type DialogueStyle, webShopDialogue } from './dialogue.js';

type Context = PromptContext<BrowserObservation, string, BrowserInfo>;

export function browserDialogue(style: DialogueStyle): Dialogue<BrowserObservation, string, BrowserInfo> {
  const words = webShopDialogue(style);
  return {
    version: `webshop-browser/${style}`,
    prompt: (context) => words.prompt(asText(context)).map((message) => withPicture(message, context.observation)),
    parse: (text, context) => words.parse(text, context && asText(context)),
    choices: (context) => words.choices!(asText(context)),
    demonstrate: (context, action) => words.demonstrate!(asText(context), action),
  };
}

function asText({ observation, info, history }: Context): PromptContext<string, string, WebShopInfo> {
  const turn = ({ observation: seen, ...rest }: Turn<BrowserObservation, string>) => ({
    ...rest,
    observation: seen.text,
  });
  return { observation: observation.text, info, history: history.map(turn) };
}

function withPicture({ role, content }: ChatMessage, { screenshot }: BrowserObservation): ChatMessage {
  const text = typeof content === 'string' ? content : '';
  return {
    role,
    content: [
      { type: 'image', image: screenshot },
      { type: 'text', text: `\n${text}` },
    ],
  };
}
