/**
 * A forward that keeps the inputs of its parts alone, one part per layer, and computes each part again when gradients
 * come back (activation checkpointing, arXiv 1604.06174). A layer of a decoder keeps about thirty times its input for a
 * backward pass; now one layer at a time does.
 *
 * Dropout draws the same numbers again: the state of its generator is kept next to the inputs.
 */
import { enableGrad, type Generator, keep, noGrad, type Tensor, tidyAsync } from '@vlgym/gpu';
import type { ForwardPart } from '../../language-model.js';

/** Puts weights in place for the time of one call. */
export type Within = <T>(compute: () => T) => T;

export class SegmentedForward {
  readonly #parts: readonly ForwardPart[];
  readonly #generator: Generator | null;
  /** Per part: what it was given. Owned by this object. */
  readonly #inputs: (readonly Tensor[])[] = [];
  readonly #states: Tensor[] = [];

  /** @param generator  That of dropout; null without dropout. */
  constructor(parts: readonly ForwardPart[], generator: Generator | null) {
    this.#parts = parts;
    this.#generator = generator;
  }

  /** Embeddings [B, T, D] → hidden states [B, T, D], without a graph. The caller frees them. */
  async run(embeddings: Tensor, train: Within): Promise<Tensor> {
    let state: readonly Tensor[] = [keep(embeddings.detach())];
    for (const part of this.#parts) {
      this.#inputs.push(state);
      if (this.#generator) this.#states.push(keep(this.#generator.getState()));
      const inputs = state;
      state = await tidyAsync(async () => {
        const { outputs } = noGrad(() => train(() => ({ outputs: part.run(inputs) })));
        return (await outputs).map((output) => keep(output.detach()));
      });
    }
    const [hidden] = state;
    return hidden!;
  }

  /**
   * Adds to the gradients of all weights.
   *
   * @param needsInput  The embeddings have a gradient too.
   * @returns           That gradient; the caller frees it.
   */
  async backward(gradient: Tensor, train: Within, needsInput: boolean): Promise<Tensor | null> {
    const after = this.#generator?.getState();
    let gradients: (Tensor | null)[] = [gradient];
    try {
      for (let i = this.#parts.length - 1; i >= 0; i -= 1) {
        const next = await this.#through(i, gradients, train, i > 0 || needsInput);
        for (const each of gradients) if (each !== gradient) each?.dispose();
        gradients = next;
      }
      return gradients[0] ?? null;
    } finally {
      if (after) {
        this.#generator!.setState(after);
        after.dispose();
      }
    }
  }

  dispose(): void {
    for (const tensor of [...this.#inputs.flat(), ...this.#states]) tensor.dispose();
  }

  /** Through one part: from the gradients of its outputs to those of its inputs. */
  async #through(
    i: number,
    gradients: readonly (Tensor | null)[],
    train: Within,
    needsInputs: boolean,
  ): Promise<(Tensor | null)[]> {
    if (this.#generator) this.#generator.setState(this.#states[i]!);
    const { leaves, sum } = await tidyAsync(async () => {
      const leaves = this.#inputs[i]!.map((input) => input.detach().requiresGrad_(needsInputs));
      const { outputs } = enableGrad(() => train(() => ({ outputs: this.#parts[i]!.run(leaves) })));
      const computed = await outputs;
      const sum = enableGrad(() => {
        const products = computed.flatMap((output, k) => {
          const gradient = gradients[k];
          return gradient && output.requiresGrad ? [output.mul(gradient).sum()] : [];
        });
        return products.length > 0 ? products.reduce((all, product) => all.add(product)) : null;
      });
      return { leaves, sum };
    });
    try {
      await sum?.backwardAsync();
      return leaves.map((leaf) => leaf.grad);
    } finally {
      for (const tensor of [...leaves, ...(sum ? [sum] : [])]) tensor.dispose();
    }
  }
}
