/**
 * The values of formulas: Python's integers of any size, doubles, complex numbers and the empty tuple `()`.
 *
 * The published games evaluate a formula as a Python expression (`RL4VLM/RL4VLM`,
 * `gym-cards/gym_cards/envs/points.py`), so the reward depends on Python's numbers. `test/golden/gym-cards.json`,
 * `formula_eval`, pins them.
 */

/**
 * One entry of a formula: a card's number, an operator, a parenthesis, or the blank that an illegal action may leave.
 */
export type FormulaEntry = number | string;

export type FormulaValue = IntValue | FloatValue | ComplexValue | TupleValue;

export interface IntValue {
  readonly type: 'int';
  readonly value: bigint;
}

export interface FloatValue {
  readonly type: 'float';
  readonly value: number;
}

export interface ComplexValue {
  readonly type: 'complex';
  readonly real: number;
  readonly imaginary: number;
}

/** Python's `()`. It can be repeated and concatenated but never equals a number. */
export interface TupleValue {
  readonly type: 'tuple';
}

/** Python's exceptions, and `TooLarge` for formulas that Python computes for minutes or that overflow its stack. */
export type FaultName = 'SyntaxError' | 'TypeError' | 'ZeroDivisionError' | 'OverflowError' | 'TooLarge';

/** Thrown inside the evaluator; `evaluateFormula` returns its name as data. */
export class FormulaFault extends Error {
  constructor(readonly fault: FaultName) {
    super(fault);
  }
}

export const EMPTY_TUPLE: TupleValue = { type: 'tuple' };

export const int = (value: bigint): IntValue => ({ type: 'int', value });
export const float = (value: number): FloatValue => ({ type: 'float', value });
export const complex = (real: number, imaginary: number): ComplexValue => ({ type: 'complex', real, imaginary });

/** Numeric equality, exact across types: `24.0` equals 24, `23.999999999999996` does not. */
export function equalsInteger(value: FormulaValue, target: number): boolean {
  switch (value.type) {
    case 'int':
      return value.value === BigInt(target);
    case 'float':
      return value.value === target;
    case 'complex':
      return value.imaginary === 0 && value.real === target;
    case 'tuple':
      return false;
  }
}

/** The value as Python's `repr` writes it: `24`, `24.0`, `1e-05`, `(1.5+2j)`, `()`. */
export function formatValue(value: FormulaValue): string {
  switch (value.type) {
    case 'int':
      return value.value.toString();
    case 'float':
      return formatFloat(value.value);
    case 'complex':
      return formatComplex(value);
    case 'tuple':
      return '()';
  }
}

function formatComplex({ real, imaginary }: ComplexValue): string {
  const part = (x: number) => formatFloat(x).replace(/\.0$/, '');
  const sign = imaginary < 0 || Object.is(imaginary, -0) ? '-' : '+';
  if (Object.is(real, 0)) return `${sign === '-' ? '-' : ''}${part(Math.abs(imaginary))}j`;
  return `(${part(real)}${sign}${part(Math.abs(imaginary))}j)`;
}

/** Both languages write the shortest digits that parse back; Python uses exponents outside 1e-4 to 1e16. */
function formatFloat(x: number): string {
  if (Number.isNaN(x)) return 'nan';
  if (!Number.isFinite(x)) return x < 0 ? '-inf' : 'inf';
  if (x === 0) return Object.is(x, -0) ? '-0.0' : '0.0';
  const [mantissa = '', exponentText = '0'] = Math.abs(x).toExponential().split('e');
  const sign = x < 0 ? '-' : '';
  const exponent = Number(exponentText);
  if (exponent < -4 || exponent >= 16) {
    return `${sign}${mantissa}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
  }
  const digits = mantissa.replace('.', '');
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  return `${sign}${digits.slice(0, exponent + 1).padEnd(exponent + 1, '0')}.${digits.slice(exponent + 1) || '0'}`;
}
