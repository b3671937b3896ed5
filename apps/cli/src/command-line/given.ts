/**
 * Where the options of a command were typed: a tree of the same shape as the options, with a word in place of each value.
 * What holds options side by side (merging, scopes of `--set`) holds the words of their origins alike.
 */
import { isRecord, mergeDeep } from '@vlgym/core/internal';

/** `{ updates: 'file', set: { loss: { clipLow: 'flag' } } }` */
export type Given = { readonly [key: string]: string | Given };

/** The origin of every value in one word. */
export function givenBy(origin: string, options: Readonly<Record<string, unknown>>): Given {
  return Object.fromEntries(
    Object.entries(options).map(([key, value]) => [key, isSection(value) ? givenBy(origin, value) : origin]),
  );
}

/** As the options are merged; later words win. */
export const mergeGiven = (first: Given, second: Given): Given => mergeDeep(first, second) as Given;

/** Options grouped by origin; those that `given` does not know are called `otherwise`. */
export function byOrigin(
  options: Readonly<Record<string, unknown>>,
  given: Given | string | undefined,
  otherwise: string,
): ReadonlyMap<string, Record<string, unknown>> {
  const parts = new Map<string, Record<string, unknown>>();
  for (const [key, value] of Object.entries(options)) {
    const origin = typeof given === 'string' ? given : (given?.[key] ?? otherwise);
    const inner = isSection(value) ? byOrigin(value, origin, otherwise) : new Map([[firstWord(origin), value]]);
    for (const [word, part] of inner) parts.set(word, { ...parts.get(word), [key]: part });
  }
  return parts;
}

const firstWord = (origin: string | Given): string => {
  if (typeof origin === 'string') return origin;
  const [first = 'flag'] = Object.values(origin);
  return firstWord(first);
};

/** An empty object is a value: who sets one means it. */
const isSection = (value: unknown): value is Record<string, unknown> =>
  isRecord(value) && Object.keys(value).length > 0;
