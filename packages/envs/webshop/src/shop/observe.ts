/** The observation of a page: text views and clickable elements (`docs/specs/webshop.md` 4.1, 4.2 and 4.6). */
import { type Element, textNodes } from '@vlgym/site/text';
import { hasClass } from './element.js';

export interface RichTextState {
  readonly url: string;
  readonly asins: ReadonlySet<string>;
  /** Chosen options; with `parity` they are searched in the URL instead, as in the original. */
  readonly options: ReadonlyMap<string, string>;
  readonly parity: boolean;
}

/** One line per text node, with buttons in brackets and clicked ones marked. */
export function richText(page: Element, { url, asins, options, parity }: RichTextState): string {
  const chosen = new Set(options.values());
  let head = '';
  let body = '';
  for (const { text, parent } of textNodes(page)) {
    if (parent.tag === 'button') body += `[button] ${text} [button_]\n`;
    else if (parent.tag === 'label') {
      const clicked = parity ? url.includes(`"${text}"`) : chosen.has(text);
      if (clicked) head = `You have clicked ${text}.\n${head}`;
      body += clicked ? `  [clicked button] ${text} [clicked button_]\n` : `  [button] ${text} [button_]\n`;
    } else if (parent.tag === 'a' && parent.attributes.class === 'product-link') {
      body += asins.has(text) ? `\n[clicked button] ${text} [clicked button_]\n` : `\n[button] ${text} [button_]\n`;
    } else body += `${text}\n`;
  }
  return head + body;
}

export interface AvailableActions {
  readonly hasSearchBar: boolean;
  /** In lower case, in the order of the original. */
  readonly clickables: readonly string[];
}

/** Name → clickable element. Of equal names, the position of the first and the element of the last count. */
export function clickables(page: Element): Map<string, Element> {
  const buttons: Element[] = [];
  const links: Element[] = [];
  const radios: Element[] = [];
  const walk = (element: Element): void => {
    if (hasClass(element, 'btn')) buttons.push(element);
    else if (hasClass(element, 'product-link')) links.push(element);
    else if (element.tag === 'input' && element.attributes.type === 'radio') radios.push(element);
    for (const child of element.children) if (typeof child !== 'string') walk(child);
  };
  walk(page);
  const found = new Map<string, Element>();
  for (const element of [...buttons, ...links]) found.set(String(element.children[0] ?? '').toLowerCase(), element);
  for (const element of radios) found.set(element.attributes.value!, element);
  return found;
}
