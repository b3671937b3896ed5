/**
 * Mean and variance of a stream, per element, as Gymnasium's `RunningMeanStd` (`gymnasium/wrappers/utils.py`): Chan's
 * parallel formula for samples of one, starting at mean 0 and variance 1 with a weight of 1e-4.
 */
import { z } from 'zod';

export interface Moments {
  readonly mean: readonly number[];
  readonly variance: readonly number[];
  readonly count: number;
}

/** A schema of saved moments of this size. */
export const savedMoments = (size: number) =>
  z.strictObject({
    mean: z.array(z.number()).length(size),
    variance: z.array(z.number().min(0)).length(size),
    count: z.number().positive(),
  });

export class RunningMoments {
  mean: number[];
  variance: number[];
  count = 1e-4;

  constructor(size: number) {
    this.mean = new Array<number>(size).fill(0);
    this.variance = new Array<number>(size).fill(1);
  }

  update(sample: ArrayLike<number>): void {
    const { count } = this;
    const total = count + 1;
    for (let index = 0; index < this.mean.length; index += 1) {
      const delta = sample[index]! - this.mean[index]!;
      this.mean[index]! += delta / total;
      // the variance of a single sample is 0
      this.variance[index] = (this.variance[index]! * count + (delta * delta * count) / total) / total;
    }
    this.count = total;
  }

  save(): Moments {
    return { mean: [...this.mean], variance: [...this.variance], count: this.count };
  }

  load({ mean, variance, count }: Moments): void {
    this.mean = [...mean];
    this.variance = [...variance];
    this.count = count;
  }
}
