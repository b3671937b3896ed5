/** Several optimizers as one, each for its own parameters: Muon for matrices, Adam for the rest. */
import type { Tensor } from '../tensor/tensor.js';
import { type Optimizer, type OptimizerState, OptimizerStateError } from './optimizer.js';

/** Parameters and groups count through all optimizers, in order. */
export class CombinedOptimizer {
  readonly #optimizers: readonly Optimizer<{ lr: number }>[];

  constructor(...optimizers: readonly Optimizer<{ lr: number }>[]) {
    this.#optimizers = optimizers;
  }

  /** The kinds of all, joined by `+`. */
  get kind(): string {
    return this.#optimizers.map(({ kind }) => kind).join('+');
  }

  get groups(): Optimizer<{ lr: number }>['groups'] {
    return this.#optimizers.flatMap(({ groups }) => groups);
  }

  /** One update of every parameter that has a gradient. */
  step(): void {
    for (const optimizer of this.#optimizers) optimizer.step();
  }

  /** Drops the gradients, or fills them with 0. */
  zeroGrad(options?: { setToNone?: boolean }): void {
    for (const optimizer of this.#optimizers) optimizer.zeroGrad(options);
  }

  stateDict(): OptimizerState {
    const tensors = new Map<string, Tensor>();
    const steps: number[] = [];
    for (const state of this.#optimizers.map((optimizer) => optimizer.stateDict())) {
      for (const [name, tensor] of state.tensors) tensors.set(moved(name, steps.length), tensor);
      steps.push(...state.steps);
    }
    return { kind: this.kind, groups: this.groups.map(({ options }) => ({ ...options })), steps, tensors };
  }

  /** Copies a saved state. @throws {OptimizerStateError} It belongs to other optimizers or to other parameters. */
  loadStateDict({ kind, groups, steps, tensors }: OptimizerState): void {
    if (kind !== this.kind) throw new OptimizerStateError(`it was saved by ${kind}`);
    let [group, first] = [0, 0];
    for (const optimizer of this.#optimizers) {
      const counts = optimizer.groups.map(({ params }) => params.length);
      const end = first + counts.reduce((sum, count) => sum + count, 0);
      const within = (name: string) => Number.parseInt(name, 10) >= first && Number.parseInt(name, 10) < end;
      const part = [...tensors].filter(([name]) => within(name));
      optimizer.loadStateDict({
        kind: optimizer.kind,
        groups: groups.slice(group, group + counts.length),
        steps: steps.slice(first, end),
        tensors: new Map(part.map(([name, tensor]) => [moved(name, -first), tensor])),
      });
      group += counts.length;
      first = end;
    }
  }

  /** Frees the state; the parameters are the module's. */
  dispose(): void {
    for (const optimizer of this.#optimizers) optimizer.dispose();
  }
}

/** `<position>.<name>` at another position. */
function moved(name: string, by: number): string {
  const dot = name.indexOf('.');
  return `${Number(name.slice(0, dot)) + by}${name.slice(dot)}`;
}
