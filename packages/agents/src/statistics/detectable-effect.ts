/**
 * How large a difference between two arms must be for a design to find it.
 *
 * The paired permutation test has nearly the power of the paired t-test, whose power is a tail of the noncentral t
 * distribution: ∫ P(Z > t·s − ncp) over the density of s = √(χ²/df). `block-nulls.test.ts` compares it with simulations.
 */
import { InvalidOptionError } from '@vlgym/core';
import { checkNames, names } from '@vlgym/core/internal';
import { studentQuantile } from './student.js';

export interface PowerOptions {
  /** Standard deviation over blocks of the difference between the arms, from a pilot; 0 or more. */
  readonly standardDeviation: number;
  /** Blocks of the design. */
  readonly blocks: number;
  /** Two-sided level; after a correction for k tests the first of them has 0.05 / k. Default 0.05. */
  readonly alpha?: number | undefined;
}

const POWER_OPTIONS = names<PowerOptions>({ standardDeviation: 0, blocks: 0, alpha: 0 });

/** Chance that a true difference of `effect` is found, in [0, 1]. @throws {InvalidOptionError} */
export function plannedPower(effect: number, options: PowerOptions): number {
  const { standardDeviation, blocks, alpha } = checked(options);
  if (!canReject(blocks, alpha)) return 0;
  if (standardDeviation === 0) return effect === 0 ? 0 : 1;
  const df = blocks - 1;
  const shift = (Math.abs(effect) / standardDeviation) * Math.sqrt(blocks);
  const critical = studentQuantile(attained(alpha, blocks), df);
  let [sum, mass] = [0, 0];
  const reach = 8 / Math.sqrt(2 * df);
  const steps = 400;
  for (let step = 0; step < steps; step += 1) {
    const s = Math.max(0, 1 - reach) + ((step + 0.5) / steps) * (reach + Math.min(1, reach));
    const density = Math.exp((df - 1) * Math.log(s) - (df / 2) * (s * s - 1));
    mass += density;
    sum += density * (normalCdf(shift - critical * s) + normalCdf(-shift - critical * s));
  }
  return sum / mass;
}

/**
 * The smallest true difference that is found with a chance of `power`; infinite where no result of so few blocks could be
 * significant.
 *
 * @param options.power  In (0, 1); default 0.8.
 * @throws {InvalidOptionError}
 */
export function minimumDetectableEffect({
  power = 0.8,
  ...options
}: PowerOptions & { readonly power?: number | undefined }): number {
  const { standardDeviation, blocks, alpha } = checked(options);
  if (!(power > alpha && power < 1)) throw new InvalidOptionError('power', power, 'above alpha and below 1');
  if (!canReject(blocks, alpha)) return Number.POSITIVE_INFINITY;
  if (standardDeviation === 0) return 0;
  let [low, high] = [0, standardDeviation];
  while (plannedPower(high, options) < power) high *= 2;
  for (let step = 0; step < 40; step += 1) {
    const middle = (low + high) / 2;
    if (plannedPower(middle, options) < power) low = middle;
    else high = middle;
  }
  return high;
}

/** The p-values of the two-sided test are multiples of 2 / 2^blocks: the largest of them up to `alpha`. */
const attained = (alpha: number, blocks: number) => Math.floor((alpha * 2 ** blocks) / 2 + 1e-9) / 2 ** (blocks - 1);

const canReject = (blocks: number, alpha: number) => attained(alpha, blocks) > 0;

function checked(options: PowerOptions) {
  checkNames('options', options, POWER_OPTIONS);
  const { standardDeviation, blocks, alpha = 0.05 } = options;
  if (!(standardDeviation >= 0)) throw new InvalidOptionError('standardDeviation', standardDeviation, '0 or more');
  if (!(Number.isInteger(blocks) && blocks > 0)) throw new InvalidOptionError('blocks', blocks, '1 or more');
  if (!(alpha > 0 && alpha < 1)) throw new InvalidOptionError('alpha', alpha, 'between 0 and 1');
  return { standardDeviation, blocks, alpha };
}

/** P(Z ≤ z); M. Abramowitz and I. Stegun, Handbook of Mathematical Functions, 26.2.17, error below 7.5e-8. */
function normalCdf(z: number): number {
  const t = 1 / (1 + 0.231_641_9 * Math.abs(z));
  const series =
    t * (0.319_381_53 + t * (-0.356_563_782 + t * (1.781_477_937 + t * (-1.821_255_978 + t * 1.330_274_429))));
  const tail = (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * series;
  return z > 0 ? 1 - tail : tail;
}
