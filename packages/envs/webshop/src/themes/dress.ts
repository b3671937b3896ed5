/**
 * Dresses a page in a theme: a header and a footer around it, groups that a layout can place, photographs, prices with two
 * digits, ratings and reviews. What can be clicked keeps its role, name and order.
 */
import type { Product } from '../catalog/product.js';
import { opinionOf, type Review } from '../generator/reviews.js';
import { type Child, type Element, h, hasClass } from '../shop/element.js';
import type { Session } from '../shop/session.js';
import { groupElement, groupsOf } from './groups.js';
import { popUpOf } from './pop-ups.js';
import { type Appearance, type Look, visitOf } from './theme.js';

const NAMES: Readonly<Record<Look, readonly [name: string, claim: string]>> = {
  market: ['Marlow Market', 'Everything for every day'],
  gallery: ['Galerie Nord', 'Things worth keeping'],
  outlet: ['OutletHaus', 'Big brands, small prices'],
};

const AISLES = ['Beauty', 'Electronics', 'Fashion', 'Home & Garden', 'Grocery'];

export interface Visit {
  readonly session: Session;
  /** The open product. */
  readonly product: Product | undefined;
  /** Finds a product of the results. */
  readonly productOf: (asin: string) => Product | undefined;
  /** Addresses of pictures on the first page. */
  readonly shelf: readonly string[];
}

/** @returns The page in its theme, to be shown as the contents of `<main>`. */
export function dressed(page: Element, appearance: Appearance, visit: Visit): Element {
  const { session } = visit;
  const { look, arrangement } = visitOf(appearance, session);
  const popUp = appearance.disturbances.has('pop-ups') ? popUpOf(session) : undefined;
  const children = [...grouped(page, visit), ...(popUp ? [popUp] : [])];
  const shop = h('div', { ...page.attributes }, ...children);
  const shelf = session.page === 'index' ? [shelfOf(visit.shelf)] : [];
  return h(
    'div',
    { class: `theme theme-${look} arranged-${arrangement}` },
    header(look, session),
    shop,
    ...shelf,
    footer(look),
  );
}

/** Not part of the page that agents act on: nothing in it reacts, and assistive technology skips it. */
const decoration = (name: string, ...children: Child[]) =>
  h('div', { class: name, 'aria-hidden': 'true' }, ...children);

function header(look: Look, { page }: Session): Element {
  const [name, claim] = NAMES[look];
  const items = page === 'cart' || page === 'done' ? '1' : '0';
  return decoration(
    'site-header',
    h('div', { class: 'site-name' }, h('b', name), h('span', claim)),
    h('div', { class: 'site-aisles' }, ...AISLES.map((aisle) => h('span', aisle))),
    h(
      'div',
      { class: 'site-cart' },
      h('i', { class: 'cart-icon' }),
      h('span', 'Cart'),
      h('b', { class: 'cart-count' }, items),
    ),
  );
}

function footer(look: Look): Element {
  const columns = ['Shipping & returns', 'Payment', 'Gift cards', 'About us', 'Contact'];
  return decoration('site-footer', ...columns.map((text) => h('span', text)), h('small', `© ${NAMES[look][0]}`));
}

function shelfOf(addresses: readonly string[]): Element {
  const pictures = addresses.map((src) => h('img', { src, alt: '' }));
  return decoration('site-shelf', h('p', 'Popular this week'), h('div', ...pictures));
}

/** The page's children in groups, in their order. */
function grouped(page: Element, visit: Visit): Element[] {
  const { session, product } = visit;
  const groups = groupsOf(page, session.page, (child) => changedElement(child, visit));
  if (session.page === 'sub-page' && session.subPage === 'Reviews') {
    groups.push({ name: 'content', children: reviewsOf(product) });
  }
  return groups.map(groupElement);
}

/** The theme's changes to a child of the page: prices and ratings. */
function changedElement(element: Element, visit: Visit): Element[] {
  const { tag, attributes, children } = element;
  const text = typeof children[0] === 'string' ? children[0] : '';
  if (hasClass(element, 'list-group-item')) return [hit(element, visit)];
  if (tag === 'h4' && text.startsWith('Price: ')) return [h('h4', { class: 'price' }, exactPrices(text))];
  if (tag === 'h4' && text.startsWith('Rating: ')) return [rating(visit.product, text)];
  return [h(tag, attributes, ...children)];
}

/** A product of the results, with its rating. */
function hit({ tag, attributes, children }: Element, { productOf }: Visit): Element {
  const [picture, about] = children as [Element, Element];
  const asin = asinOf(about);
  const opinion = asin === undefined ? undefined : opinionOf(productOf(asin)!);
  const lines = (about.children as readonly Element[]).map((line) =>
    hasClass(line, 'product-price') ? h(line.tag, line.attributes, exactPrices(String(line.children[0] ?? ''))) : line,
  );
  const stars = opinion
    ? [
        h(
          'h5',
          { class: `product-rating stars ${starClass(opinion.rating)}` },
          `${opinion.rating.toFixed(1)} (${opinion.count})`,
        ),
      ]
    : [];
  return h(tag, attributes, picture, h(about.tag, about.attributes, ...lines, ...stars));
}

function asinOf({ attributes, children }: Element): string | undefined {
  if (attributes['data-asin'] !== undefined) return attributes['data-asin'];
  for (const child of children) {
    const found = typeof child === 'string' ? undefined : asinOf(child);
    if (found !== undefined) return found;
  }
  return undefined;
}

function rating(product: Product | undefined, text: string): Element {
  const opinion = product && opinionOf(product);
  if (!opinion) return h('h4', text);
  const told = `Rating: ${opinion.rating.toFixed(1)} of 5 (${opinion.count} ratings)`;
  return h('h4', { class: `rating stars ${starClass(opinion.rating)}` }, told);
}

/** Half stars: `stars-9` is four and a half. */
const starClass = (value: number) => `stars-${Math.round(2 * value)}`;

function reviewsOf(product: Product | undefined): Element[] {
  const opinion = product && opinionOf(product);
  if (!opinion) return [h('p', 'No reviews yet.')];
  const review = ({ name, stars, title, text }: Review) =>
    h(
      'div',
      { class: 'review' },
      h('h4', { class: `stars ${starClass(stars)}` }, `"${title}"`),
      h('p', { class: 'review-by' }, `${name}, ${stars} of 5`),
      h('p', text),
    );
  return [h('h3', `${opinion.rating.toFixed(1)} of 5, ${opinion.count} ratings`), ...opinion.reviews.map(review)];
}

/** `$13.0 to $22.49` → `$13.00 to $22.49` */
export function exactPrices(text: string): string {
  return text.replace(
    /\$(\d{1,12})(\.\d{1,2})?(?!\d)/g,
    (_, whole: string, part = '') => `$${Number(whole + part).toFixed(2)}`,
  );
}
