/** The spaces inside a space: checked when they come in, copied when the whole is. */
import type { BaseSpace } from './base-space.js';
import { InvalidSpaceError } from './errors.js';
import { isBaseSpace } from './kinds.js';
import type { Space } from './space.js';

const METHODS = ['contains', 'sample', 'seed', 'encode', 'decode', 'toJSON', 'toJsonSchema'] as const;

export function isSpace(value: unknown): value is Space {
  return (
    isBaseSpace(value) ||
    (typeof value === 'object' &&
      value !== null &&
      METHODS.every((name) => typeof Reflect.get(value, name) === 'function'))
  );
}

/**
 * A frozen copy of a list of spaces. A space that stands there twice is copied, because each place needs a generator of
 * its own: otherwise its seed would be the one given last, and a copy of the whole would draw something else.
 */
export function checkedSpaces<S extends readonly Space[]>(whole: string, spaces: S): S {
  if (!Array.isArray(spaces)) throw new InvalidSpaceError(whole, spaces, 'a list of spaces');
  const seen = new Set<Space>();
  const own = spaces.map((space: Space) => {
    const repeated = seen.has(checkedSpace(whole, space));
    seen.add(space);
    return repeated && isBaseSpace(space) ? space.clone() : space;
  });
  return Object.freeze(own) as unknown as S;
}

export function checkedSpace<S extends Space>(whole: string, space: S): S {
  if (isSpace(space)) return space;
  throw new InvalidSpaceError(whole, space, 'a space', 'make one with `spaces.discrete(n)`, `spaces.text(…)`, …');
}

/** @throws {InvalidSpaceError} The space was not made by this package, so it can be neither copied nor batched. */
export function asBaseSpace<T>(space: Space<T>): BaseSpace<T> {
  if (isBaseSpace(space)) return space;
  throw new InvalidSpaceError('copied', space.type, 'a space that extends BaseSpace');
}

/** The same definition with a generator of its own, not yet seeded. */
export function cloneSpace<T>(space: Space<T>): Space<T> {
  return asBaseSpace(space).clone();
}
