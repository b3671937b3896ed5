/** A page of the shop for people in a terminal: what can be clicked in brackets, long texts wrapped, what is chosen marked. */
import { pythonStrip } from '@vlgym/core/internal';
import { type Element, type TextNode, textNodes } from '@vlgym/site/text';
import { hasClass } from '../shop/element.js';

/** Columns of a terminal that everybody has. */
const WIDTH = 80;

export function terminalPage(page: Element, chosen: ReadonlySet<string>): string {
  const lines: string[] = [];
  /** Buttons and options stand next to each other. */
  let row = '';
  const flush = () => {
    if (row) lines.push(row);
    row = '';
  };
  for (const node of textNodes(page)) {
    const text = pythonStrip(node.text);
    if (text === '') continue;
    if (!isClickable(node)) {
      flush();
      lines.push(...wrapped(text, WIDTH));
      continue;
    }
    const label = chosen.has(text) ? `[x ${text}]` : `[${text}]`;
    if (isLink(node)) flush();
    if (row && row.length + 1 + label.length > WIDTH) flush();
    row = row ? `${row} ${label}` : isLink(node) ? `\n${label}` : label;
  }
  flush();
  return `${lines.join('\n')}\n`;
}

const isLink = ({ parent }: TextNode) => parent.tag === 'a' && hasClass(parent, 'product-link');
const isClickable = (node: TextNode) => node.parent.tag === 'button' || node.parent.tag === 'label' || isLink(node);

/** Breaks a text between words; a word longer than a line is on a line alone. */
function wrapped(text: string, width: number): string[] {
  const lines = [''];
  for (const word of text.split(/\s+/)) {
    const line = lines.at(-1)!;
    if (line === '') lines[lines.length - 1] = word;
    else if (line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}
