/**
 * Evaluates a formula of the card games exactly as the Python of the published code, without running any code.
 *
 * Rules: `RL4VLM/RL4VLM` (MIT), `gym-cards/gym_cards/envs/points.py`: the entries are joined without separators and the
 * result is a Python expression. `test/golden/gym-cards.json`, `formula_eval`, pins type, value and success.
 */
import { applySign, combine } from './arithmetic.js';
import { type FormulaNode, parseFormula } from './parse.js';
import {
  EMPTY_TUPLE,
  equalsInteger,
  type FaultName,
  type FormulaEntry,
  FormulaFault,
  type FormulaValue,
  int,
} from './values.js';

export type FormulaResult = FormulaValue | { readonly type: 'error'; readonly name: FaultName };

/** Longer formulas are refused without parsing; the games stop at 21 entries. */
const MAX_LENGTH = 10_000;

/**
 * The value of a formula, or the name of its error. Never throws.
 *
 * @param entries  Numbers, operators, parentheses and blanks in order; adjacent digits form one number.
 *
 * @example
 * evaluateFormula([8, '/', '(', 3, '-', 8, '/', 3, ')']); // { type: 'float', value: 23.99999999999999 }
 */
export function evaluateFormula(entries: readonly FormulaEntry[]): FormulaResult {
  const text = entries.join('');
  try {
    if (text.length > MAX_LENGTH) throw new FormulaFault('TooLarge');
    return evaluate(parseFormula(text));
  } catch (error) {
    if (error instanceof FormulaFault) return { type: 'error', name: error.fault };
    throw error;
  }
}

/** True if the formula has a value that exactly equals the (safe) integer `target`. */
export function formulaEquals(entries: readonly FormulaEntry[], target: number): boolean {
  const result = evaluateFormula(entries);
  return result.type !== 'error' && equalsInteger(result, target);
}

function evaluate(node: FormulaNode): FormulaValue {
  switch (node.kind) {
    case 'number':
      return int(node.value);
    case 'empty':
      return EMPTY_TUPLE;
    case 'sign':
      return applySign(node.operator, evaluate(node.operand));
    case 'binary':
      return combine(node.operator, evaluate(node.left), evaluate(node.right));
    case 'call':
      evaluate(node.callee);
      if (node.argument) evaluate(node.argument);
      throw new FormulaFault('TypeError');
  }
}
