/** A page as a tree of elements, and its text. Rules: `docs/specs/webshop.md` 4.1. */
import { pythonStrip } from '@vlgym/core/internal';

export type Child = string | Element;

export interface Element {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Child[];
}

export interface TextNode {
  readonly text: string;
  readonly parent: Element;
}

const SEPARATOR = ' [SEP] ';

/** All text nodes in document order, without white space that contains a line feed. */
export function textNodes(page: Element): TextNode[] {
  const nodes: TextNode[] = [];
  const walk = (child: Child, parent: Element): void => {
    if (typeof child !== 'string') {
      for (const descendant of child.children) walk(descendant, child);
    } else {
      const text = visible(child);
      if (text !== undefined) nodes.push({ text, parent });
    }
  };
  for (const child of page.children) walk(child, page);
  return nodes;
}

/** White space becomes one blank, or is dropped if it has a line feed, as in WebShop's HTML parser. */
function visible(text: string): string | undefined {
  if (text === '') return undefined;
  const first = text.charCodeAt(0);
  if (first > 32 || !/^[ \n\t\f\r]+$/.test(text)) return text;
  return text.includes('\n') ? undefined : ' ';
}

/** `Instruction: [SEP] … [SEP] Back to Search` */
export function plainText(page: Element): string {
  return textNodes(page)
    .map(({ text }) => pythonStrip(text))
    .join(SEPARATOR);
}
