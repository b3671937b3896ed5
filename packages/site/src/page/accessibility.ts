/** Prints the accessibility tree of a page as indented lines: `button "Buy Now"`. */
import type { SerializedAXNode } from '@vlgym/chromium';

export function accessibilityText(root: SerializedAXNode | null): string {
  const lines: string[] = [];
  const walk = ({ role, name = '', value, checked, children = [] }: SerializedAXNode, depth: number): void => {
    const state = `${value === undefined ? '' : ` value=${JSON.stringify(value)}`}${checked ? ' checked' : ''}`;
    lines.push(`${'  '.repeat(depth)}${role} ${JSON.stringify(name)}${state}`);
    for (const child of children) walk(child, depth + 1);
  };
  if (root) walk(root, 0);
  return lines.join('\n');
}
