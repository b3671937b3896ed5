/**
 * Student's t and the beta distribution, for fractional degrees of freedom.
 *
 * Both come from the regularized incomplete beta function, by its continued fraction: *NIST Digital Library of
 * Mathematical Functions*, 8.17.22. `statistics.test.ts` compares with published tables.
 * Not simple-statistics: version 7.12 has neither distribution, and its normal distribution is a table of four digits.
 */

/** P(|T| ≥ |t|) for Student's t. @param df  Degrees of freedom, above 0; need not be whole. */
export function studentPValue(t: number, df: number): number {
  return Number.isFinite(t) ? incompleteBeta(df / 2, 0.5, df / (df + t * t)) : 0;
}

/** The t with P(|T| ≥ t) = `pValue`, in (0, 1). */
export function studentQuantile(pValue: number, df: number): number {
  const x = betaQuantile(pValue, df / 2, 0.5);
  return Math.sqrt((df * (1 - x)) / x);
}

/** The x below which a Beta(a, b) variable lies with probability `share`. */
export function betaQuantile(share: number, a: number, b: number): number {
  let [low, high] = [0, 1];
  // bisection to the last bit that matters; the function is monotone
  for (let step = 0; step < 60 && high - low > 1e-15 * high; step += 1) {
    const middle = (low + high) / 2;
    if (incompleteBeta(a, b, middle) < share) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** I_x(a, b), the distribution function of Beta(a, b). */
export function incompleteBeta(a: number, b: number, x: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  // the fraction converges fast on this side of the mean; the other side is its mirror image
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(b, a, 1 - x);
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x)) / a;
  return front * continuedFraction(a, b, x);
}

/** Lentz's evaluation of DLMF 8.17.22. */
function continuedFraction(a: number, b: number, x: number): number {
  const away = (value: number) => (Math.abs(value) < 1e-300 ? 1e-300 : value);
  let c = 1;
  let d = 1 / away(1 - ((a + b) * x) / (a + 1));
  let result = d;
  for (let m = 1; m <= 1000; m += 1) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / away(1 + even * d);
    c = away(1 + even / c);
    result *= c * d;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away(1 + odd * d);
    c = away(1 + odd / c);
    result *= c * d;
    if (Math.abs(c * d - 1) < 1e-15) break;
  }
  return result;
}

/** Stirling's series after shifting the argument up; relative error below 1e-13 for positive `x`. */
function logGamma(x: number): number {
  let shift = 0;
  let z = x;
  for (; z < 10; z += 1) shift += Math.log(z);
  const inverse = 1 / (z * z);
  const series = (1 / 12 - inverse * (1 / 360 - inverse * (1 / 1260 - inverse * (1 / 1680 - inverse / 1188)))) / z;
  return (z - 0.5) * Math.log(z) - z + 0.5 * Math.log(2 * Math.PI) + series - shift;
}
