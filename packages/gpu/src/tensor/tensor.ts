/**
 * `Tensor`: PyTorch's tensor under PyTorch's names in camelCase, over libtorch.
 *
 * The class is built in layers, one file each: `core` (life, numbers), `math`, `reductions`, `shapes`, `indexing`, and
 * here gradients, random numbers and new tensors of the same kind. The layers name `Tensor` as a type, which makes a
 * circle of types but not of values (`wrap.ts`).
 */

import { checkNames, names } from '@vlgym/core/internal';
import { noGrad } from '../autograd/grad-mode.js';
import { native } from '../native/load.js';
import { type TensorData, tensorFrom } from './data.js';
import { dtypeCode } from './dtype.js';
import type { Generator } from './generator.js';
import { TensorIndexing } from './indexing.js';
import { keep, tidy } from './scope.js';
import { setConstructor, wrap } from './wrap.js';

export { wrap };

export interface BackwardOptions {
  /** Weight of this tensor, of its shape; may be left out for a single number. */
  gradient?: Tensor | undefined;
  /** Keep the graph for another `backward`. */
  retainGraph?: boolean | undefined;
}

/** Functions that an algorithm needs from this package in addition to its tensors, available as `tensor.backend`. */
export interface Backend {
  tidy<T>(fn: () => T): T;
  keep<T extends { dispose(): void }>(tensor: T): T;
  noGrad<T>(fn: () => T): T;
}

const backend: Backend = { tidy, keep: (tensor) => (tensor instanceof Tensor ? keep(tensor) : tensor), noGrad };

const TENSOR_MULTINOMIAL_OPTIONS = ['replacement', 'generator'];

const TENSOR_BACKWARD_ASYNC_OPTIONS = names<BackwardOptions>({ gradient: 0, retainGraph: 0 });

const TENSOR_BACKWARD_OPTIONS = ['gradient', 'retainGraph', 'createGraph'];

export class Tensor extends TensorIndexing {
  get backend(): Backend {
    return backend;
  }

  // ---- gradients ----

  get requiresGrad(): boolean {
    return native().requiresGrad(this.handle);
  }

  get isLeaf(): boolean {
    return native().isLeaf(this.handle);
  }

  requiresGrad_(flag = true): this {
    native().setRequiresGrad(this.handle, flag);
    return this;
  }

  /** The same numbers without history; shares memory. */
  detach(): Tensor {
    return wrap(native().detach(this.handle));
  }

  /** Keeps the gradient of a tensor that is not a leaf. */
  retainGrad(): this {
    native().retainGrad(this.handle);
    return this;
  }

  /** The gradient of a leaf, or null; a new handle at each call, freed like any other tensor. */
  get grad(): Tensor | null {
    const handle = native().grad(this.handle);
    return handle === null ? null : wrap(handle);
  }

  set grad(gradient: Tensor | null) {
    native().setGrad(this.handle, gradient?.handle ?? null);
  }

  /** Adds the gradients of this tensor to the `grad` of every leaf it came from. */
  backward(options: BackwardOptions & { createGraph?: boolean } = {}): void {
    checkNames('options', options, TENSOR_BACKWARD_OPTIONS);
    const { gradient, retainGraph = false, createGraph = false } = options;

    native().backward(this.handle, gradient?.handle ?? null, retainGraph || createGraph, createGraph);
  }

  /**
   * `backward` on the native thread; the event loop stays free. Until the promise settles, change neither the
   * tensors of the graph nor the gradients.
   */
  backwardAsync(options: BackwardOptions = {}): Promise<void> {
    checkNames('options', options, TENSOR_BACKWARD_ASYNC_OPTIONS);
    const { gradient, retainGraph = false } = options;

    return native().backwardAsync(this.handle, gradient?.handle ?? null, retainGraph);
  }

  // ---- new tensors of this dtype and device ----

  newTensor(data: TensorData, shape?: readonly number[]): Tensor {
    const { dtype, device } = this;
    return tensorFrom(data, shape === undefined ? { dtype, device } : { dtype, device, shape });
  }

  newZeros(shape: readonly number[]): Tensor {
    return wrap(native().zeros(shape, dtypeCode(this.dtype), this.device));
  }

  newOnes(shape: readonly number[]): Tensor {
    return wrap(native().ones(shape, dtypeCode(this.dtype), this.device));
  }

  newFull(shape: readonly number[], value: number): Tensor {
    return wrap(native().full(shape, value, dtypeCode(this.dtype), this.device));
  }

  // ---- random numbers in place; null is libtorch's default generator ----

  /** Uniform in [low, high). */
  uniform_(low = 0, high = 1, generator: Generator | null = null): this {
    native().uniform_(this.handle, low, high, generator?.raw ?? null);
    return this;
  }

  /** Normal with mean and standard deviation. */
  normal_(mean = 0, std = 1, generator: Generator | null = null): this {
    native().normal_(this.handle, mean, std, generator?.raw ?? null);
    return this;
  }

  /** 1 with the given probability, else 0. */
  bernoulli_(probability = 0.5, generator: Generator | null = null): this {
    native().bernoulli_(this.handle, probability, generator?.raw ?? null);
    return this;
  }

  /** Exponential with a rate. */
  exponential_(rate = 1, generator: Generator | null = null): this {
    native().exponential_(this.handle, rate, generator?.raw ?? null);
    return this;
  }

  /** 1 with the probability in each entry, else 0. */
  bernoulli(generator: Generator | null = null): Tensor {
    return wrap(native().bernoulli(this.handle, generator?.raw ?? null));
  }

  /** `count` positions drawn along the last dimension by weight, int64. */
  multinomial(count: number, options: { replacement?: boolean; generator?: Generator } = {}): Tensor {
    checkNames('options', options, TENSOR_MULTINOMIAL_OPTIONS);
    const { replacement = false, generator } = options;

    return wrap(native().multinomial(this.handle, count, replacement, generator?.raw ?? null));
  }
}

setConstructor((handle) => new Tensor(handle));
