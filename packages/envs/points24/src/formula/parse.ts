/**
 * Parses a formula with the grammar of Python expressions, limited to digits, blanks and `+ - * / ( )`.
 *
 * From lowest to highest precedence: `+ -`, then `* / //`, then signs, then `**` (right-associative, with a signed
 * right operand), then calls, as in the Python reference, "Expressions". A blank separates tokens, as in `5 5` and `*
 * *`.
 */
import type { BinaryOperator, SignOperator } from './arithmetic.js';
import { FormulaFault } from './values.js';

export type FormulaNode =
  | { readonly kind: 'number'; readonly value: bigint }
  | { readonly kind: 'empty' }
  | { readonly kind: 'sign'; readonly operator: SignOperator; readonly operand: FormulaNode }
  | {
      readonly kind: 'binary';
      readonly operator: BinaryOperator;
      readonly left: FormulaNode;
      readonly right: FormulaNode;
    }
  /** Parentheses directly after a value, `5(3)`: Python evaluates the argument, then fails to call the number. */
  | { readonly kind: 'call'; readonly callee: FormulaNode; readonly argument: FormulaNode | undefined };

/** Python's own limit of nested parentheses. */
const MAX_BRACKETS = 200;

/** Maximum nesting of signs, powers and parentheses; Python fails at some thousands, with another error. */
const MAX_DEPTH = 1000;

const TOKENS = /\d+|\*\*|\/\/|[-+*/()]/y;

/** @throws {FormulaFault} `SyntaxError`, or `TooLarge` if signs and powers are nested too deeply. */
export function parseFormula(text: string): FormulaNode {
  const reader = new Reader(tokenize(text));
  const formula = reader.sum();
  reader.expectEnd();
  return formula;
}

/** @throws {FormulaFault} `SyntaxError` for an unknown character or a number such as `07`. */
export function tokenize(text: string): string[] {
  const tokens: string[] = [];
  for (let position = 0; position < text.length; ) {
    if (text.charAt(position) === ' ') {
      position += 1;
      continue;
    }
    TOKENS.lastIndex = position;
    const token = TOKENS.exec(text)?.[0];
    if (token === undefined || /^0+[1-9]/.test(token)) throw new FormulaFault('SyntaxError');
    tokens.push(token);
    position += token.length;
  }
  return tokens;
}

class Reader {
  readonly #tokens: readonly string[];
  #position = 0;
  #brackets = 0;
  #nested = 0;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  expectEnd(): void {
    if (this.#position < this.#tokens.length) throw new FormulaFault('SyntaxError');
  }

  sum(): FormulaNode {
    let left = this.#term();
    for (let operator = this.#take('+', '-'); operator; operator = this.#take('+', '-')) {
      left = { kind: 'binary', operator, left, right: this.#term() };
    }
    return left;
  }

  #term(): FormulaNode {
    let left = this.#factor();
    for (let operator = this.#take('*', '/', '//'); operator; operator = this.#take('*', '/', '//')) {
      left = { kind: 'binary', operator, left, right: this.#factor() };
    }
    return left;
  }

  #factor(): FormulaNode {
    this.#nested += 1;
    if (this.#nested > MAX_DEPTH) throw new FormulaFault('TooLarge');
    const operator = this.#take('+', '-');
    const node: FormulaNode = operator ? { kind: 'sign', operator, operand: this.#factor() } : this.#power();
    this.#nested -= 1;
    return node;
  }

  #power(): FormulaNode {
    const left = this.#primary();
    const operator = this.#take('**');
    return operator ? { kind: 'binary', operator, left, right: this.#factor() } : left;
  }

  #primary(): FormulaNode {
    let node = this.#atom();
    while (this.#open()) {
      let argument: FormulaNode | undefined;
      if (!this.#close()) {
        this.#take('*', '**'); // `5(*3)` unpacks its argument; a number cannot be called anyway
        argument = this.sum();
        this.#expectClose();
      }
      node = { kind: 'call', callee: node, argument };
    }
    return node;
  }

  #atom(): FormulaNode {
    if (this.#open()) {
      if (this.#close()) return { kind: 'empty' };
      const inner = this.sum();
      this.#expectClose();
      return inner;
    }
    const token = this.#tokens[this.#position];
    if (token === undefined || !/^\d/.test(token)) throw new FormulaFault('SyntaxError');
    this.#position += 1;
    return { kind: 'number', value: BigInt(token) };
  }

  #open(): boolean {
    if (!this.#take('(')) return false;
    this.#brackets += 1;
    if (this.#brackets > MAX_BRACKETS) throw new FormulaFault('SyntaxError');
    return true;
  }

  #close(): boolean {
    if (!this.#take(')')) return false;
    this.#brackets -= 1;
    return true;
  }

  #expectClose(): void {
    if (!this.#close()) throw new FormulaFault('SyntaxError');
  }

  #take<Token extends string>(...wanted: readonly Token[]): Token | undefined {
    const token = this.#tokens[this.#position];
    const taken = wanted.find((candidate) => candidate === token);
    if (taken !== undefined) this.#position += 1;
    return taken;
  }
}
