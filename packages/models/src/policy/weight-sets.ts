/**
 * Sets of weights behind one model: current (trained), reference (θ_0), teacher (θ_0 plus task vectors), and old (a copy
 * that lasts for one update).
 *
 * A set is the tensors that differ from the model's own parameters. To compute with it, handles are exchanged for the
 * time of one synchronous call; no second module tree exists. Training with adapters keeps the base as it is, so that
 * the reference costs nothing; training all weights keeps a copy.
 */
import { GymError } from '@vlgym/core';
import type { WeightSet } from '@vlgym/rl';
import { noGrad } from '../autograd/grad-mode.js';
import type { LoraOptions } from '../models/projection.js';
import type { VisionLanguageModel } from '../models/vision-language-model.js';
import {
  type AdaptedWeight,
  adapterNames,
  attachAdapters,
  DECODER_LINEARS,
  type PublishedWeight,
  publishedWeights,
} from '../models/weights.js';
import type { Parameter } from '../nn/index.js';
import type { Generator } from '../tensor/generator.js';
import { keep, tidy } from '../tensor/scope.js';
import type { Tensor } from '../tensor/tensor.js';

/** What is trained: every weight, or low-rank adapters beside frozen ones. */
export type Training = 'full' | { readonly lora: LoraOptions & { readonly targets?: RegExp | undefined } };

/** The same as plain data with defaults filled in, for checkpoints. */
export function asData(training: Training) {
  if (training === 'full') return training;
  const { r, alpha, dropout = 0, targets = DECODER_LINEARS } = training.lora;
  return { lora: { r, alpha, dropout, targets: targets.source } };
}

type Overrides = Map<Parameter, Tensor>;

/** Checkpoints are written between updates, where no old weights are needed. */
type SavedSet = Exclude<WeightSet, 'old'>;

/** A weight that the adapter does not change, or a state without it. */
export class UnknownWeightError extends GymError {
  constructor(name: string, known: Iterable<string>) {
    super(`There is no trained matrix "${name}".`, {
      code: 'UNKNOWN_WEIGHT',
      value: name,
      expected: `one of \`adaptedNames\`: ${[...known].slice(0, 3).join(', ')}, …`,
      hint: 'use names and states of this policy',
    });
  }
}

export class WeightSets {
  /** What moves: factors of adapters, or all parameters but the value head. */
  readonly trained: readonly Parameter[];
  /** Published weights that differ between the sets, by name. */
  readonly #changing: ReadonlyMap<string, PublishedWeight>;
  readonly #adapted: ReadonlyMap<string, AdaptedWeight> | null;
  /** θ_0 where the model itself does not hold it: when all weights are trained. */
  #reference: Overrides | null = null;
  #teacher: Overrides | null = null;
  /** The weights at the last `keepOld`. */
  #old: Overrides | null = null;
  /** Base plus adapters, for everything without gradients; null while out of date. */
  #merged: Overrides | null = null;
  #inPlace: Overrides | null = null;
  #adaptersActive = false;

  constructor(
    readonly model: VisionLanguageModel,
    training: Training,
    generator: Generator,
  ) {
    if (training === 'full') {
      const weights = publishedWeights(model).filter(({ name }) => !name.startsWith('value_head.'));
      this.#adapted = null;
      this.#changing = new Map(weights.map((weight) => [weight.name, weight]));
      this.trained = [...new Set(weights.map(({ parameter }) => parameter))];
      this.#reference = copies(this.trained, (parameter) => parameter);
      return;
    }
    model.requiresGrad_(false);
    model.value_head.requiresGrad_(true);
    const { dtype, device } = model.model.norm.weight;
    const adapted = attachAdapters(model, training.lora, { std: 0, generator, dtype, device });
    this.#adapted = new Map(adapted.map((each) => [each.weight.name, each]));
    this.#changing = new Map(adapted.map(({ weight }) => [weight.name, weight]));
    this.trained = adapted.flatMap(({ adapter }) => [adapter.lora_A, adapter.lora_B]);
  }

  get names(): string[] {
    return [...this.#changing.keys()];
  }

  /** Runs `compute` with the weights of `set`, without gradients. Synchronous: nothing else may run meanwhile. */
  use<T>(set: WeightSet, compute: () => T): T {
    return this.#adapting(false, () => noGrad(() => this.#exchanging(set, compute)));
  }

  /** Runs `compute` with the current weights, recording gradients. */
  train<T>(compute: () => T): T {
    return this.#adapting(true, compute);
  }

  /** To be called when the trained parameters have changed. */
  changed(): void {
    disposeAll(this.#merged);
    this.#merged = null;
  }

  /** Copies of what is trained, by published name. */
  state(): Map<string, Tensor> {
    return tidy(() => {
      const trained = this.tensors('current')!;
      const names = this.#adapted
        ? [...this.#adapted.values()].map(adapterNames).flatMap(({ a, b }) => [a, b])
        : this.names;
      return new Map(names.map((name) => [name, copy(trained.get(name)!)]));
    });
  }

  /** Float32 task vector of one matrix in a state: (alpha / r) B A, or θ − θ_0. */
  delta(state: ReadonlyMap<string, Tensor>, name: string): Tensor {
    const weight = this.#weight(name);
    const find = (key: string): Tensor => {
      const found = state.get(key);
      if (!found) throw new UnknownWeightError(key, state.keys());
      return found;
    };
    const adapted = this.#adapted?.get(name);
    return noGrad(() =>
      tidy(() => {
        if (!adapted)
          return find(name)
            .to('float32')
            .sub(weight.in(this.#base(weight.parameter)).to('float32'));
        const { a, b } = adapterNames(adapted);
        return find(b).to('float32').matmul(find(a).to('float32')).mul(adapted.adapter.scaling);
      }),
    );
  }

  /** Teacher := θ_0 + deltas; matrices without a delta equal θ_0. Disposes the deltas. */
  setTeacher(deltas: Iterable<readonly [string, Tensor]>): void {
    this.resetTeacher();
    const teacher = copies(this.#parameters(), (parameter) => this.#base(parameter));
    try {
      for (const [name, delta] of deltas) {
        const weight = this.#weight(name);
        noGrad(() =>
          tidy(() => {
            const target = weight.in(teacher.get(weight.parameter)!);
            // rounded once, from float32
            target.copy_(weight.in(this.#base(weight.parameter)).to('float32').add(delta));
          }),
        );
        delta.dispose();
      }
    } catch (error) {
      disposeAll(teacher);
      throw error;
    }
    this.#teacher = teacher;
  }

  /** Old := a copy of the current weights. */
  keepOld(): void {
    disposeAll(this.#old);
    const current = this.#adapted ? this.#merge(this.#adapted.values()) : null;
    this.#old = copies(this.#parameters(), (parameter) => current?.get(parameter) ?? parameter);
  }

  /** Teacher := θ_0. */
  resetTeacher(): void {
    disposeAll(this.#teacher);
    this.#teacher = null;
  }

  /** θ_0 := current; adapters are folded in and start again at zero. The teacher becomes the new θ_0. */
  fold(): void {
    this.resetTeacher();
    noGrad(() =>
      tidy(() => {
        for (const [parameter, copy] of this.#reference ?? []) copy.copy_(parameter);
        for (const { weight, adapter } of this.#adapted?.values() ?? []) {
          weight.in(weight.parameter).add_(adapter.lora_B.matmul(adapter.lora_A), adapter.scaling);
          adapter.lora_B.zero_();
        }
      }),
    );
    this.changed();
  }

  /**
   * Live tensors of one set under their published names, for checkpoints: views, to be used inside a `tidy`. `current`
   * holds every parameter of the model and how its value head standardizes, the others what differs. Null where the set needs no file.
   */
  tensors(set: SavedSet): Map<string, Tensor> | null {
    if (set !== 'current') {
      const overrides = set === 'reference' ? this.#reference : this.#teacher;
      return overrides && this.#views(this.#changing.values(), (parameter) => overrides.get(parameter)!);
    }
    const all = this.#views(publishedWeights(this.model), (parameter) => parameter);
    for (const [name, buffer] of this.model.value_head.namedBuffers()) all.set(`value_head.${name}`, buffer);
    for (const each of this.#adapted?.values() ?? []) {
      const { a, b } = adapterNames(each);
      all.set(a, each.adapter.lora_A).set(b, each.adapter.lora_B);
    }
    return all;
  }

  /** Names and shapes that the sets of a checkpoint must have: views, to be used inside a `tidy`. */
  layout(): Record<SavedSet, Map<string, Tensor>> {
    const reference = this.tensors('reference') ?? new Map<string, Tensor>();
    return { current: this.tensors('current')!, reference, teacher: this.#views(this.#changing.values(), (p) => p) };
  }

  /** Copies sets of this layout into place; without a teacher, the teacher is θ_0. */
  restore({ teacher, ...states }: { readonly [Set in SavedSet]?: ReadonlyMap<string, Tensor> | undefined }): void {
    this.resetTeacher();
    this.changed();
    if (teacher) this.#teacher = copies(this.#parameters(), (parameter) => this.#base(parameter));
    tidy(() =>
      noGrad(() => {
        for (const [set, state] of Object.entries({ ...states, teacher }) as [SavedSet, typeof teacher][]) {
          const mine = this.tensors(set);
          for (const [name, tensor] of state ?? []) mine!.get(name)!.copy_(tensor);
        }
      }),
    );
  }

  dispose(): void {
    for (const overrides of [this.#reference, this.#teacher, this.#old, this.#merged]) disposeAll(overrides);
  }

  #views(weights: Iterable<PublishedWeight>, of: (parameter: Parameter) => Tensor): Map<string, Tensor> {
    return new Map(Array.from(weights, (weight) => [weight.name, weight.in(of(weight.parameter).detach())]));
  }

  #weight(name: string): PublishedWeight {
    const found = this.#changing.get(name);
    if (!found) throw new UnknownWeightError(name, this.#changing.keys());
    return found;
  }

  #parameters(): Set<Parameter> {
    return new Set(Array.from(this.#changing.values(), ({ parameter }) => parameter));
  }

  /** θ_0 of a parameter. */
  #base(parameter: Parameter): Tensor {
    return this.#reference?.get(parameter) ?? parameter;
  }

  #overrides(set: WeightSet): Overrides | null {
    if (set === 'old' && this.#old) return this.#old;
    if (set === 'current' || set === 'old') return this.#adapted ? this.#merge(this.#adapted.values()) : null;
    return set === 'teacher' ? (this.#teacher ?? this.#reference) : this.#reference;
  }

  #merge(adapted: Iterable<AdaptedWeight>): Overrides {
    if (this.#merged) return this.#merged;
    const merged: Overrides = new Map();
    tidy(() => {
      for (const { weight, adapter } of adapted) {
        const sum = merged.get(weight.parameter) ?? copy(weight.parameter);
        merged.set(weight.parameter, sum);
        weight.in(sum).add_(adapter.lora_B.matmul(adapter.lora_A), adapter.scaling);
      }
    });
    this.#merged = merged;
    return merged;
  }

  /** With the tensors of `set` in place of the model's own, and of any that are in place already. */
  #exchanging<T>(set: WeightSet, compute: () => T): T {
    const before = this.#inPlace;
    this.#put(null);
    try {
      // only now, with the model's own tensors in place: a set may be made from them
      this.#put(this.#overrides(set));
      return compute();
    } finally {
      this.#put(before);
    }
  }

  #put(next: Overrides | null): void {
    exchange(this.#inPlace);
    exchange(next);
    this.#inPlace = next;
  }

  /** With adapters beside the weights, or without: dense sets contain theirs. */
  #adapting<T>(active: boolean, compute: () => T): T {
    const before = this.#adaptersActive;
    const set = (adapted: boolean) => {
      this.#adaptersActive = adapted;
      for (const { projection } of this.#adapted?.values() ?? []) projection.adapted = adapted;
    };
    set(active);
    try {
      return compute();
    } finally {
      set(before);
    }
  }
}

/** A detached copy that outlives every `tidy`. */
function copy(tensor: Tensor): Tensor {
  return tidy(() => keep(tensor.detach().clone()));
}

function copies(parameters: Iterable<Parameter>, of: (parameter: Parameter) => Tensor): Overrides {
  return new Map(Array.from(parameters, (parameter) => [parameter, copy(of(parameter))]));
}

function exchange(overrides: Overrides | null): void {
  for (const [parameter, tensor] of overrides ?? []) {
    const own = parameter.handle;
    parameter.handle = tensor.handle;
    tensor.handle = own;
  }
}

function disposeAll(overrides: Overrides | null): void {
  for (const tensor of overrides?.values() ?? []) tensor.dispose();
}
