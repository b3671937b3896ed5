/**
 * The teacher: θ_0 plus task vectors. Training with adapters keeps it as a file of bits that are read into the base while it
 * computes (`xor-patch.ts`); training all weights keeps a copy.
 */
import { noGrad, type safetensors, type Tensor, tidy } from '@vlgym/gpu';
import { productOf } from '../../adapters/lora.js';
import { copies, disposeOverrides, type Overrides } from '../overrides.js';
import type { ChangingWeights } from './changing-weights.js';
import { XorPatch } from './xor-patch.js';

export class TeacherWeights {
  readonly #changing: ChangingWeights;
  /** Where all weights are trained. */
  #copy: Overrides | null = null;
  /** Where adapters are. */
  #bits: XorPatch | null = null;

  constructor(changing: ChangingWeights) {
    this.#changing = changing;
  }

  /** Tensors in place of the model's; null if there are none. */
  get copy(): Overrides | null {
    return this.#copy;
  }

  /** Bits to read into the base; null where there are none. */
  get bits(): XorPatch | null {
    return this.#bits;
  }

  /** Teacher := θ_0 + deltas; matrices without a delta equal θ_0. Disposes the deltas. */
  set(deltas: Iterable<readonly [string, Tensor]>): void {
    this.reset();
    if (this.#changing.adapted) this.#bits = XorPatch.write(this.#changing.weights, this.#sums(deltas));
    else this.#copy = this.#copyWith(this.#sums(deltas));
  }

  /** Teacher := θ_0. */
  reset(): void {
    disposeOverrides(this.#copy);
    this.#bits?.dispose();
    this.#copy = null;
    this.#bits = null;
  }

  /** Teacher := a copy of θ_0, for its tensors to be overwritten. */
  setToCopy(): void {
    this.reset();
    this.#copy = this.#copyWith([]);
  }

  /** Writes the matrices under their published names, one at a time; false where the copy holds them. */
  save(path: string): boolean {
    this.#bits?.save(path);
    return this.#bits !== null;
  }

  /** Takes the matrices of a file that `save` wrote, one at a time. Training with adapters only. */
  restore(file: safetensors.SafetensorsFile): void {
    this.reset();
    function* matrices(): Generator<readonly [string, Tensor]> {
      for (const name of file.keys()) {
        using matrix = file.get(name);
        yield [name, matrix];
      }
    }
    this.#bits = XorPatch.write(this.#changing.weights, matrices());
  }

  /**
   * θ_0 + delta of one matrix after the other; each is freed when the next is asked for. Where there are any, matrices that
   * start with factors of their own follow without a delta: next to whole matrices no adapter acts.
   */
  *#sums(deltas: Iterable<readonly [string, Tensor]>): Generator<readonly [string, Tensor]> {
    const seen = new Set<string>();
    for (const [name, delta] of deltas) {
      seen.add(name);
      yield* this.#sum(name, delta);
    }
    if (seen.size === 0) return;
    for (const [name, { adapter }] of this.#changing.adapted ?? []) {
      if (adapter.start && !seen.has(name)) yield* this.#sum(name, null);
    }
  }

  /** Disposes the delta. */
  *#sum(name: string, delta: Tensor | null): Generator<readonly [string, Tensor]> {
    const weight = this.#changing.get(name);
    const { start = null, scaling = 1 } = this.#changing.adapted?.get(name)?.adapter ?? {};
    const sum = noGrad(() =>
      tidy(() => {
        const base = weight.in(this.#changing.base(weight.parameter));
        let whole = base.to('float32');
        if (start) whole = whole.add(productOf(start), scaling);
        if (delta) whole = whole.add(delta);
        // rounded once, from float32
        return whole.to(base.dtype);
      }),
    );
    delta?.dispose();
    try {
      yield [name, sum];
    } finally {
      sum.dispose();
    }
  }

  /** θ_0, and these matrices in place of its own. */
  #copyWith(matrices: Iterable<readonly [string, Tensor]>): Overrides {
    const all = copies(this.#changing.parameters(), (parameter) => this.#changing.base(parameter));
    try {
      for (const [name, matrix] of matrices) {
        const weight = this.#changing.get(name);
        noGrad(() =>
          tidy(() => {
            weight.in(all.get(weight.parameter)!).copy_(matrix);
          }),
        );
      }
      return all;
    } catch (error) {
      disposeOverrides(all);
      throw error;
    }
  }
}
