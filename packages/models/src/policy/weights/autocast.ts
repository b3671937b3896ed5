/**
 * The option `autocast`: mixed precision as of `torch.autocast`, where the products of a decoder's layers are in bfloat16.
 * Weights, their gradients, norms, attention and the output layer stay in float32, and so does all of sampling: the kernels
 * that read one token at a time have no use for it.
 */
import { InvalidOptionError } from '@vlgym/core';
import type { LanguageModel } from '../../language-model.js';

export type Autocast = 'none' | 'bfloat16';

const AUTOCASTS: readonly Autocast[] = ['none', 'bfloat16'];

const HINT = "leave it out, or give 'none', to compute in the dtype of the weights";

/** @throws {InvalidOptionError} Not one of the values. */
export function checkAutocast(value: unknown): void {
  if (value === undefined || AUTOCASTS.includes(value as Autocast)) return;
  throw new InvalidOptionError('autocast', value, AUTOCASTS.join(', '), HINT);
}

/** @throws {InvalidOptionError} The model has no such products, or its weights are not in float32. */
export function setAutocast(model: LanguageModel, value: Autocast = 'none'): void {
  if (value === 'none') return;
  const refuse = (expected: string) => new InvalidOptionError('autocast', value, expected, HINT);
  if (!('autocast' in model)) throw refuse("'none' for this family, whose model has no `autocast`");
  if (model.dtype !== 'float32') throw refuse(`'none' with weights in ${model.dtype}`);
  model.autocast = true;
}

/** Computes without it. Synchronous, as all exchanges of weights are. */
export function withoutAutocast<T>(model: Pick<LanguageModel, 'autocast'>, compute: () => T): T {
  if (!model.autocast) return compute();
  model.autocast = false;
  try {
    return compute();
  } finally {
    model.autocast = true;
  }
}
