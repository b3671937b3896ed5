/** Pop-ups that cover a page until they are closed. Which pages of a visit have one depends on its name and goal alone. */
import { type Element, h } from '../shop/element.js';
import type { Session } from '../shop/session.js';
import { drawsOf } from './theme.js';

interface PopUp {
  readonly kind: 'window' | 'banner' | 'corner';
  readonly title: string;
  readonly text: string;
  /** Label of the button that closes it. */
  readonly close: string;
}

const POP_UPS: readonly PopUp[] = [
  {
    kind: 'banner',
    title: 'We value your privacy',
    text: 'We use cookies to keep your cart and to see which pages people like.',
    close: 'Accept cookies',
  },
  {
    kind: 'window',
    title: 'Ten percent off your first order',
    text: 'Join our list and get new offers once a week.',
    close: 'No thanks',
  },
  {
    kind: 'window',
    title: 'How do you like our shop?',
    text: 'Two questions, one minute. Your answers help us to improve.',
    close: 'Maybe later',
  },
  {
    kind: 'corner',
    title: 'Need help?',
    text: 'Our team is online and answers within a minute.',
    close: 'Close chat',
  },
];

/** Pages on which a pop-up may open: the first of its kind in a visit. */
const PLACES = ['index', 'results', 'item'] as const;

/** The pop-up of the open page, or none. One to three pages of a visit have one. */
export function popUpOf(session: Session): Element | undefined {
  const { page, counts } = session;
  const place = (PLACES as readonly string[]).indexOf(page);
  if (place < 0 || (page === 'results' && counts.search !== 1)) return undefined;
  if (page === 'item' && (counts.asin !== 1 || counts.options !== undefined)) return undefined;
  const draws = drawsOf(session, 12);
  const certain = draws.below(PLACES.length);
  const shown = PLACES.map((_, index) => draws.chance(0.5) || index === certain);
  const popUps = draws.some(POP_UPS, PLACES.length);
  if (!shown[place]) return undefined;
  const { kind, title, text, close } = popUps[place]!;
  return h(
    'div',
    { class: `popup popup-${kind}`, role: 'dialog', 'aria-label': title, 'data-popup': `${session.id}/${page}` },
    h(
      'div',
      { class: 'popup-card' },
      h('h3', title),
      h('p', text),
      h('button', { class: 'btn popup-close', type: 'button', 'data-dismiss': '' }, close),
    ),
  );
}

/** Label of the button that closes the open pop-up, in lower case, as `click[…]` takes it; `undefined` without one. */
export function popUpLabel({ attributes, children }: Element): string | undefined {
  if (attributes.class?.split(' ').includes('popup-close')) return String(children[0]).toLowerCase();
  for (const child of children) {
    const found = typeof child === 'string' ? undefined : popUpLabel(child);
    if (found !== undefined) return found;
  }
  return undefined;
}
