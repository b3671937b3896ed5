/**
 * `base ** exponent` for doubles, correctly rounded.
 *
 * Python uses the C library's `pow`, which is almost always correct to the last digit. `Math.pow` is not: 5 ** -4 is
 * 0.0015999999999999999. The last digit matters for `//` and for the comparison with 24.
 */
import { bitLength, trueDivide } from './integers.js';

/**
 * Integer exponents up to this size are computed exactly; for larger ones only bases close to 1 give finite results.
 */
const MAX_EXACT_EXPONENT = 1100;

/** Fractional bits of the fixed-point numbers below: 53 for the result, the rest for errors and near-ties. */
const PLACES = 192n;
const ONE = 1n << PLACES;

/**
 * @param base      Finite, greater than 0.
 * @param exponent  Finite.
 * @throws {FormulaFault} `OverflowError` if the result exceeds the largest double.
 */
export function roundedPower(base: number, exponent: number): number {
  const { mantissa, scale } = decompose(base);
  if (Number.isInteger(exponent) && Math.abs(exponent) <= MAX_EXACT_EXPONENT) {
    const power = mantissa ** BigInt(Math.abs(exponent));
    const shift = scale * Math.abs(exponent);
    const [above, below] = shift < 0 ? [power, 1n << BigInt(-shift)] : [power << BigInt(shift), 1n];
    return exponent < 0 ? trueDivide(below, above) : trueDivide(above, below);
  }
  // Far out of range `Math.pow` is correct, and the series below would need huge shifts.
  const estimate = base ** exponent;
  if (estimate === 0 || !Number.isFinite(estimate)) return estimate;
  return exponential(multiplyExact(logarithm(mantissa, scale), exponent));
}

/** `x = mantissa * 2^scale` with an odd integer mantissa. */
function decompose(x: number): { mantissa: bigint; scale: number } {
  let scale = 0;
  let mantissa = x;
  while (!Number.isInteger(mantissa)) {
    mantissa *= 2;
    scale -= 1;
  }
  let whole = BigInt(mantissa);
  while (whole % 2n === 0n) {
    whole /= 2n;
    scale += 1;
  }
  return { mantissa: whole, scale };
}

/** Natural logarithm in fixed point, from the series of 2 artanh((m - 1) / (m + 1)) with m in [1, 2). */
function logarithm(mantissa: bigint, scale: number): bigint {
  const bits = bitLength(mantissa) - 1;
  const unit = 1n << BigInt(bits);
  return doubleArtanh(mantissa - unit, mantissa + unit) + BigInt(scale + bits) * LOG_2;
}

function doubleArtanh(numerator: bigint, denominator: bigint): bigint {
  let power = (2n * ONE * numerator) / denominator;
  const square = (ONE * numerator * numerator) / (denominator * denominator);
  let sum = 0n;
  for (let k = 1n; power !== 0n; k += 2n) {
    sum += power / k;
    power = (power * square) >> PLACES;
  }
  return sum;
}

const LOG_2 = doubleArtanh(1n, 3n);

/** A fixed-point number times a double. */
function multiplyExact(fixed: bigint, factor: number): bigint {
  const { mantissa, scale } = decompose(Math.abs(factor));
  const product = scale < 0 ? (fixed * mantissa) >> BigInt(-scale) : (fixed * mantissa) << BigInt(scale);
  return factor < 0 ? -product : product;
}

/** e to a fixed-point power: a whole power of two times a short Taylor series. */
function exponential(power: bigint): number {
  const twos = power / LOG_2;
  const rest = power - twos * LOG_2;
  let sum = 0n;
  let term = ONE;
  for (let k = 1n; term !== 0n && term !== -1n; k += 1n) {
    sum += term;
    term = ((term * rest) >> PLACES) / k;
  }
  const shift = twos - PLACES;
  return shift < 0n ? trueDivide(sum, 1n << -shift) : trueDivide(sum << shift, 1n);
}
