/** Misspelled options, which would otherwise change nothing; `@vlgym/core` has the same check. */
import { RenderError } from './errors.js';

/** Every name of a type, kept complete by the compiler. */
export const names = <T>(each: { readonly [K in keyof Required<T>]: 0 }): readonly string[] => Object.keys(each);

/** @throws {RenderError} `UNKNOWN_OPTION`: a name is none of these. */
export function checkNames(options: object, known: readonly string[]): void {
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const near = [...known].sort((a, b) => distance(unknown, a) - distance(unknown, b))[0]!;
  throw new RenderError(`Unknown option "${unknown}".`, {
    code: 'UNKNOWN_OPTION',
    value: unknown,
    expected: known.join(', '),
    hint: distance(unknown, near) <= 3 ? `did you mean "${near}"?` : `known: ${known.join(', ')}`,
  });
}

/** Letters that one name has and the other has not. */
function distance(a: string, b: string): number {
  const left = [...b];
  let missing = 0;
  for (const letter of a) {
    const at = left.indexOf(letter);
    if (at < 0) missing += 1;
    else left.splice(at, 1);
  }
  return missing + left.length;
}
