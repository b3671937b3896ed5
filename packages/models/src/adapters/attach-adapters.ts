/**
 * Low-rank adapters next to the matrices of a model, attached by published name.
 *
 * Their factors are named as in peft, without its `base_model.model.` prefix: `….q_proj.lora_A.weight`.
 */
import { GymError } from '@vlgym/core';
import { type Module, noGrad, tidy } from '@vlgym/gpu';
import type { ModelInit } from '../language-model.js';
import { Projection } from '../layers/projection.js';
import { LoraAdapter, type LoraOptions } from './lora.js';
import { type PublishedWeight, projectionWeights } from './published-weights.js';

/** A low-rank adapter and the published matrix it changes. */
export interface AdaptedWeight {
  readonly weight: PublishedWeight;
  readonly adapter: LoraAdapter;
  readonly projection: Projection;
}

/** No matrix of the model has a name that the pattern matches. */
export class NoAdapterTargetError extends GymError {
  constructor(pattern: RegExp, names: readonly string[]) {
    super(`No matrix of the model matches ${String(pattern)}.`, {
      code: 'NO_ADAPTER_TARGET',
      value: String(pattern),
      expected: `names such as ${names.slice(0, 3).join(', ')}`,
      hint: 'leave `targets` out to adapt the matrices that the model family chooses',
    });
  }
}

/**
 * Attaches a fresh adapter to every matrix whose published name, without `.weight`, matches `targets`.
 *
 * @throws {NoAdapterTargetError}  None does.
 */
export function attachAdapters(model: Module, lora: LoraOptions, targets: RegExp, init: ModelInit): AdaptedWeight[] {
  const names: string[] = [];
  const adapted: AdaptedWeight[] = [];
  for (const [path, projection] of [...model.namedModules()]) {
    if (!(projection instanceof Projection)) continue;
    const weights = projectionWeights(path, projection).filter(({ name }) => name.endsWith('.weight'));
    const adapters = weights.map((weight) => {
      const name = weight.name.slice(0, -'.weight'.length);
      names.push(name);
      if (!targets.test(name)) return null;
      const adapter = new LoraAdapter(projection.inFeatures, weight.rows, lora, init, name);
      adapted.push({ weight, adapter, projection });
      return adapter;
    });
    if (adapters.some(Boolean)) projection.adapters.push(...adapters);
  }
  if (adapted.length === 0) throw new NoAdapterTargetError(targets, names);
  return adapted;
}

/** The factors of an adapter under their published names, and names for those that it started with. */
export function adapterNames({ weight }: AdaptedWeight): Readonly<Record<'a' | 'b' | 'startA' | 'startB', string>> {
  const name = weight.name.slice(0, -'.weight'.length);
  return {
    a: `${name}.lora_A.weight`,
    b: `${name}.lora_B.weight`,
    startA: `${name}.start_A.weight`,
    startB: `${name}.start_B.weight`,
  };
}

/** Adds every adapter to its weight and leaves it out of the computation; in the dtype of the weight. */
export function mergeAdapters(adapted: Iterable<AdaptedWeight>): void {
  fold(adapted, 1);
}

/** Takes the adapters out of the weights again; exact up to rounding in the dtype of the weights. */
export function unmergeAdapters(adapted: Iterable<AdaptedWeight>): void {
  fold(adapted, -1);
}

function fold(adapted: Iterable<AdaptedWeight>, sign: 1 | -1): void {
  noGrad(() => {
    for (const { weight, adapter, projection } of adapted) {
      tidy(() => weight.in(weight.parameter).add_(adapter.lora_B.matmul(adapter.lora_A), sign * adapter.scaling));
      projection.adapted = sign < 0 ? 'all' : 'none';
    }
  });
}
