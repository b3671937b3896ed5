/** The published weights that differ between the sets, and θ_0. */
import { GymError } from '@vlgym/core';
import type { Parameter, Tensor } from '@vlgym/gpu';
import type { AdaptedWeight } from '../../adapters/attach-adapters.js';
import type { PublishedWeight } from '../../adapters/published-weights.js';
import { NoReferenceError } from '../errors.js';
import { disposeOverrides, type Overrides } from '../overrides.js';

/** The name of a weight that is not trained, or that a state lacks. */
export class UnknownWeightError extends GymError {
  constructor(name: string, known: Iterable<string>) {
    super(`Unknown trained matrix "${name}".`, {
      code: 'UNKNOWN_WEIGHT',
      value: name,
      expected: `one of \`adaptedNames\`: ${[...known].slice(0, 3).join(', ')}, …`,
      hint: 'use names and states of this policy',
    });
  }
}

export class ChangingWeights {
  /**
   * @param weights    By published name.
   * @param adapted    Those with adapters, by published name; null if all weights are trained.
   * @param reference  θ_0 where the model itself does not hold it: when all weights are trained. `missing`: nobody holds it.
   */
  constructor(
    readonly weights: ReadonlyMap<string, PublishedWeight>,
    readonly adapted: ReadonlyMap<string, AdaptedWeight> | null,
    readonly reference: Overrides | null | 'missing',
  ) {}

  get names(): string[] {
    return [...this.weights.keys()];
  }

  /** Nobody holds θ_0. */
  get lacksReference(): boolean {
    return this.reference === 'missing';
  }

  /** @throws {UnknownWeightError} */
  get(name: string): PublishedWeight {
    const found = this.weights.get(name);
    if (!found) throw new UnknownWeightError(name, this.weights.keys());
    return found;
  }

  parameters(): Set<Parameter> {
    return new Set(Array.from(this.weights.values(), ({ parameter }) => parameter));
  }

  /** Tensors that stand for θ_0; null if they are those of the model. @throws {NoReferenceError} */
  referenceOverrides(): Overrides | null {
    if (this.reference === 'missing') throw new NoReferenceError();
    return this.reference;
  }

  /** θ_0 of a parameter. @throws {NoReferenceError} */
  base(parameter: Parameter): Tensor {
    return this.referenceOverrides()?.get(parameter) ?? parameter;
  }

  /** Views under the published names, to be used inside a `tidy`. */
  views(source: (parameter: Parameter) => Tensor): Map<string, Tensor> {
    return viewsOf(this.weights.values(), source);
  }

  dispose(): void {
    if (this.reference !== 'missing') disposeOverrides(this.reference);
  }
}

/** Views of weights under their published names, to be used inside a `tidy`. */
export function viewsOf(
  weights: Iterable<PublishedWeight>,
  source: (parameter: Parameter) => Tensor,
): Map<string, Tensor> {
  return new Map(Array.from(weights, (weight) => [weight.name, weight.in(source(weight.parameter).detach())]));
}
