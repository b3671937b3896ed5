/**
 * Intervals for means of anything (returns, lengths), by resampling; values of one cluster are drawn together.
 *
 * Method: B. Efron's percentile bootstrap over clusters. Its percentiles lie too close together for few clusters; they
 * are moved out as in the "expanded percentile" interval of T. C. Hesterberg, "What Teachers Should Know About the
 * Bootstrap", The American Statistician 69, 2015.
 */
import { Generator, InvalidOptionError } from '@vlgym/core';
import { checkNames, names } from '@vlgym/core/internal';
import { incompleteBeta, studentQuantile } from './student.js';
import type { Interval } from './wilson.js';

export interface BootstrapOptions {
  readonly seed?: number | undefined;
  readonly resamples?: number | undefined;
  /** Share of resampled means inside the interval, in (0, 1). */
  readonly confidence?: number | undefined;
  /** The cluster of each value, e.g. the task of an episode; default: every value is one cluster. */
  readonly clusters?: readonly string[] | undefined;
}

export interface BootstrapMean {
  readonly mean: number;
  readonly interval: Interval;
  /** Independent units: distinct clusters. */
  readonly units: number;
}

const BOOTSTRAP_MEAN_OPTIONS = names<BootstrapOptions>({ seed: 0, resamples: 0, confidence: 0, clusters: 0 });

/**
 * @param values  At least one finite number.
 * @returns       The mean and its interval; deterministic for the same values, order and seed.
 */
export function bootstrapMean(values: readonly number[], options: BootstrapOptions = {}): BootstrapMean {
  checkNames('options', options, BOOTSTRAP_MEAN_OPTIONS);
  const { seed = 0, resamples = 10_000, confidence = 0.95, clusters } = options;
  if (values.length === 0 || !values.every(Number.isFinite)) {
    throw new InvalidOptionError('values', values, 'at least one number, all finite');
  }
  if (!(confidence > 0 && confidence < 1)) throw new InvalidOptionError('confidence', confidence, 'between 0 and 1');
  if (!(Number.isInteger(resamples) && resamples > 0))
    throw new InvalidOptionError('resamples', resamples, '1 or more');
  if (clusters && clusters.length !== values.length) {
    throw new InvalidOptionError('clusters', clusters.length, `one for each of ${values.length} values`);
  }
  const groups = totalsOf(values, clusters);
  const rng = new Generator(seed);
  const means = Float64Array.from({ length: resamples }, () => {
    let sum = 0;
    let count = 0;
    for (let draw = 0; draw < groups.length; draw += 1) {
      const group = groups[rng.integers(groups.length)]!;
      sum += group.sum;
      count += group.count;
    }
    return sum / count;
  }).sort();
  const tail = expandedTail((1 - confidence) / 2, groups.length);
  return {
    mean: mean(values),
    interval: [quantile(means, tail), quantile(means, 1 - tail)],
    units: groups.length,
  };
}

export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function totalsOf(values: readonly number[], clusters: readonly string[] | undefined) {
  if (!clusters) return values.map((sum) => ({ sum, count: 1 }));
  const groups = new Map<string, { sum: number; count: number }>();
  for (const [index, value] of values.entries()) {
    const group = groups.get(clusters[index]!) ?? { sum: 0, count: 0 };
    group.sum += value;
    group.count += 1;
    groups.set(clusters[index]!, group);
  }
  return [...groups.values()];
}

/** The normal tail beyond √(n / (n − 1)) · t, the reach of Student's interval in deviations of the bootstrap. */
function expandedTail(tail: number, units: number): number {
  if (units < 2) return tail;
  const reach = Math.sqrt(units / (units - 1)) * studentQuantile(2 * tail, units - 1);
  return normalTail(reach);
}

/** P(Z ≥ z) for z ≥ 0: Student's t with this many degrees of freedom is normal to six digits. */
function normalTail(z: number): number {
  const df = 1e7;
  return incompleteBeta(df / 2, 0.5, df / (df + z * z)) / 2;
}

/** Linear interpolation between the sorted values. */
function quantile(sorted: Float64Array, share: number): number {
  const place = share * (sorted.length - 1);
  const below = sorted[Math.floor(place)]!;
  const above = sorted[Math.ceil(place)]!;
  return below + (above - below) * (place - Math.floor(place));
}
