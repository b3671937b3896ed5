/** Parses the prefix of a formula by Python's precedence and computes its fixed parts in doubles. */
import { floorDivideFloats, powerFloats } from '../formula/floats.js';
import { tokenize } from '../formula/parse.js';
import { type FormulaEntry, FormulaFault } from '../formula/values.js';

/** Pending operations inside one open parenthesis, or outside all of them. */
export interface Frame {
  readonly sum?: Pending<'+' | '-'> | undefined;
  readonly product?: Pending<'*' | '/' | '//'> | undefined;
  /** Signs and powers directly before the operand, outermost first. */
  readonly prefixes: readonly Prefix[];
}

interface Pending<Operator> {
  readonly left: number;
  readonly operator: Operator;
}

type Prefix = '+' | '-' | { readonly base: number };

export interface ReadPrefix {
  /** One frame for the formula, then one per open parenthesis. */
  readonly frames: readonly Frame[];
  /** The value at the end; `undefined` if an operand must follow. */
  readonly operand: number | undefined;
}

const EMPTY: Frame = { prefixes: [] };

/** @returns `undefined` if no continuation gives the formula a real value. */
export function readPrefix(formula: readonly FormulaEntry[]): ReadPrefix | undefined {
  const tokens = tokensOf(formula);
  const frames: Frame[] = [EMPTY];
  let operand: number | undefined;

  for (const token of tokens ?? ['?']) {
    const frame = frames.at(-1)!;
    const { prefixes } = frame;
    const here = frames.length - 1;
    if (operand === undefined) {
      if (token === '(') frames.push(EMPTY);
      else if (token === '+' || token === '-') frames[here] = { ...frame, prefixes: [...prefixes, token] };
      else if (/^\d/.test(token)) operand = Number(token);
      else return undefined;
      continue;
    }
    if (token === '**') {
      frames[here] = { ...frame, prefixes: [...prefixes, { base: operand }] };
      operand = undefined;
      continue;
    }
    const term = closeTerm(frame, operand);
    if (term === undefined) return undefined;
    switch (token) {
      case '*':
      case '/':
      case '//':
        frames[here] = { sum: frame.sum, product: { left: term, operator: token }, prefixes: [] };
        operand = undefined;
        break;
      case '+':
      case '-':
        frames[here] = { sum: { left: closeSum(frame, term), operator: token }, prefixes: [] };
        operand = undefined;
        break;
      case ')':
        if (here === 0) return undefined;
        frames.pop();
        operand = closeSum(frame, term);
        break;
      default:
        return undefined; // a number or parenthesis after a value
    }
  }
  return { frames, operand };
}

/** Applies the signs and powers before an operand; `undefined` if the result is not a real number. */
export function withPrefixes(prefixes: readonly Prefix[], operand: number): number | undefined {
  let value: number | undefined = operand;
  for (const prefix of [...prefixes].reverse()) {
    if (value === undefined) return undefined;
    const inner: number = value;
    if (prefix === '+') continue;
    value = prefix === '-' ? -inner : realOf(() => power(prefix.base, inner));
  }
  return value;
}

/** `undefined` if Python raises an error. */
export function operateDoubles(
  operator: '+' | '-' | '*' | '/' | '//',
  left: number,
  right: number,
): number | undefined {
  switch (operator) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return right === 0 ? undefined : left / right;
    case '//':
      return right === 0 ? undefined : floorDivideFloats(left, right);
  }
}

function closeTerm(frame: Frame, operand: number): number | undefined {
  const factor = withPrefixes(frame.prefixes, operand);
  if (factor === undefined || !frame.product) return factor;
  return operateDoubles(frame.product.operator, frame.product.left, factor);
}

function closeSum({ sum }: Frame, term: number): number {
  if (!sum) return term;
  return sum.operator === '+' ? sum.left + term : sum.left - term;
}

function power(base: number, exponent: number): number | undefined {
  const value = powerFloats(base, exponent);
  return value.type === 'float' ? value.value : undefined;
}

function realOf(compute: () => number | undefined): number | undefined {
  try {
    return compute();
  } catch (error) {
    if (error instanceof FormulaFault) return undefined;
    throw error;
  }
}

function tokensOf(formula: readonly FormulaEntry[]): string[] | undefined {
  try {
    return tokenize(formula.join(''));
  } catch (error) {
    if (error instanceof FormulaFault) return undefined;
    throw error;
  }
}
