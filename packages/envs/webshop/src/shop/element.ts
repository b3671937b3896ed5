/** Pages as trees of elements, from which text views, clickables, and HTML are made. */
import { escapeHtml } from '@vlgym/core/internal';
import type { Child, Element } from '@vlgym/site/text';

export type { Child, Element };

const NONE: Readonly<Record<string, string>> = {};

/** `h('h4', 'Price: $9.99')`, `h('input', { type: 'radio' })` */
export function h(
  tag: string,
  ...rest: readonly [Readonly<Record<string, string>>, ...Child[]] | readonly Child[]
): Element {
  const [first, ...others] = rest;
  const isAttributes = typeof first === 'object' && !('tag' in first);
  return {
    tag,
    attributes: isAttributes ? (first as Record<string, string>) : NONE,
    children: (isAttributes ? others : rest) as readonly Child[],
  };
}

export function hasClass({ attributes }: Element, name: string): boolean {
  const classes = attributes.class;
  return classes !== undefined && (classes === name || classes.split(' ').includes(name));
}

const VOID = new Set(['br', 'img', 'input', 'link', 'meta']);

/** Escaped HTML, without white space that is not in the tree. */
export function toHtml(child: Child): string {
  if (typeof child === 'string') return escapeHtml(child);
  const { tag, attributes, children } = child;
  const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${escapeHtml(value)}"`);
  const open = `<${tag}${written.join('')}>`;
  return VOID.has(tag) ? open : `${open}${children.map(toHtml).join('')}</${tag}>`;
}
