/** The spaces inside a space: validated at construction, copied with the whole. */
import type { BaseSpace } from '../base-space.js';
import { InvalidSpaceError } from '../errors.js';
import { isBaseSpace } from '../kinds.js';
import type { Space } from '../space.js';

const METHODS = ['contains', 'sample', 'seed', 'encode', 'decode', 'toJSON', 'toJsonSchema'] as const;

function isSpace(value: unknown): value is Space {
  return (
    isBaseSpace(value) ||
    (typeof value === 'object' &&
      value !== null &&
      METHODS.every((name) => typeof Reflect.get(value, name) === 'function'))
  );
}

/**
 * A frozen copy of a list of spaces. A space that occurs twice is copied, because each position needs its own generator:
 * otherwise the last seed would win, and a copy of the whole would draw different values.
 */
export function checkedSpaces<S extends readonly Space[]>(whole: string, spaces: S): S {
  if (!Array.isArray(spaces)) throw new InvalidSpaceError(whole, spaces, 'a list of spaces');
  const seen = new Set<Space>();
  const parts = spaces.map((space: Space) => {
    const repeated = seen.has(checkedSpace(whole, space));
    seen.add(space);
    return repeated && isBaseSpace(space) ? space.clone() : space;
  });
  return Object.freeze(parts) as unknown as S;
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

/** The same definition with its own, unseeded generator. */
export function cloneSpace<T>(space: Space<T>): Space<T> {
  return asBaseSpace(space).clone();
}
