/**
 * The base of all optimizers: parameter groups, a settable learning rate, state that survives a restart exactly.
 *
 * One native call per group does the arithmetic of a step for all its parameters, in libtorch's fused kernels.
 */
import { GymError, InvalidOptionError } from '@vlgym/core';
import { type Given, withDefaults } from '@vlgym/core/internal';
import { native } from '../native/load.js';
import type { Parameter } from '../nn/parameter.js';
import { zerosLike } from '../tensor/creation.js';
import { keep } from '../tensor/scope.js';
import type { Tensor } from '../tensor/tensor.js';

/** Options that a group can override; the others are the optimizer's. */
export interface ParameterGroup<O> {
  readonly params: readonly Parameter[];
  options: O;
}

/** Numbers as JSON, tensors by name: together they continue a run exactly. */
export interface OptimizerState {
  readonly kind: string;
  readonly groups: readonly Record<string, unknown>[];
  /** Updates that each parameter has had, in order. */
  readonly steps: readonly number[];
  /** `<position of the parameter>.<name>`; the live tensors, not copies. */
  readonly tensors: ReadonlyMap<string, Tensor>;
}

/** A saved state belongs to another optimizer or to other parameters; nothing was loaded. */
export class OptimizerStateError extends GymError {
  constructor(reason: string) {
    super(`The optimizer state does not fit: ${reason}.`, {
      code: 'OPTIMIZER_STATE_MISMATCH',
      hint: 'make the optimizer with the same parameters in the same order, then load',
    });
  }
}

interface ParameterState {
  step: number;
  readonly tensors: Map<string, Tensor>;
}

export type ParametersOrGroups<O> =
  | Iterable<Parameter>
  | readonly ({ readonly params: Iterable<Parameter> } & Given<O>)[];

export abstract class Optimizer<O extends { lr: number }> {
  readonly groups: readonly ParameterGroup<O>[];
  readonly #state = new Map<Parameter, ParameterState>();

  protected constructor(parameters: ParametersOrGroups<O>, defaults: O) {
    const list = [...(parameters as Iterable<Parameter | ({ params: Iterable<Parameter> } & Given<O>)>)];
    const bare = list.filter((item): item is Parameter => 'handle' in item);
    this.groups =
      bare.length > 0
        ? [{ params: bare, options: defaults }]
        : list.map((group) => {
            const { params, ...options } = group as { params: Iterable<Parameter> };
            return { params: [...params], options: withDefaults(defaults, options as Given<O>) };
          });
    const all = this.#all();
    if (all.length === 0) throw new InvalidOptionError('parameters', parameters, 'at least one parameter');
    if (new Set(all).size !== all.length)
      throw new InvalidOptionError('parameters', parameters, 'every parameter once');
  }

  /** Written into saved states, so that one optimizer does not take another's. */
  abstract readonly kind: string;

  /** Names of the tensors kept per parameter. */
  protected abstract readonly slots: readonly string[];

  /** Updates `params`, which all have a gradient. `state` of the i-th parameter is at position i. */
  protected abstract update(params: readonly Parameter[], options: O, state: readonly ParameterState[]): void;

  /** Learning rate of the first group; setting it sets that of all groups. */
  get lr(): number {
    return this.groups[0]!.options.lr;
  }

  set lr(rate: number) {
    for (const group of this.groups) group.options.lr = rate;
  }

  /** One update of every parameter that has a gradient. */
  step(): void {
    for (const { params, options } of this.groups) {
      const flags = native().hasGrad(params.map(({ handle }) => handle));
      const ready = params.filter((_, index) => flags[index] === 1);
      if (ready.length === 0) continue;
      const state = ready.map((parameter) => this.#stateOf(parameter));
      for (const parameterState of state) parameterState.step += 1;
      this.update(ready, options, state);
    }
  }

  /** Drops the gradients, or fills them with 0. */
  zeroGrad({ setToNone = true } = {}): void {
    native().zeroGrads(
      this.#all().map(({ handle }) => handle),
      setToNone,
    );
  }

  stateDict(): OptimizerState {
    const all = this.#all();
    const tensors = all.flatMap((parameter, index) =>
      Array.from(this.#state.get(parameter)?.tensors ?? [], ([name, tensor]): [string, Tensor] => [
        `${index}.${name}`,
        tensor,
      ]),
    );
    return {
      kind: this.kind,
      groups: this.groups.map(({ options }) => ({ ...options })),
      steps: all.map((parameter) => this.#state.get(parameter)?.step ?? 0),
      tensors: new Map(tensors),
    };
  }

  /** Copies a saved state. @throws {OptimizerStateError} It belongs to another optimizer or to other parameters. */
  loadStateDict(state: OptimizerState): void {
    const all = this.#all();
    if (state.kind !== this.kind) throw new OptimizerStateError(`it was saved by ${state.kind}`);
    if (state.steps.length !== all.length || state.groups.length !== this.groups.length) {
      throw new OptimizerStateError(`it has ${state.steps.length} parameters in ${state.groups.length} groups`);
    }
    for (const [index, parameter] of all.entries()) {
      if (!state.steps[index]) continue;
      for (const slot of this.slots) {
        const found = state.tensors.get(`${index}.${slot}`);
        if (found?.shape.join() !== parameter.shape.join()) {
          throw new OptimizerStateError(`${index}.${slot} is missing or has the wrong shape`);
        }
      }
    }
    for (const [index, group] of this.groups.entries()) Object.assign(group.options, state.groups[index]);
    for (const [index, parameter] of all.entries()) {
      const step = state.steps[index] ?? 0;
      if (step === 0) {
        this.#forget(parameter);
        continue;
      }
      const target = this.#stateOf(parameter);
      target.step = step;
      for (const slot of this.slots) target.tensors.get(slot)!.copy_(state.tensors.get(`${index}.${slot}`)!);
    }
  }

  /** Frees the state; the parameters are the module's. */
  dispose(): void {
    for (const parameter of this.#all()) this.#forget(parameter);
  }

  #all(): Parameter[] {
    return this.groups.flatMap(({ params }) => params);
  }

  #stateOf(parameter: Parameter): ParameterState {
    let state = this.#state.get(parameter);
    if (!state) {
      const tensors = new Map(this.slots.map((slot) => [slot, keep(zerosLike(parameter))]));
      state = { step: 0, tensors };
      this.#state.set(parameter, state);
    }
    return state;
  }

  #forget(parameter: Parameter): void {
    for (const tensor of this.#state.get(parameter)?.tensors.values() ?? []) tensor.dispose();
    this.#state.delete(parameter);
  }
}

export type { ParameterState };

/** The handles of one slot over all parameters. */
export function slot(state: readonly ParameterState[], name: string): number[] {
  return state.map(({ tensors }) => tensors.get(name)!.handle);
}
