/** The option `samplerDtype`: weights of sampling in fewer bytes than those that are trained. */
import { InvalidOptionError } from '@vlgym/core';
import type { nn } from '@vlgym/gpu';
import type { LanguageModel } from '../../language-model.js';
import { LowPrecisionWeights } from '../../layers/low-precision-weights.js';

/** `same`: the weights that are trained. */
export type SamplerDType = 'same' | nn.NarrowDType;

const SAMPLER_DTYPES: readonly SamplerDType[] = ['same', 'bfloat16', 'int8'];

const HINT = "leave it out, or give 'same', to sample with the weights that are trained";

/** @throws {InvalidOptionError} Not one of the values. */
export function checkSamplerDtype(value: unknown): void {
  if (value === undefined || SAMPLER_DTYPES.includes(value as SamplerDType)) return;
  throw new InvalidOptionError('samplerDtype', value, SAMPLER_DTYPES.join(', '), HINT);
}

/** @throws {InvalidOptionError} The model cannot sample with such weights, or they would not be fewer bytes. */
export function samplerWeights(model: LanguageModel, dtype: SamplerDType = 'same'): LowPrecisionWeights | null {
  checkSamplerDtype(dtype);
  if (dtype === 'same') return null;
  const refuse = (expected: string) => new InvalidOptionError('samplerDtype', dtype, expected, HINT);
  if (model.device !== 'cpu') throw refuse(`'same' on ${model.device}: weights in fewer bytes are for a CPU`);
  if (!('lowPrecision' in model)) throw refuse("'same' for this family, whose model has no `lowPrecision`");
  if (dtype === 'bfloat16' && model.dtype !== 'float32') {
    throw refuse(`'same' or 'int8' with weights in ${model.dtype}`);
  }
  return new LowPrecisionWeights(dtype);
}
