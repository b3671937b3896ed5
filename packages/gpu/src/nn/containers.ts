/** Modules that hold modules, saved under their positions: `0`, `1`, … */
import { InvalidOptionError } from '@vlgym/core';
import { TorchError } from '../native/errors.js';
import type { Tensor } from '../tensor/tensor.js';
import type { UnaryModule } from './layers.js';
import { Module } from './module.js';

/** A list that takes part in `parameters()` and `stateDict()`. */
export class ModuleList<M extends Module = Module> extends Module implements Iterable<M> {
  readonly #modules: M[];

  constructor(modules: readonly M[] = []) {
    super();
    this.#modules = [...modules];
  }

  get length(): number {
    return this.#modules.length;
  }

  at(index: number): M {
    const found = this.#modules.at(index);
    if (!found) throw new InvalidOptionError('index', index, `a position among ${this.length} modules`);
    return found;
  }

  append(module: M): this {
    this.#modules.push(module);
    return this;
  }

  [Symbol.iterator](): Iterator<M> {
    return this.#modules[Symbol.iterator]();
  }

  override *namedChildren(): Generator<[string, Module]> {
    for (const [index, module] of this.#modules.entries()) yield [String(index), module];
  }

  forward(): never {
    throw new TorchError('ModuleList.forward', 'a ModuleList computes nothing; call its modules');
  }
}

/** One after the other. */
export class Sequential extends Module {
  readonly #modules: readonly UnaryModule[];

  constructor(...modules: readonly UnaryModule[]) {
    super();
    this.#modules = modules;
  }

  override *namedChildren(): Generator<[string, Module]> {
    for (const [index, module] of this.#modules.entries()) yield [String(index), module];
  }

  forward(x: Tensor): Tensor {
    return this.#modules.reduce((result, module) => module.forward(result), x);
  }
}
