/**
 * Themes: how the pages of the shop look. Elements, their roles, their order, and rewards are the same in all of them.
 *
 * `parity` is the plain page with the original's elements, `original` has the original's layout and colors too. The others look
 * like shops: photographs, prices with two digits, ratings and reviews. `drawn` takes one of those per episode.
 */
import { z } from 'zod';
import { Draws } from '../generator/draws.js';
import type { Session } from '../shop/session.js';

export const LOOKS = ['market', 'gallery', 'outlet'] as const;
export type Look = (typeof LOOKS)[number];

const THEMES = ['parity', 'original', ...LOOKS, 'drawn'] as const;
export type Theme = (typeof THEMES)[number];

/** Themes without photographs, reviews and disturbances. */
const PLAIN = ['parity', 'original'] as const;
export type PlainTheme = (typeof PLAIN)[number];
export const isPlain = (theme: Theme): theme is PlainTheme => (PLAIN as readonly Theme[]).includes(theme);

/** Features that make a shop harder to use, for tests of robustness. */
const DISTURBANCES = ['pop-ups', 'moved-buttons'] as const;
export type Disturbance = (typeof DISTURBANCES)[number];

/** Arrangements of buttons, the usual one included. */
const ARRANGEMENTS = 4;

export const themeOptions = {
  theme: z.enum(THEMES).optional(),
  disturbances: z.array(z.enum(DISTURBANCES)).readonly().optional(),
};

export interface Appearance {
  readonly theme: Exclude<Theme, PlainTheme>;
  readonly disturbances: ReadonlySet<Disturbance>;
}

/** Look and arrangement of a visit: they depend on its name and goal alone, so equal seeds give equal pages. */
export function visitOf({ theme, disturbances }: Appearance, session: Session): { look: Look; arrangement: number } {
  const draws = drawsOf(session, 11);
  const look = draws.pick(LOOKS);
  const arrangement = 1 + draws.below(ARRANGEMENTS - 1);
  return {
    look: theme === 'drawn' ? look : theme,
    arrangement: disturbances.has('moved-buttons') ? arrangement : 0,
  };
}

/** @param purpose  Draws for another purpose are independent. */
export function drawsOf({ id, goalIndex }: Pick<Session, 'id' | 'goalIndex'>, purpose: number): Draws {
  return new Draws(textKey(id), goalIndex, purpose);
}

/** A number for a text: FNV-1a. */
export function textKey(text: string): number {
  let key = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) key = Math.imul(key ^ text.charCodeAt(index), 0x01000193);
  return key | 0;
}
