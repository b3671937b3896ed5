/**
 * Weights of a folder into a model: each tensor is read into its place and freed, so that no second copy of the model
 * is ever in memory. Names and shapes are compared before the first is read.
 */
import { noGrad, safetensors, tidy } from '@vlgym/gpu';
import { type PublishedWeight, publishedWeights } from '../adapters/published-weights.js';
import type { LanguageModel } from '../language-model.js';
import { ModelWeightsError } from './errors.js';
import { OUTPUT_LAYER } from './output-layer.js';
import { type StoredTensor, storedDtype } from './shards.js';

/** Tables that early versions of transformers saved although they follow from the configuration. */
const DERIVED = /\.inv_freq$/;

interface Placed {
  readonly stored: StoredTensor;
  readonly weight: PublishedWeight;
}

/**
 * @param internalName  The name here of a tensor in the files.
 * @throws {ModelWeightsError} A tensor is missing, unknown, of the wrong shape or kind of numbers, or not finite.
 */
export function loadWeights(
  folder: string,
  model: LanguageModel,
  stored: readonly StoredTensor[],
  internalName: (name: string) => string,
): void {
  const placed = place(folder, model, stored, internalName);
  for (const path of new Set(placed.map(({ stored }) => stored.path))) {
    using file = new safetensors.SafetensorsFile(path);
    for (const { stored, weight } of placed) {
      if (stored.path !== path) continue;
      const { name } = stored;
      tidy(() =>
        noGrad(() => {
          const target = weight.in(weight.parameter);
          target.copy_(file.get(name));
          // sums of finite numbers are finite, unless they overflow: then the slow way decides
          if (!Number.isFinite(target.sum(null).to('float64').item()) && Number(target.isfinite().all().item()) === 0) {
            throw new ModelWeightsError(folder, [`${name} holds NaN or infinity`]);
          }
        }),
      );
    }
  }
}

/** Which tensor goes where. */
function place(
  folder: string,
  model: LanguageModel,
  stored: readonly StoredTensor[],
  internalName: (name: string) => string,
): Placed[] {
  const wanted = new Map(publishedWeights(model).map((weight) => [weight.name, weight]));
  const problems: string[] = [];
  const placed: Placed[] = [];
  for (const tensor of stored) {
    const name = internalName(tensor.name);
    const weight = wanted.get(name);
    if (!weight) {
      // a model whose output layer is its embedding table may have been saved with both
      if (name !== OUTPUT_LAYER && !DERIVED.test(name)) problems.push(`unknown ${tensor.name}`);
      continue;
    }
    wanted.delete(name);
    if (weight.shape.join() !== tensor.shape.join()) {
      problems.push(`${tensor.name} is [${tensor.shape}], not [${weight.shape}]`);
    }
    // the same bytes are other numbers
    if (!storedDtype(tensor.dtype)) problems.push(`${tensor.name} is of dtype ${tensor.dtype}, not of a float`);
    placed.push({ stored: tensor, weight });
  }
  for (const name of wanted.keys()) problems.push(`missing ${name}`);
  if (problems.length > 0) throw new ModelWeightsError(folder, problems);
  return placed;
}
