/**
 * `Module`: a piece of a model that owns parameters, buffers and other modules.
 *
 * Every public property of a module that is a `Parameter`, a `Module` or an array of modules belongs to it, under the
 * property's name: a PyTorch checkpoint loads without changes if its names are properties here.
 */

import { GymError, InvalidOptionError } from '@vlgym/core';
import { checkNames } from '@vlgym/core/internal';
import { noGrad } from '../autograd/grad-mode.js';
import type { DType } from '../tensor/dtype.js';
import { keep } from '../tensor/scope.js';
import type { Tensor } from '../tensor/tensor.js';
import { Parameter } from './parameter.js';

/** Tensors by name, as saved. */
export type StateDict = ReadonlyMap<string, Tensor>;

/** A state dict does not fit the module; nothing was loaded. */
export class StateDictError extends GymError {
  constructor(
    readonly missing: readonly string[],
    readonly unexpected: readonly string[],
    /** `name: [found shape] instead of [wanted shape]`. */
    readonly mismatched: readonly string[],
  ) {
    const parts = [
      list('missing', missing),
      list('unexpected', unexpected),
      list('with the wrong shape', mismatched),
    ].filter(Boolean);
    super(`The weights do not fit the module; ${parts.join('; ')}.`, {
      code: 'STATE_DICT_MISMATCH',
      hint: 'compare with `[...module.stateDict().keys()]`, or load with `{ strict: false }`',
    });
  }
}

function list(what: string, names: readonly string[]): string {
  if (names.length === 0) return '';
  const shown = names.slice(0, 5).join(', ');
  return `${what}: ${shown}${names.length > 5 ? ` and ${names.length - 5} more` : ''}`;
}

const MODULE_TO_OPTIONS = ['dtype', 'device'];

export abstract class Module {
  /** True while training; `Dropout` reads it. */
  training = true;

  readonly #buffers = new Map<string, Tensor>();

  /** The computation. Call it directly: `module.forward(x)`. */
  abstract forward(...inputs: never[]): unknown;

  /** A tensor that is saved with the module but not trained. It outlives every `tidy`. */
  registerBuffer(name: string, tensor: Tensor): Tensor {
    this.#buffers.set(name, keep(tensor));
    return tensor;
  }

  buffer(name: string): Tensor {
    const found = this.#buffers.get(name);
    if (!found)
      throw new InvalidOptionError(
        'name',
        name,
        `a registered buffer: ${[...this.#buffers.keys()].join(', ') || 'none'}`,
      );
    return found;
  }

  /** Direct children with the names they are saved under. */
  *namedChildren(): Generator<[string, Module]> {
    for (const [name, value] of Object.entries(this)) {
      if (value instanceof Module) yield [name, value];
      else if (Array.isArray(value)) {
        for (const [index, item] of value.entries()) if (item instanceof Module) yield [`${name}.${index}`, item];
      }
    }
  }

  /** This module and all below it. */
  *namedModules(prefix = ''): Generator<[string, Module]> {
    yield [prefix, this];
    for (const [name, child] of this.namedChildren()) yield* child.namedModules(join(prefix, name));
  }

  /** Parameters below this module, each once, in the order of their properties. */
  *namedParameters(): Generator<[string, Parameter]> {
    const seen = new Set<Parameter>();
    for (const [prefix, module] of this.namedModules()) {
      for (const [name, value] of Object.entries(module)) {
        if (!(value instanceof Parameter) || seen.has(value)) continue;
        seen.add(value);
        yield [join(prefix, name), value];
      }
    }
  }

  parameters(): Parameter[] {
    return Array.from(this.namedParameters(), ([, parameter]) => parameter);
  }

  *namedBuffers(): Generator<[string, Tensor]> {
    for (const [prefix, module] of this.namedModules()) {
      for (const [name, buffer] of module.#buffers) yield [join(prefix, name), buffer];
    }
  }

  /** Parameters and buffers by name: the live tensors, not copies. A shared parameter appears under its first name. */
  stateDict(): Map<string, Tensor> {
    return new Map<string, Tensor>([...this.namedParameters(), ...this.namedBuffers()]);
  }

  /**
   * Copies the numbers of `state` into this module, converting dtype and device.
   *
   * @throws {StateDictError} Names are missing or, if `strict`, unexpected, or shapes differ. Nothing was changed then.
   */
  loadStateDict(state: StateDict, { strict = true } = {}): void {
    const current = this.stateDict();
    const missing = [...current.keys()].filter((name) => !state.has(name));
    const unexpected = [...state.keys()].filter((name) => !current.has(name));
    const mismatched = [...current].flatMap(([name, tensor]) => {
      const shape = state.get(name)?.shape;
      if (!shape || shape.join() === tensor.shape.join()) return [];
      return [`${name}: [${shape.join(', ')}] instead of [${tensor.shape.join(', ')}]`];
    });
    if (mismatched.length > 0 || (strict && missing.length + unexpected.length > 0)) {
      throw new StateDictError(missing, unexpected, mismatched);
    }
    noGrad(() => {
      for (const [name, tensor] of current) {
        const source = state.get(name);
        if (source) tensor.copy_(source);
      }
    });
  }

  train(mode = true): this {
    for (const [, module] of this.namedModules()) module.training = mode;
    return this;
  }

  eval(): this {
    return this.train(false);
  }

  requiresGrad_(flag = true): this {
    for (const parameter of this.parameters()) parameter.requiresGrad_(flag);
    return this;
  }

  /** Moves every parameter and buffer; `dtype` applies to floats only. */
  to(target: { dtype?: DType; device?: string }): this {
    checkNames('options', target, MODULE_TO_OPTIONS);

    for (const parameter of this.parameters()) parameter.moveTo(target);
    for (const [, module] of this.namedModules()) {
      for (const [name, buffer] of module.#buffers) {
        const { dtype, ...place } = target;
        const moved = buffer.to(/float/.test(buffer.dtype) && dtype ? { dtype, ...place } : place);
        module.#buffers.set(name, keep(moved));
        buffer.dispose();
      }
    }
    return this;
  }

  /** Drops the gradients of all parameters. */
  zeroGrad(): void {
    for (const parameter of this.parameters()) parameter.grad = null;
  }

  /** Frees every parameter and buffer. */
  dispose(): void {
    for (const tensor of this.stateDict().values()) tensor.dispose();
  }
}

function join(prefix: string, name: string): string {
  return prefix ? `${prefix}.${name}` : name;
}
