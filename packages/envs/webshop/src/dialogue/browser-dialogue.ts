/**
 * Dialogues of the browser environment: those of the text environment with a screenshot, or with mouse and keyboard
 * actions.
 */

import { adaptDialogue, type ChatMessage, type Dialogue, type PromptContext, type Turn } from '@vlgym/core';
import { type BrowserObservation, pageDialogue } from '@vlgym/site/pages';
import { type DialogueStyle, FORMATS } from '@vlgym/site/text';
import type { BrowserInfo } from '../browser/info.js';
import type { WebShopInfo } from '../env/info.js';
import { pythonLower } from '../python/lower-case.js';
import { searchFor } from '../shop/action.js';
import { BROWSER_ACTIONS } from './browser-actions.js';
import { webShopDialogue } from './dialogue.js';

/** `json-v1`: search and click by text; `browser-json-v1`: also mouse and keyboard. */
export type BrowserDialogueStyle = DialogueStyle | `browser-${DialogueStyle}`;

type Context = PromptContext<BrowserObservation, string, BrowserInfo>;

/** @param screenshot  Shown by the `browser-` styles. */
export function browserDialogue(
  style: BrowserDialogueStyle,
  screenshot: boolean,
): Dialogue<BrowserObservation, string, BrowserInfo> {
  if (hasMouse(style)) {
    return pageDialogue<BrowserInfo>({
      version: `webshop-browser/${style}`,
      format: FORMATS[style.slice('browser-'.length) as DialogueStyle],
      actions: BROWSER_ACTIONS,
      opening:
        'You are shopping on a web site in a browser. Find the product that fits the instruction, choose its options, then buy it.',
      screenshot,
      search: ({ instruction }) => searchFor(pythonLower(instruction).replace(/[[\]\n]/g, ' ')),
      // The search button needs words.
      page: (_, { availableActions: { clickables, hasSearchBar } }) => ({
        clickables: clickables.filter((name) => name !== 'search'),
        hasSearchBar,
      }),
    });
  }
  return adaptDialogue(webShopDialogue(style), {
    version: `webshop-browser/${style}`,
    context: asText,
    messages: (messages, { observation }) => messages.map((message) => withPicture(message, observation)),
  });
}

const hasMouse = (style: BrowserDialogueStyle): style is `browser-${DialogueStyle}` => style.startsWith('browser-');

function asText({ observation, info, history }: Context): PromptContext<string, string, WebShopInfo> {
  const turn = ({ observation: { text }, ...rest }: Turn<BrowserObservation, string>) => ({
    ...rest,
    observation: text,
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
