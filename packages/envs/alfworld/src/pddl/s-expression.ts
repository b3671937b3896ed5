/**
 * Reads PDDL text as nested lists. Tokens are `(`, `)`, and maximal runs of other non-blank characters, in lower case.
 *
 * A comma is an ordinary character: `?l - location, ?r - receptacle` declares ?l of type `location,`, which no object
 * has. The original reads it this way, and the admissible commands depend on it (`docs/specs/alfworld.md` 5.3).
 */
import { GameFileError } from '../errors.js';

export type SExpression = string | readonly SExpression[];

/** More than any domain nests; bounds the recursion of everything that walks the lists. */
const MAX_DEPTH = 200;

/** Kinds of characters; all others belong to a token. */
const BLANK = 1;
const OPEN = 2;
const CLOSE = 3;
const COMMENT = 4;
const KINDS = new Uint8Array(256);
for (const code of [9, 10, 11, 12, 13, 32, 0xa0]) KINDS[code] = BLANK;
KINDS['('.charCodeAt(0)] = OPEN;
KINDS[')'.charCodeAt(0)] = CLOSE;
KINDS[';'.charCodeAt(0)] = COMMENT;

/**
 * Reads a text that is one list.
 *
 * @param part  Name of the text, for messages: `pddl_domain`, `pddl_problem`.
 * @throws {GameFileError} Unbalanced brackets, no list, or more than one list.
 */
export function readSExpression(text: string, part: string): readonly SExpression[] {
  const lower = text.toLowerCase();
  const stack: SExpression[][] = [[]];
  let list = stack[0]!;
  const { length } = lower;
  for (let position = 0; position < length; ) {
    const kind = kindAt(lower, position);
    if (kind === BLANK) {
      position += 1;
    } else if (kind === OPEN) {
      if (stack.length > MAX_DEPTH) throw new GameFileError(`The ${part} is nested deeper than ${MAX_DEPTH} brackets.`);
      const inner: SExpression[] = [];
      list.push(inner);
      stack.push(inner);
      list = inner;
      position += 1;
    } else if (kind === CLOSE) {
      stack.pop();
      const outer = stack[stack.length - 1];
      if (outer === undefined) throw unbalanced(part, 'a closing bracket without an opening one');
      list = outer;
      position += 1;
    } else if (kind === COMMENT) {
      const end = lower.indexOf('\n', position);
      position = end < 0 ? length : end;
    } else {
      const start = position;
      do position += 1;
      while (position < length && kindAt(lower, position) === 0);
      list.push(lower.slice(start, position));
    }
  }
  if (stack.length > 1) throw unbalanced(part, `${stack.length - 1} brackets that are never closed`);
  const [only] = list;
  if (list.length !== 1 || typeof only !== 'object') {
    throw new GameFileError(`The ${part} is not one list.`, { expected: '(define …)' });
  }
  return only;
}

function kindAt(text: string, position: number): number {
  const code = text.charCodeAt(position);
  return code < 256 ? KINDS[code]! : 0;
}

function unbalanced(part: string, what: string): GameFileError {
  return new GameFileError(`The ${part} has ${what}.`, { hint: 'the file may be truncated: fetch it again' });
}
