/**
 * Expressions of the grammar: `o`, `o.name`, `o.id`, `o.indefinite`, `'text'`, `+`, `x or y`. Nothing else is evaluated.
 *
 * The original hands them to a Python interpreter (`docs/specs/alfworld.md` 8.2); these are all forms that occur.
 */
import { GameFileError } from '../errors.js';

export type Property = 'name' | 'id' | 'indefinite' | 'definite';

export type Expression =
  | { readonly kind: 'property'; readonly variable: string; readonly property: Property }
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'join' | 'or'; readonly parts: readonly Expression[] };

const TOKEN = /\s*(?:'([^']*)'|([A-Za-z_]\w*)(?:\.([A-Za-z_]\w*))?|(\+))/y;
const PROPERTIES: readonly string[] = ['name', 'id', 'indefinite', 'definite'];

/** @throws {GameFileError} `INVALID_GRAMMAR` */
export function readExpression(written: string): Expression {
  const alternatives: Expression[][] = [[]];
  let expectsOperand = true;
  const text = written.trimEnd();
  for (let position = 0; position < text.length; ) {
    TOKEN.lastIndex = position;
    const match = TOKEN.exec(text);
    if (match === null) throw foreign(written);
    position += match[0].length;
    const [, literal, variable, property = 'name', plus] = match;
    const isOr = variable === 'or' && match[3] === undefined;
    if (expectsOperand === (plus !== undefined || isOr)) throw foreign(written);
    expectsOperand = !expectsOperand;
    if (isOr) {
      alternatives.push([]);
    } else if (literal !== undefined) {
      alternatives.at(-1)!.push({ kind: 'literal', text: unescaped(literal) });
    } else if (variable !== undefined) {
      if (!PROPERTIES.includes(property)) throw foreign(written);
      alternatives.at(-1)!.push({ kind: 'property', variable, property: property as Property });
    }
  }
  if (expectsOperand) throw foreign(written);
  const joined = alternatives.map((parts): Expression => (parts.length === 1 ? parts[0]! : { kind: 'join', parts }));
  return joined.length === 1 ? joined[0]! : { kind: 'or', parts: joined };
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', '\\': '\\' };

/** Unescapes like Python; outside of expressions a backslash is an ordinary character. */
function unescaped(literal: string): string {
  return literal.replace(/\\([nt\\])/g, (_, sign: string) => ESCAPES[sign]!);
}

function foreign(written: string): GameFileError {
  return new GameFileError(`The expression {${written}} of the grammar is not supported.`, {
    code: 'INVALID_GRAMMAR',
    value: written,
    expected: "a placeholder, its .name, .id or .indefinite, 'text', joined by + or `or`",
  });
}
