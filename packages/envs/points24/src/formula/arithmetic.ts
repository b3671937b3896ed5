/**
 * Python's operators on mixed operands: integers become doubles, doubles become complex, tuples have only `+` and `*`.
 */
import { divideComplex, multiplyComplex, powerComplex } from './complex.js';
import { divideFloats, floorDivideFloats, powerFloats } from './floats.js';
import { floorDivide, integerPower, trueDivide } from './integers.js';
import {
  type ComplexValue,
  complex,
  EMPTY_TUPLE,
  type FloatValue,
  FormulaFault,
  type FormulaValue,
  float,
  type IntValue,
  int,
  type TupleValue,
} from './values.js';

export type SignOperator = '+' | '-';
export type BinaryOperator = '+' | '-' | '*' | '/' | '//' | '**';

/** Largest repetition count of a tuple: C's `ssize_t`. */
const MAX_REPETITION = 2n ** 63n - 1n;

export function applySign(sign: SignOperator, value: FormulaValue): FormulaValue {
  if (value.type === 'tuple') throw new FormulaFault('TypeError');
  if (sign === '+') return value;
  switch (value.type) {
    case 'int':
      return int(-value.value);
    case 'float':
      return float(-value.value);
    case 'complex':
      return complex(-value.real, -value.imaginary);
  }
}

/** @throws {FormulaFault} The error that Python raises, such as `ZeroDivisionError`. */
export function combine(operator: BinaryOperator, left: FormulaValue, right: FormulaValue): FormulaValue {
  if (left.type === 'tuple' || right.type === 'tuple') return combineTuples(operator, left, right);
  if (left.type === 'complex' || right.type === 'complex') {
    return combineComplexes(operator, toComplex(left), toComplex(right));
  }
  if (left.type === 'int' && right.type === 'int') return combineInts(operator, left, right);
  return combineFloats(operator, toFloat(left), toFloat(right));
}

function combineInts(operator: BinaryOperator, left: IntValue, right: IntValue): FormulaValue {
  switch (operator) {
    case '+':
      return int(left.value + right.value);
    case '-':
      return int(left.value - right.value);
    case '*':
      return int(left.value * right.value);
    case '/':
      return float(trueDivide(left.value, right.value));
    case '//':
      return int(floorDivide(left.value, right.value));
    case '**':
      if (right.value < 0n) return powerFloats(toFloat(left), toFloat(right));
      return int(integerPower(left.value, right.value));
  }
}

function combineFloats(operator: BinaryOperator, left: number, right: number): FormulaValue {
  switch (operator) {
    case '+':
      return float(left + right);
    case '-':
      return float(left - right);
    case '*':
      return float(left * right);
    case '/':
      return float(divideFloats(left, right));
    case '//':
      return float(floorDivideFloats(left, right));
    case '**':
      return powerFloats(left, right);
  }
}

function combineComplexes(operator: BinaryOperator, left: ComplexValue, right: ComplexValue): FormulaValue {
  switch (operator) {
    case '+':
      return complex(left.real + right.real, left.imaginary + right.imaginary);
    case '-':
      return complex(left.real - right.real, left.imaginary - right.imaginary);
    case '*':
      return multiplyComplex(left, right);
    case '/':
      return divideComplex(left, right);
    case '//':
      throw new FormulaFault('TypeError');
    case '**':
      return powerComplex(left, right);
  }
}

/** `() + ()` and `() * n` are `()`; everything else is a type error. */
function combineTuples(operator: BinaryOperator, left: FormulaValue, right: FormulaValue): TupleValue {
  if (operator === '+' && left.type === right.type) return EMPTY_TUPLE;
  const count = left.type === 'int' ? left : right;
  if (operator !== '*' || count.type !== 'int') throw new FormulaFault('TypeError');
  if (count.value > MAX_REPETITION || count.value < -MAX_REPETITION - 1n) throw new FormulaFault('OverflowError');
  return EMPTY_TUPLE;
}

function toFloat(value: IntValue | FloatValue): number {
  const converted = Number(value.value);
  if (value.type === 'int' && !Number.isFinite(converted)) throw new FormulaFault('OverflowError');
  return converted;
}

function toComplex(value: IntValue | FloatValue | ComplexValue): ComplexValue {
  return value.type === 'complex' ? value : complex(toFloat(value), 0);
}
