/**
 * How far numbers may be from those of transformers, by dtype and device.
 *
 * | dtype | device | what is compared | bound |
 * |---|---|---|---|
 * | float32, float64 | CPU | every number | the tolerances of the golden data |
 * | float32, float64 | another | every number | twice those: sums run in another order. Without TF32, which has 10 bits |
 * | bfloat16 | any | the length of the difference, relative to the array | `HALF` |
 *
 * bfloat16 has 8 bits. Weights and every activation are rounded by up to 2^-9, and the layers of these models make 2 to 6
 * percent of that; transformers in bfloat16 is as far from its own float32 run (scores of the prompt `none` of Qwen2-VL,
 * Qwen2.5-VL and Qwen3-VL: 2.2, 3.0 and 3.3 percent there, 2.1, 2.9 and 3.5 here). What is wrong in an implementation (a
 * missing bias, angles or masks off by one place, two heads exchanged) moves an array by far more.
 */
import type { Report } from './report.js';

export const GOLDEN_DTYPES = ['float32', 'float64', 'bfloat16'] as const;
export type GoldenDType = (typeof GOLDEN_DTYPES)[number];

/** Bounds of bfloat16 against a float32 reference. */
export const HALF = {
  /** Hidden states, features of pictures, scores. */
  states: 0.08,
  /** Merged weights: two roundings. */
  weights: 2 ** -7,
  /** The gradient of all adapters together; that of transformers and peft is off by 8 to 31 percent. */
  gradient: 0.5,
  /** That of one matrix: it points the right way. Small ones, far from the loss, have large errors. */
  gradients: 0.9,
  /** One token, and entropies too: scores of up to 20 are off by up to 0.5. */
  logProbs: 0.5,
  losses: 0.1,
  /** A token may take the place of the likeliest one where the reference gives it at least exp(-0.5) of its probability, */
  gap: 0.5,
  /** and this share of all steps given the tokens of the reference takes the same. */
  equal: 0.8,
  /** The share that AdamW moves the same way, among entries whose first gradient is determined in float32. */
  moved: 0.8,
} as const;

export class Precision {
  constructor(
    readonly dtype: GoldenDType,
    readonly device: string,
  ) {}

  get isHalf(): boolean {
    return this.dtype === 'bfloat16';
  }

  get isDouble(): boolean {
    return this.dtype === 'float64';
  }

  /** Compares numbers that have a separate tolerance in the wide dtypes. */
  compare(
    kind: 'states' | 'weights' | 'gradients',
    report: Report,
    name: string,
    found: ArrayLike<number>,
    wanted: ArrayLike<number>,
    tolerance: number,
  ): void {
    if (this.isHalf) report.near(name, found, wanted, HALF[kind]);
    else report.close(name, found, wanted, this.widened(tolerance));
  }

  /** Numbers that are compared one by one in every dtype. */
  bound(kind: 'logProbs' | 'losses', tolerance: number): number {
    return this.isHalf ? HALF[kind] : this.widened(tolerance);
  }

  widened(tolerance: number): number {
    return this.device === 'cpu' ? tolerance : 2 * tolerance;
  }

  /**
   * Tokens [rows * steps] of greedy decoding. In half precision a row may leave the reference where two tokens are almost
   * as likely; what follows there has another context and is not compared.
   *
   * @param logits  [rows, steps or more, vocabulary] of the reference
   * @param isFed   Every step was given the tokens of the reference: a row is compared to its end then.
   */
  compareTokens(
    report: Report,
    name: string,
    found: readonly number[],
    wanted: readonly number[],
    { logits, rows, vocabulary, isFed = false }: Greedy,
  ): void {
    if (!this.isHalf) {
      report.equal(name, found, wanted);
      return;
    }
    const steps = wanted.length / rows;
    const scoredSteps = logits.length / (rows * vocabulary);
    let [largest, compared, equal] = [0, 0, 0];
    for (let row = 0; row < rows; row += 1) {
      for (let at = row * steps; at < (row + 1) * steps; at += 1) {
        compared += 1;
        if (found[at] === wanted[at]) {
          equal += 1;
          continue;
        }
        const score = (token: number | undefined) =>
          logits[(row * scoredSteps + at - row * steps) * vocabulary + (token ?? -1)] ?? Number.NEGATIVE_INFINITY;
        largest = Math.max(largest, score(wanted[at]) - score(found[at]));
        if (!isFed) break;
      }
    }
    const isEqual = !isFed || equal >= HALF.equal * compared;
    const detail = `${equal} of ${compared} tokens equal, largest gap ${largest.toExponential(2)}, at most ${HALF.gap}`;
    report.check(name, found.length === wanted.length && largest <= HALF.gap && isEqual, detail);
  }
}

export interface Greedy {
  readonly logits: readonly number[];
  readonly rows: number;
  readonly vocabulary: number;
  readonly isFed?: boolean;
}
