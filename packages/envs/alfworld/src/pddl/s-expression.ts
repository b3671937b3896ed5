/**
 * PDDL text as nested lists. Tokens are `(`, `)` and maximal runs of other non-blank characters, in lower case.
 *
 * A comma is an ordinary character: `?l - location, ?r - receptacle` declares ?l of the type `location,`, which nothing
 * has. The original reads it so, and the admissible commands depend on it (specification of ALFWorld, 5.3).
 */
import { GameFileError } from '../errors.js';

export type SExpression = string | readonly SExpression[];

/** Deeper nesting than any domain has; bounds the recursion of everything that walks the lists. */
const DEEPEST = 200;

const OPEN = 40;
const CLOSE = 41;
const COMMENT = 59;
const LINE_BREAK = 10;

/**
 * Reads the one list that the text is.
 *
 * @param part  What the text is, for messages: `pddl_domain`, `pddl_problem`.
 * @throws {GameFileError} Brackets that do not match, nothing at all, or more than one list.
 */
export function readSExpression(text: string, part: string): readonly SExpression[] {
  const lower = text.toLowerCase();
  const stack: SExpression[][] = [[]];
  let list = stack[0]!;
  const { length } = lower;
  for (let position = 0; position < length; ) {
    const code = lower.charCodeAt(position);
    if (isBlank(code)) {
      position += 1;
    } else if (code === OPEN) {
      if (stack.length > DEEPEST) throw new GameFileError(`The ${part} is nested deeper than ${DEEPEST} brackets.`);
      const inner: SExpression[] = [];
      list.push(inner);
      stack.push(inner);
      list = inner;
      position += 1;
    } else if (code === CLOSE) {
      stack.pop();
      const outer = stack[stack.length - 1];
      if (outer === undefined) throw unbalanced(part, 'a closing bracket without an opening one');
      list = outer;
      position += 1;
    } else if (code === COMMENT) {
      while (position < length && lower.charCodeAt(position) !== LINE_BREAK) position += 1;
    } else {
      const start = position;
      while (position < length && !endsToken(lower.charCodeAt(position))) position += 1;
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

function isBlank(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13) || code === 0xa0;
}

function endsToken(code: number): boolean {
  return code === OPEN || code === CLOSE || code === COMMENT || isBlank(code);
}

function unbalanced(part: string, what: string): GameFileError {
  return new GameFileError(`The ${part} has ${what}.`, { hint: 'the file may be cut short: fetch it again' });
}
