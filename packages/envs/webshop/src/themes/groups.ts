/** Groups the elements of a page by what they are for, so that a theme can place them; their order stays. */
import { type Element, h, hasClass } from '../shop/element.js';
import type { Session } from '../shop/session.js';

interface Group {
  readonly name: string;
  readonly children: Element[];
}

/** @param change  The replacement of an element; default: itself. */
export function groupsOf(
  page: Element,
  kind: Session['page'],
  change: (element: Element) => Element[] = (element) => [element],
): Group[] {
  const groups: Group[] = [];
  for (const child of page.children as readonly Element[]) {
    const name = groupOf(child, kind);
    const last = groups.at(-1);
    if (last && last.name === name) last.children.push(...change(child));
    else groups.push({ name, children: [...change(child)] });
  }
  return groups;
}

export const groupElement = ({ name, children }: Group): Element =>
  h('div', { class: `group group-${name}` }, ...children);

function groupOf(element: Element, page: Session['page']): string {
  const { tag, attributes } = element;
  const action = attributes['data-action'];
  if (attributes.id === 'instruction-text') return 'task';
  if (attributes.id === 'logo') return 'logo';
  if (action === 'back-to-search' || action === 'previous') return 'back';
  if (action === 'buy' || action === 'cart') return 'buy';
  if (action === 'sub-page') return 'tabs';
  if (action === 'search') return 'search';
  if (tag === 'img') return 'picture';
  if (tag === 'fieldset') return 'options';
  if (hasClass(element, 'list-group-item')) return 'hits';
  if (attributes.class === 'pages') return 'pages';
  if (page === 'results') return 'count';
  return page === 'item' || page === 'cart' ? 'about' : 'content';
}
