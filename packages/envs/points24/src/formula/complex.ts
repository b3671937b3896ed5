/**
 * Complex arithmetic, in the order of operations of CPython's `Objects/complexobject.c`.
 *
 * Formulas use it only for a negative base with a fractional exponent, such as `(1-3)**(1/2)`. Sine, cosine and
 * exponential are those of the JavaScript engine, so the last digit may differ from a C library's; no reward depends on
 * it.
 */
import { type ComplexValue, complex, FormulaFault } from './values.js';

/** Integer exponents up to this size are computed by multiplication. */
const MULTIPLIED_OUT = 100;

export function multiplyComplex(a: ComplexValue, b: ComplexValue): ComplexValue {
  return complex(a.real * b.real - a.imaginary * b.imaginary, a.real * b.imaginary + a.imaginary * b.real);
}

/** Smith's method: divides by the larger part of the divisor first. */
export function divideComplex(a: ComplexValue, b: ComplexValue): ComplexValue {
  if (b.real === 0 && b.imaginary === 0) throw new FormulaFault('ZeroDivisionError');
  if (Math.abs(b.real) >= Math.abs(b.imaginary)) {
    const ratio = b.imaginary / b.real;
    const divisor = b.real + b.imaginary * ratio;
    return complex((a.real + a.imaginary * ratio) / divisor, (a.imaginary - a.real * ratio) / divisor);
  }
  const ratio = b.real / b.imaginary;
  const divisor = b.real * ratio + b.imaginary;
  return complex((a.real * ratio + a.imaginary) / divisor, (a.imaginary * ratio - a.real) / divisor);
}

export function powerComplex(base: ComplexValue, exponent: ComplexValue): ComplexValue {
  const whole = exponent.imaginary === 0 && Number.isInteger(exponent.real);
  const power =
    whole && Math.abs(exponent.real) <= MULTIPLIED_OUT ? integerPower(base, exponent.real) : polarPower(base, exponent);
  if (!Number.isFinite(power.real) || !Number.isFinite(power.imaginary)) throw new FormulaFault('OverflowError');
  return power;
}

function integerPower(base: ComplexValue, exponent: number): ComplexValue {
  let power = complex(1, 0);
  let square = base;
  for (let rest = Math.abs(exponent); rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) power = multiplyComplex(power, square);
    square = multiplyComplex(square, square);
  }
  return exponent < 0 ? divideComplex(complex(1, 0), power) : power;
}

function polarPower(base: ComplexValue, exponent: ComplexValue): ComplexValue {
  if (base.real === 0 && base.imaginary === 0) {
    if (exponent.imaginary !== 0 || exponent.real < 0) throw new FormulaFault('ZeroDivisionError');
    return complex(0, 0);
  }
  const length = Math.hypot(base.real, base.imaginary);
  const angle = Math.atan2(base.imaginary, base.real);
  let scale = length ** exponent.real;
  let phase = angle * exponent.real;
  if (exponent.imaginary !== 0) {
    scale *= Math.exp(-angle * exponent.imaginary);
    phase += exponent.imaginary * Math.log(length);
  }
  return complex(scale * Math.cos(phase), scale * Math.sin(phase));
}
