/**
 * Whether a thought about a page is true: which element has the number that it names. Read are the sentences of this package's
 * expert, `Element 3 is button "Login"`.
 */
import { thoughtEntries } from '@vlgym/core';
import type { SiteElement } from '@vlgym/site';
import type { MiniWoBInfo } from './info.js';

/** Characters of a name. */
const MAX_NAME = 80;

/** The name of an element in a thought, e.g. `3 is button "Login"`. */
export const calledElement = ({ mark, role, name }: SiteElement): string =>
  `${mark} is ${role} ${JSON.stringify(name.slice(0, MAX_NAME))}`;

/** @param said  The text before the action, or the thought alone. */
export function checkThought(said: string, { elements }: MiniWoBInfo): boolean | undefined {
  const { thoughts = said } = thoughtEntries(said);
  const claims = [...String(thoughts).matchAll(/\bElement (\d{1,4} is \w{1,20} "(?:[^"\\]|\\.){0,200}")/g)];
  return claims.length === 0 ? undefined : claims.every(([, claim]) => elements.includes(claim!));
}
