/** Python's `float(text)` and `repr(number)`. */
import { strip } from './python-text.js';

const DIGITS = '[0-9]+(?:_[0-9]+)*';
const NUMBER = new RegExp(`^[+-]?(?:${DIGITS}(?:\\.(?:${DIGITS})?)?|\\.${DIGITS})(?:e[+-]?${DIGITS})?$`, 'i');
const SPECIAL = /^([+-]?)(inf|infinity|nan)$/i;

/** @returns the number, `NaN` and infinities included; `undefined` if Python raises. */
export function pythonFloat(text: string): number | undefined {
  const plain = asciiDigits(strip(text));
  const special = SPECIAL.exec(plain);
  if (special) {
    if (special[2]!.toLowerCase() === 'nan') return Number.NaN;
    return special[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  }
  return NUMBER.test(plain) ? Number(plain.replaceAll('_', '')) : undefined;
}

/** Decimal digits of every script as `0` to `9`: Unicode has them in blocks of ten that start with a zero. */
export function asciiDigits(text: string): string {
  return text.replace(/\p{Nd}/gu, (digit) => String(valueOfDigit(digit)));
}

/** Mathematical digits are five blocks of ten without a gap. */
const MATHEMATICAL = 0x1d7ce;

function valueOfDigit(digit: string): number {
  const code = digit.codePointAt(0)!;
  if (code >= MATHEMATICAL && code < MATHEMATICAL + 50) return (code - MATHEMATICAL) % 10;
  let zero = code;
  while (code - zero < 9 && /^\p{Nd}$/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return code - zero;
}

/** `repr(float)`: whole numbers end in `.0`; exponents begin at 1e16 and below 1e-4. */
export function floatRepr(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0';
  const size = Math.abs(value);
  if (size >= 1e16 || size < 1e-4) {
    const [digits, exponent] = value.toExponential().split('e') as [string, string];
    return `${digits}e${exponent[0]}${exponent.slice(1).padStart(2, '0')}`;
  }
  const plain = size < 1e-6 ? value.toFixed(20) : String(value);
  return Number.isInteger(value) ? `${plain}.0` : plain;
}

/** `round(value, 2)`: the nearest, and of two equally near ones that with an even last digit. */
export function roundToCents(value: number): number {
  if (!Number.isFinite(value) || Math.abs(value) >= 1e21) return value;
  // only odd eighths lie exactly in the middle
  if (Math.abs((value * 8) % 2) !== 1) return Number(value.toFixed(2));
  const below = Math.floor(value * 100);
  return (below % 2 === 0 ? below : below + 1) / 100;
}
