/** Intervals for success rates. Formula: E. B. Wilson, "Probable Inference" (1927), the score interval. */
import { InvalidOptionError } from '@vlgym/core';

export type Interval = readonly [low: number, high: number];

/** Two-sided 95 % point of the normal distribution. */
const Z95 = 1.959963984540054;

/**
 * The Wilson score interval of a proportion of independent trials: valid also near 0 and 1 and for few trials.
 *
 * Episodes that repeat a task are not independent; `successRate` counts tasks.
 *
 * @param successes  0 … n
 * @param n          Number of trials; 0 gives [0, 1].
 * @param z          Normal quantile; the default is the 95 % interval.
 */
export function wilsonInterval(successes: number, n: number, z = Z95): Interval {
  if (!(Number.isInteger(n) && n >= 0)) throw new InvalidOptionError('n', n, 'a whole number, 0 or more');
  if (!(Number.isInteger(successes) && successes >= 0 && successes <= n)) {
    throw new InvalidOptionError('successes', successes, `a whole number from 0 to ${n}`);
  }
  if (n === 0) return [0, 1];
  const share = successes / n;
  const center = share + (z * z) / (2 * n);
  const reach = z * Math.sqrt((share * (1 - share)) / n + (z * z) / (4 * n * n));
  const scale = 1 + (z * z) / n;
  // rounding must not keep the ends from reaching 0 or 1
  const low = successes === 0 ? 0 : (center - reach) / scale;
  const high = successes === n ? 1 : (center + reach) / scale;
  return [low, high];
}
