/** A stage draws the state that one step acted on, for one kind of environment. */
import type { ShownStep } from '../../src/protocol.js';

/**
 * @param step     As it was recorded: everything in it is somebody else's text.
 * @param element  Empty. Children are made with `make`, so that no text becomes HTML.
 */
export type Stage = (step: ShownStep, element: HTMLElement) => void;

/** An element with a class, and text or children. */
export function make(tag: string, kind: string, content: string | readonly Node[] = ''): HTMLElement {
  const element = document.createElement(tag);
  if (kind !== '') element.className = kind;
  if (typeof content === 'string') element.textContent = content;
  else element.append(...content);
  return element;
}

/** A word for those who do not see how the element looks. */
export const unseen = (words: string): HTMLElement => make('span', 'hidden', words);

/** A list that may be longer than its place: the keyboard reaches it. */
export function scrolled(items: readonly HTMLElement[]): HTMLElement {
  const list = make('ul', 'page', items);
  list.tabIndex = 0;
  return list;
}

export const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.map((each) => (typeof each === 'string' ? each : JSON.stringify(each))) : [];
