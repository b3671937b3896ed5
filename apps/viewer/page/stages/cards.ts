/** Cards and the formula on the table; for the number line, where one is and where to go. */
import { make, type Stage, textsIn, unseen } from './stage.js';

const SUITS: Readonly<Record<string, readonly [sign: string, name: string]>> = {
  H: ['♥', 'hearts'],
  D: ['♦', 'diamonds'],
  S: ['♠', 'spades'],
  C: ['♣', 'clubs'],
};
const rankOf = (rank: string): string => (rank === 'T' ? '10' : rank);

function card(suit: string, rank: string): HTMLElement {
  const [sign, name] = SUITS[suit] ?? [suit, suit];
  const face = make('span', '', `${rankOf(rank)}${sign}`);
  face.setAttribute('aria-hidden', 'true');
  return make('li', `card ${suit === 'H' || suit === 'D' ? 'red' : ''}`, [face, unseen(`${rankOf(rank)} of ${name}`)]);
}

const row = (title: string, cards: readonly HTMLElement[]): Node[] => [
  make('h4', '', title),
  make('ul', 'hand', cards),
];

/** `H3`, or `[3, "3", "H"]`. */
function cardsIn(value: unknown): HTMLElement[] {
  return (Array.isArray(value) ? value : []).flatMap((each: unknown) => {
    if (typeof each === 'string' && each.length >= 2) return [card(each[0]!, each.slice(1))];
    if (Array.isArray(each) && typeof each[1] === 'string' && typeof each[2] === 'string')
      return [card(each[2], each[1])];
    return [];
  });
}

export const cards: Stage = ({ info = {} }, element) => {
  const { Cards, Formula, Target, Current } = info;
  const hands = [
    ['Cards', Cards],
    ['Dealer', info['Dealer Card']],
    ['Player', info['Player Card']],
  ] as const;
  for (const [title, hand] of hands) {
    const drawn = cardsIn(hand);
    if (drawn.length > 0) element.append(...row(title, drawn));
  }
  if (Array.isArray(Formula)) {
    const written = textsIn(Formula).join(' ');
    element.append(make('h4', '', 'Formula'), make('p', 'formula', written === '' ? 'empty' : written));
  }
  if (typeof Target === 'number' && typeof Current === 'number') element.append(line(Current, Target));
};

/** At most this many marks are drawn. */
const MAX_MARKS = 40;

function line(current: number, target: number): HTMLElement {
  const last = Math.max(current, target, 5);
  const marks = Array.from({ length: Math.min(last + 1, MAX_MARKS) }, (_, at) => {
    const words = [at === current ? 'here' : '', at === target ? 'target' : '']
      .filter((each) => each !== '')
      .join(', ');
    return make('li', `${at === current ? 'here' : ''} ${at === target ? 'target' : ''}`, [
      make('span', '', String(at)),
      ...(words === '' ? [] : [make('small', '', words)]),
    ]);
  });
  return make('ol', 'line', marks);
}
