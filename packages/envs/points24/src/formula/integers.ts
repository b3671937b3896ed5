/**
 * Integer arithmetic where Python and BigInt differ: `//` floors, `/` rounds correctly to a double, `**` is limited.
 */
import { FormulaFault } from './values.js';

/** Powers with more bits are refused. Python would compute them for minutes; no four cards reach 24 that way. */
const MAX_BITS = 1 << 20;

/** Quotient rounded toward minus infinity: -7 // 2 = -4. */
export function floorDivide(left: bigint, right: bigint): bigint {
  if (right === 0n) throw new FormulaFault('ZeroDivisionError');
  const quotient = left / right;
  return left % right !== 0n && left < 0n !== right < 0n ? quotient - 1n : quotient;
}

/** The double nearest to the exact quotient, ties to even, for operands of any size. */
export function trueDivide(left: bigint, right: bigint): number {
  if (right === 0n) throw new FormulaFault('ZeroDivisionError');
  if (isSafe(left) && isSafe(right)) return Number(left) / Number(right);

  const [a, b] = [magnitude(left), magnitude(right)];
  // Keep two bits more than a double has, or bits down to 2^-1076 for subnormal results; the last bit is sticky.
  const scale = Math.max(bitLength(a) - bitLength(b) - 55, -1076);
  const [numerator, denominator] = scale < 0 ? [a << BigInt(-scale), b] : [a, b << BigInt(scale)];
  const sticky = numerator % denominator === 0n ? 0n : 1n;
  const rounded = Number((numerator / denominator) | sticky);
  // Two factors, because 2^-1076 is not a double.
  const half = Math.trunc(scale / 2);
  const quotient = rounded * 2 ** half * 2 ** (scale - half);
  if (!Number.isFinite(quotient)) throw new FormulaFault('OverflowError');
  return left < 0n !== right < 0n ? -quotient : quotient;
}

/** `base ** exponent` for `exponent >= 0`. */
export function integerPower(base: bigint, exponent: bigint): bigint {
  if (base === 0n || base === 1n) return exponent === 0n ? 1n : base;
  if (base === -1n) return exponent % 2n === 0n ? 1n : -1n;
  if (exponent * BigInt(bitLength(magnitude(base))) > MAX_BITS) throw new FormulaFault('TooLarge');
  return base ** exponent;
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}

/** Number of binary digits of a positive integer. */
export function bitLength(value: bigint): number {
  const digits = value.toString(16);
  return 4 * (digits.length - 1) + (32 - Math.clz32(Number.parseInt(digits.charAt(0), 16)));
}

function isSafe(value: bigint): boolean {
  return value <= 9007199254740991n && value >= -9007199254740991n;
}
