/**
 * Daylight by the step: `1 - |cos(pi * (step / 300 mod 1 + 0.3))| ** 3`, correctly rounded, as the libraries under NumPy compute it.
 *
 * `Math.cos` and `**` of JavaScript engines differ in the last bit for a twentieth of the steps, and a bit decides whether a
 * channel of a picture is rounded down. So both are computed here with about 100 bits: a number is the sum of two doubles.
 */
type Pair = readonly [high: number, low: number];

const SPLITTER = 2 ** 27 + 1;
/** pi / 2 as a pair. */
const HALF_PI: Pair = [1.5707963267948966, 6.123233995736766e-17];
const TERMS = 14;

function halves(value: number): Pair {
  const scaled = SPLITTER * value;
  const high = scaled - (scaled - value);
  return [high, value - high];
}

function exactSum(a: number, b: number): Pair {
  const sum = a + b;
  const rest = sum - a;
  return [sum, a - (sum - rest) + (b - rest)];
}

function exactProduct(a: number, b: number): Pair {
  const product = a * b;
  const [ah, al] = halves(a);
  const [bh, bl] = halves(b);
  return [product, ah * bh - product + ah * bl + al * bh + al * bl];
}

function add([ah, al]: Pair, [bh, bl]: Pair): Pair {
  const [sum, rest] = exactSum(ah, bh);
  return exactSum(sum, rest + al + bl);
}

function multiply([ah, al]: Pair, [bh, bl]: Pair): Pair {
  const [product, rest] = exactProduct(ah, bh);
  return exactSum(product, rest + ah * bl + al * bh);
}

function divide([ah, al]: Pair, by: number): Pair {
  const quotient = ah / by;
  const [product, rest] = exactProduct(quotient, by);
  return exactSum(quotient, (ah - product - rest + al) / by);
}

/** `|cos(x)|` for x from 0 to 10. */
function absoluteCosine(x: number): number {
  const quarter = Math.round(x / HALF_PI[0]);
  const [high, low] = exactProduct(-quarter, HALF_PI[0]);
  const angle = add(add([x, 0], [high, low]), [-quarter * HALF_PI[1], 0]);
  const square = multiply(angle, angle);
  // the series of the cosine, or of the sine an odd number of quarters away
  const isSine = quarter % 2 !== 0;
  let term: Pair = isSine ? angle : [1, 0];
  let sum = term;
  for (let n = 1; n <= TERMS; n += 1) {
    const divisor = isSine ? 2 * n * (2 * n + 1) : 2 * n * (2 * n - 1);
    const [high, low] = divide(multiply(term, square), divisor);
    term = [-high, -low];
    sum = add(sum, term);
  }
  return Math.abs(sum[0]);
}

/** @returns 0 at night to 1 by day; the first step has 0.8. */
export function daylightAt(step: number): number {
  const cosine = absoluteCosine(Math.PI * (((step / 300) % 1) + 0.3));
  const cube = multiply(exactProduct(cosine, cosine), [cosine, 0]);
  return 1 - cube[0];
}
