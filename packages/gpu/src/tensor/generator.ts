/** A random generator with its own seed and state, so that two users do not influence each other. */
import { native } from '../native/load.js';
import type { NativeGenerator } from '../native/native.js';
import type { TensorCore } from './core.js';
import { type Tensor, wrap } from './tensor.js';

export class Generator {
  /** The addon's object; freed by the garbage collector. */
  readonly raw: NativeGenerator;

  /** @param device  Where it draws; its numbers can be had on any device. */
  constructor(
    seed = 0,
    readonly device = 'cpu',
  ) {
    this.raw = native().newGenerator(device);
    this.manualSeed(seed);
  }

  /** Starts over from a seed, a safe integer. */
  manualSeed(seed: number): this {
    native().seedGenerator(this.raw, seed);
    return this;
  }

  /** The whole state, uint8; the caller disposes it. */
  getState(): Tensor {
    return wrap(native().generatorState(this.raw));
  }

  setState(state: TensorCore): this {
    native().setGeneratorState(this.raw, state.handle);
    return this;
  }
}

/** Seeds libtorch's default generators. Prefer a `Generator`: this one is shared by the whole process. */
export function manualSeed(seed: number): void {
  native().manualSeed(seed);
}
