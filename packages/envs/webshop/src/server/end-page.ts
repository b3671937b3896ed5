/** The last page for people: what was bought, and each wish of the instruction with how well it is met. */
import type { Product } from '../catalog/product.js';
import { type Child, type Element, h } from '../shop/element.js';
import type { Session } from '../shop/session.js';
import { exactPrices } from '../themes/dress.js';

/** Replaces the original's code and statistics; the rest of the page, such as the frame of a theme, stays. */
export function withEnd(page: Element, session: Session, product: Product, picture: string): Element {
  if (page.attributes.id === 'stats') return endOf(session, product, picture);
  return {
    ...page,
    children: page.children.map(
      (child): Child => (typeof child === 'string' ? child : withEnd(child, session, product, picture)),
    ),
  };
}

function endOf({ options, parts, reward, goal }: Session, product: Product, picture: string): Element {
  const chosen = [...options].map(([name, value]) => `${name}: ${value}`).join(', ');
  const row = (wish: string, met: string) => h('tr', h('th', { scope: 'row' }, wish), h('td', met));
  const share = (value: number) => (value === 1 ? 'met' : value === 0 ? 'not met' : `${Math.round(100 * value)} % met`);
  const rows = parts
    ? [
        row('The kind of product', parts.r_type === 1 ? 'right' : `counts ${Math.round(100 * parts.r_type)} %`),
        row(`Attributes: ${goal.attributes.join(', ') || 'none'}`, share(parts.r_att)),
        ...(parts.r_option === undefined ? [] : [row('Options that were asked for', share(parts.r_option))]),
        row('The price', parts.r_price ? 'within the limit' : 'above the limit'),
      ]
    : [];
  return h(
    'div',
    { id: 'end' },
    h(
      'div',
      { class: 'bought' },
      h('img', { src: picture, alt: '' }),
      h(
        'div',
        h('h2', product.title),
        h('p', `${chosen === '' ? 'No options' : chosen}. ${exactPrices(product.price)}`),
      ),
    ),
    h('h2', `Your score: ${Math.round(100 * (reward ?? 0))} of 100`),
    h('table', h('tr', h('th', 'What was asked for'), h('th', 'Your purchase')), ...rows),
  );
}
