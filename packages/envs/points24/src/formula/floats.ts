/**
 * Double arithmetic where Python differs from JavaScript: `/` and `//` by zero fail, `//` floors, `**` may leave the
 * reals.
 */
import { powerComplex } from './complex.js';
import { roundedPower } from './power.js';
import { type ComplexValue, complex, type FloatValue, FormulaFault, float } from './values.js';

export function divideFloats(left: number, right: number): number {
  if (right === 0) throw new FormulaFault('ZeroDivisionError');
  return left / right;
}

/**
 * CPython's `float_floor_div`, which starts from the exact remainder, so the result is the floor of the exact quotient.
 */
export function floorDivideFloats(left: number, right: number): number {
  if (right === 0) throw new FormulaFault('ZeroDivisionError');
  const remainder = left % right;
  let quotient = (left - remainder) / right;
  if (remainder !== 0 && remainder < 0 !== right < 0) quotient -= 1;
  if (quotient === 0) return left / right < 0 || Object.is(left / right, -0) ? -0 : 0;
  const floor = Math.floor(quotient);
  return quotient - floor > 0.5 ? floor + 1 : floor;
}

/** A negative base with a fractional exponent gives a complex number, as in Python. */
export function powerFloats(base: number, exponent: number): FloatValue | ComplexValue {
  if (base === 1) return float(1); // also for infinite and NaN exponents, where Math.pow returns NaN
  if (base === -1 && !Number.isFinite(exponent) && !Number.isNaN(exponent)) return float(1);
  if (base === 0 && exponent < 0) throw new FormulaFault('ZeroDivisionError');
  const finite = Number.isFinite(base) && Number.isFinite(exponent);
  if (finite && base < 0 && !Number.isInteger(exponent)) return powerComplex(complex(base, 0), complex(exponent, 0));
  if (!finite || base === 0) return float(base ** exponent);
  const size = roundedPower(Math.abs(base), exponent);
  if (!Number.isFinite(size)) throw new FormulaFault('OverflowError');
  return float(base < 0 && Math.abs(exponent % 2) === 1 ? -size : size);
}
