/**
 * Means, standard deviations and the normalization of advantages, accumulated in float64.
 *
 * Rules: `docs/specs/algorithms.md` 3.2, 17 (decision 17) and 19. Pinned by the batched case of `test/golden/algos/gae.json`.
 */

export interface Moments {
  readonly count: number;
  readonly mean: number;
  /** Sample standard deviation (n − 1); 0 for fewer than two entries. */
  readonly sampleStd: number;
  readonly populationStd: number;
}

/** Two passes, so that a large mean costs no digits. Entries with mask 0 are left out. */
export function moments(values: ArrayLike<number>, mask?: ArrayLike<number | boolean>): Moments {
  let count = 0;
  let sum = 0;
  for (let i = 0; i < values.length; i++) {
    if (mask && !mask[i]) continue;
    count += 1;
    sum += values[i]!;
  }
  const mean = count > 0 ? sum / count : 0;
  let squares = 0;
  for (let i = 0; i < values.length; i++) {
    if (mask && !mask[i]) continue;
    squares += (values[i]! - mean) ** 2;
  }
  return {
    count,
    mean,
    sampleStd: count > 1 ? Math.sqrt(squares / (count - 1)) : 0,
    populationStd: count > 0 ? Math.sqrt(squares / count) : 0,
  };
}

export interface NormalizeOptions {
  /** Default `sample`. */
  readonly std?: 'sample' | 'population' | undefined;
  /** Added to the standard deviation; default 1e-8. */
  readonly eps?: number | undefined;
  /** Entries that count for mean and spread; all by default. Every entry is shifted and scaled. */
  readonly mask?: ArrayLike<number | boolean> | undefined;
}

/** Below this spread dividing would only blow up rounding. */
const MIN_STD = 1e-6;

/** (x − mean) / (std + eps) over the whole buffer; where the spread is below 1e-6 only the mean is taken off. */
export function normalize(
  values: ArrayLike<number>,
  { std = 'sample', eps = 1e-8, mask }: NormalizeOptions = {},
): Float64Array {
  const { mean, sampleStd, populationStd } = moments(values, mask);
  const spread = std === 'sample' ? sampleStd : populationStd;
  const scale = spread < MIN_STD ? 1 : spread + eps;
  return Float64Array.from(values, (value) => (value - mean) / scale);
}
