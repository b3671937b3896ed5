/** Writes a page of the shop as HTML: the tree of the text views, with addresses on everything clickable. */
import type { RewardParts } from '../reward/reward.js';
import { type Child, type Element, h, toHtml } from '../shop/element.js';
import { type Session, SUB_PAGES } from '../shop/session.js';
import { formatRoute, type Route } from './routes.js';

/** The whole document. */
export function htmlPage(page: Element, session: Session): string {
  const head =
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">' +
    `<title>${pageTitle(session)}</title><link rel="stylesheet" href="/static/shop.css"><script src="/static/shop.js" defer></script></head>`;
  return `${head}<body><main tabindex="-1">${htmlContents(page, session)}</main></body></html>`;
}

export function pageTitle({ page }: Session): string {
  const title = {
    index: 'Search',
    results: 'Results',
    item: 'Product',
    'sub-page': 'Product',
    cart: 'Cart',
    done: 'Done',
  }[page];
  return `WebShop - ${title}`;
}

/** Contents of `<main>`: the page as agents read it and, after a purchase, the parts of its score. */
export function htmlContents(page: Element, session: Session): string {
  return toHtml(withAddresses(page, session)) + (session.parts ? toHtml(scoreTable(session.parts)) : '');
}

function scoreTable(parts: RewardParts): Element {
  const percent = (share: number) => `${Math.round(100 * share)} %`;
  const row = (name: string, met: string, weight: string) => h('tr', h('td', name), h('td', met), h('td', weight));
  const { r_type, r_att, w_att, r_option, w_option, r_price, w_price } = parts;
  return h(
    'table',
    { id: 'parts' },
    h('tr', h('th', 'Part of the score'), h('th', 'met'), h('th', 'weight')),
    row('attributes', percent(r_att), percent(w_att)),
    ...(r_option === undefined ? [] : [row('options', percent(r_option), percent(w_option!))]),
    row('price', r_price ? 'yes' : 'no', percent(w_price)),
    row('kind of product', `x ${r_type}`, 'factor'),
  );
}

function withAddresses(element: Element, session: Session): Element {
  const { tag, attributes, children } = element;
  const more = addressOf(element, session);
  const inner = children.map((child): Child => (typeof child === 'string' ? child : withAddresses(child, session)));
  return more ? { tag, attributes: { ...attributes, ...more }, children: inner } : h(tag, attributes, ...inner);
}

function addressOf({ tag, attributes, children }: Element, session: Session): Record<string, string> | undefined {
  if (tag === 'form') {
    const name = attributes['data-action']!;
    const label = String((children[0] as Element | undefined)?.children[0] ?? '');
    return {
      action: formatRoute(targetOf(name, label, session)),
      ...(name === 'search' || name === 'buy' ? {} : { method: 'get' }),
    };
  }
  if (tag === 'a') {
    const asin = attributes['data-asin']!;
    return {
      href: formatRoute({ ...place(session), page: 'item', asin, options: session.kept.get(asin) ?? new Map() }),
    };
  }
  if (tag === 'input' && attributes.type === 'radio') {
    const options = new Map(session.options).set(attributes.name!.toLowerCase(), attributes.value!);
    return { 'data-url': formatRoute({ ...place(session), page: 'item', asin: session.asin!, options }) };
  }
  return undefined;
}

function place({ id, keywords, pageNumber }: Session) {
  return { session: id, keywords: keywords ?? [], number: pageNumber ?? 1 };
}

/** Target of a button of the open page. */
function targetOf(name: string, label: string, session: Session): Route {
  const here = place(session);
  const { asin, options, page } = session;
  const turned = (by: number): Route => ({ ...here, page: 'results', number: Math.max(1, here.number + by) });
  switch (name) {
    case 'next':
      return turned(1);
    case 'previous':
      if (page === 'results') return turned(-1);
      return page === 'item' ? turned(0) : { ...here, page: 'item', asin: asin!, options };
    case 'sub-page':
      return {
        ...here,
        page: 'sub-page',
        asin: asin!,
        options,
        subPage: SUB_PAGES.find((subPage) => subPage === label)!,
      };
    case 'cart':
      return { ...here, page: 'cart', asin: asin!, options };
    case 'buy':
      return { page: 'done', session: session.id, asin: asin!, options };
    default:
      return { page: 'index', session: session.id };
  }
}
