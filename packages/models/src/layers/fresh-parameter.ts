/** A weight before training: drawn at random, or memory that a file is about to fill. */
import { empty, nn, Parameter, tidy } from '@vlgym/gpu';
import type { ModelInit } from '../language-model.js';

export interface WeightInit extends ModelInit {
  /** Standard deviation of weights; biases are initialized to zero. */
  readonly std: number;
}

export function freshParameter(
  shape: readonly number[],
  { std, generator, dtype, device, weights }: WeightInit,
): Parameter {
  return tidy(() => {
    const memory = empty(shape, { dtype, device });
    // drawing billions of numbers that a file replaces takes minutes
    return new Parameter(weights === 'loaded' ? memory : nn.init.normal_(memory, 0, std, { generator }));
  });
}
