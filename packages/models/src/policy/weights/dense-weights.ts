/** Whole matrices out of factors and copies, in float32: what merging and publishing compute with. */
import { noGrad, type Tensor, tidy } from '@vlgym/gpu';
import { adapterNames } from '../../adapters/attach-adapters.js';
import { productOf } from '../../adapters/lora.js';
import { type PublishedWeight, publishedWeights } from '../../adapters/published-weights.js';
import type { LanguageModel } from '../../language-model.js';
import { type ChangingWeights, UnknownWeightError } from './changing-weights.js';

/** Task vector of one matrix in a state: (alpha / r) B A, or θ − θ_0. @throws {UnknownWeightError} */
export function deltaOf(changing: ChangingWeights, state: ReadonlyMap<string, Tensor>, name: string): Tensor {
  const weight = changing.get(name);
  const find = (key: string): Tensor => {
    const found = state.get(key);
    if (!found) throw new UnknownWeightError(key, state.keys());
    return found;
  };
  const adapted = changing.adapted?.get(name);
  return noGrad(() =>
    tidy(() => {
      if (!adapted) {
        return find(name)
          .to('float32')
          .sub(weight.in(changing.base(weight.parameter)).to('float32'));
      }
      const { a, b } = adapterNames(adapted);
      return productOf({ a: find(a), b: find(b) }).mul(adapted.adapter.scaling);
    }),
  );
}

interface StoredWeight {
  /** Published name. */
  readonly name: string;
  /** As the folder of the base holds it, in its own dtype. */
  readonly stored: Tensor;
  /** The base of the model is what the folder holds. */
  readonly isStored: boolean;
}

/** A published weight with its adapter; null if it is the stored tensor. */
export function mergedOf(
  changing: ChangingWeights,
  language: LanguageModel,
  { name, stored, isStored }: StoredWeight,
): Tensor | null {
  const adapted = changing.adapted?.get(name);
  if (isStored && !adapted) return null;
  const weight = publishedWeight(language, name);
  if (!weight) return null;
  return noGrad(() =>
    tidy(() => {
      const base = isStored ? stored.to(language.device) : weight.in(weight.parameter).detach();
      const whole = base.to('float32');
      return adapted ? whole.add(productOf(adapted.adapter.joined()), adapted.adapter.scaling) : whole;
    }),
  );
}

/** A table that is the output layer too may be in a folder under both names. */
function publishedWeight(language: LanguageModel, name: string): PublishedWeight | undefined {
  const all = publishedWeights(language);
  const isTable = (weight: PublishedWeight) => weight.name.endsWith('.embed_tokens.weight');
  return all.find((weight) => weight.name === name) ?? (name === 'lm_head.weight' ? all.find(isTable) : undefined);
}
