/** A live page as it is read: its elements as a tree, and the positions of what can be clicked. */
import type { Element } from './page-text.js';

/** Pages of WebShop have the first six. */
export type ElementRole =
  | ('button' | 'link' | 'radio' | 'checkbox' | 'textbox' | 'combobox')
  | ('option' | 'menuitem' | 'tab' | 'switch' | 'slider' | 'region');

/** An element that reacts to clicks. */
export interface MarkedElement {
  /** Number of the mark, from 1; the same on every visit to the page. */
  readonly mark: number;
  readonly role: ElementRole;
  readonly name: string;
  /** CSS pixels from the top left of the page: x, y, width, height. */
  readonly box: readonly [number, number, number, number];
  /** Inside the window now. */
  readonly visible: boolean;
}

export interface LivePage {
  /** Full address. */
  readonly url: string;
  readonly tree: Element;
  readonly elements: readonly MarkedElement[];
  /** Scroll position, CSS pixels. */
  readonly scroll: readonly [number, number];
}
