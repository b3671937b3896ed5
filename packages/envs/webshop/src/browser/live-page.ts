/** What is on the live page: its elements as the tree that the text views read, and the places of what one can click. */
import type { Element } from '../shop/element.js';

/** An element that reacts to clicks. */
export interface MarkedElement {
  /** Number of its mark, from 1; the same on every visit of the same page. */
  readonly mark: number;
  readonly role: 'button' | 'link' | 'radio' | 'textbox';
  readonly name: string;
  /** CSS pixels from the top left of the page: x, y, width, height. */
  readonly box: readonly [number, number, number, number];
  /** Inside of the window now. */
  readonly visible: boolean;
}

export interface LivePage {
  /** Address without the origin. */
  readonly url: string;
  readonly tree: Element;
  readonly elements: readonly MarkedElement[];
  /** How far the page is scrolled, CSS pixels. */
  readonly scroll: readonly [number, number];
}

/** Reads everything in one call. Runs in the page, so it is text here: this package knows no DOM. */
export const READ = `(() => {
  const KEPT = ['class', 'type', 'name', 'value', 'data-asin', 'data-url', 'id', 'for'];
  const read = (node) => {
    const attributes = {};
    for (const name of KEPT) {
      const value = node.getAttribute(name);
      if (value !== null) attributes[name] = value;
    }
    const children = [];
    for (const child of node.childNodes) {
      if (child.nodeType === 3) children.push(child.nodeValue);
      else if (child.nodeType === 1) children.push(read(child));
    }
    return { tag: node.tagName.toLowerCase(), attributes, children };
  };
  const shop = document.getElementById('shop');
  const elements = [...document.querySelectorAll('.btn, a.product-link, input')].map((node, index) => {
    const radio = node.getAttribute('type') === 'radio';
    const shown = radio ? node.nextElementSibling : node; // a person clicks the label
    const { x, y, width, height } = shown.getBoundingClientRect();
    return {
      mark: index + 1,
      role: radio ? 'radio' : node.tagName === 'INPUT' ? 'textbox' : node.tagName === 'A' ? 'link' : 'button',
      name: radio ? node.value : node.getAttribute('aria-label') ?? node.textContent,
      box: [x + scrollX, y + scrollY, width, height].map(Math.round),
      visible: y + height > 0 && y < innerHeight && x + width > 0 && x < innerWidth,
    };
  });
  return {
    url: location.href.slice(location.origin.length),
    tree: shop ? read(shop) : { tag: 'div', attributes: {}, children: [] },
    elements,
    scroll: [scrollX, scrollY],
  };
})()`;
