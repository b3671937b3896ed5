/**
 * An optimizer whose state is split over the ranks of a group (ZeRO, stage 1; arXiv 1910.02054): each rank keeps
 * the moments of its part of every parameter, updates that part, and all get the new weights of all.
 *
 * Gradients are whole on every rank, and equal. Parts end at multiples of 64 elements, where the kernels of libtorch change
 * neither vector nor remainder: the weights are those of the whole optimizer, bit for bit (`test/gpu-ranks.test.ts`). A state is saved
 * and loaded whole, so a checkpoint does not depend on the number of ranks.
 */
import { GymError } from '@vlgym/core';
import { noGrad } from '../autograd/grad-mode.js';
import type { ProcessGroup } from '../distributed/process-group.js';
import { native } from '../native/load.js';
import { Parameter } from '../nn/parameter.js';
import { zeros, zerosLike } from '../tensor/creation.js';
import { tidy, tidyAsync } from '../tensor/scope.js';
import type { Tensor } from '../tensor/tensor.js';
import type { Optimizer, OptimizerState } from './optimizer.js';

const BLOCK = 64;

interface Part {
  /** Position of the parameter among all. */
  readonly index: number;
  readonly start: number;
  readonly length: number;
  /** The same memory as this part of the parameter. */
  readonly slice: Parameter;
}

type Groups = readonly { readonly params: readonly Parameter[] }[];

export class ShardedOptimizer<O extends { lr: number }> {
  readonly #group: ProcessGroup;
  readonly #parameters: readonly Parameter[];
  readonly #parts: readonly Part[];
  readonly #inner: Optimizer<O>;

  /**
   * @param make  The optimizer of this rank's parts, in as many groups as `groups`.
   * @throws {GymError} `TOO_MANY_RANKS`: this rank would have nothing to update.
   */
  constructor(group: ProcessGroup, groups: Groups, make: (parts: Groups) => Optimizer<O>) {
    this.#group = group;
    this.#parameters = groups.flatMap(({ params }) => params);
    this.#parts = this.#parameters.flatMap((parameter, index) => partOf(parameter, index, group.rank, group.size));
    if (this.#parts.length === 0) {
      throw new GymError(`No parameter is large enough for ${group.size} ranks.`, {
        code: 'TOO_MANY_RANKS',
        value: group.size,
        expected: `a parameter of at least ${BLOCK * group.size} elements`,
        hint: 'use fewer ranks, or an optimizer that is not sharded',
      });
    }
    const slices = new Map(this.#parts.map(({ index, slice }) => [this.#parameters[index]!, slice]));
    this.#inner = make(groups.map(({ params }) => ({ params: params.flatMap((each) => slices.get(each) ?? []) })));
  }

  get kind(): string {
    return this.#inner.kind;
  }

  /** Options by group, as of the optimizer that `make` gave. */
  get groups(): Optimizer<O>['groups'] {
    return this.#inner.groups;
  }

  /** One update of every parameter that has a gradient. All ranks call it, with equal gradients. */
  async step(): Promise<void> {
    tidy(() => {
      for (const { index, start, length, slice } of this.#parts) {
        slice.grad = this.#parameters[index]!.grad?.reshape([-1]).narrow(0, start, length) ?? null;
      }
      this.#inner.step();
      this.#inner.zeroGrad();
    });
    await this.#shareWeights(this.#parameters.filter(({ grad }) => grad !== null));
  }

  /** Drops the gradients of the whole parameters. */
  zeroGrad(): void {
    native().zeroGrads(
      this.#parameters.map(({ handle }) => handle),
      true,
    );
  }

  /** The whole state on the first rank, which disposes its tensors; nothing on the others. All ranks call it. */
  async gatherState(): Promise<OptimizerState | undefined> {
    const { kind, groups, steps, tensors } = this.#inner.stateDict();
    const own = new Array<number>(this.#parameters.length).fill(0);
    for (const [position, { index }] of this.#parts.entries()) own[index] = steps[position]!;
    const names = [...tensors.keys()].map((name) => name.slice(name.indexOf('.') + 1));
    // a small parameter is the part of one rank, and the others know neither its updates nor its names
    const known = await this.#group.gather({ own, names: [...new Set(names)] });
    const counts = own.map((_, index) => Math.max(...known.map((each) => each.own[index]!)));
    const whole = new Map<string, Tensor>();
    for (const [index, count] of counts.entries()) {
      if (count === 0) continue;
      for (const name of new Set(known.flatMap((each) => each.names))) {
        const all = await this.#gather(index, name, tensors);
        if (this.#group.rank === 0) whole.set(`${index}.${name}`, all);
        else all.dispose();
      }
    }
    return this.#group.rank === 0 ? { kind, groups, steps: counts, tensors: whole } : undefined;
  }

  /** Copies this rank's parts of a whole state. @throws {OptimizerStateError} */
  loadStateDict(state: OptimizerState): void {
    tidy(() => {
      const tensors = new Map<string, Tensor>();
      for (const [name, tensor] of state.tensors) {
        const [index, slot] = [Number.parseInt(name, 10), name.slice(name.indexOf('.') + 1)];
        const position = this.#parts.findIndex((part) => part.index === index);
        const part = this.#parts[position];
        if (!part) continue;
        const fits = tensor.shape.join() === this.#parameters[index]!.shape.join();
        // a state with the wrong shape is kept here and refused below
        tensors.set(`${position}.${slot}`, fits ? tensor.reshape([-1]).narrow(0, part.start, part.length) : tensor);
      }
      const isWhole = state.steps.length === this.#parameters.length;
      const steps = isWhole ? this.#parts.map(({ index }) => state.steps[index]!) : state.steps;
      this.#inner.loadStateDict({ ...state, steps, tensors });
    });
  }

  /** Frees the state; the parameters are the module's. */
  dispose(): void {
    this.#inner.dispose();
  }

  /** Frees the views of the parameters too; nothing can be called afterwards. */
  close(): void {
    this.dispose();
    for (const { slice } of this.#parts) slice.dispose();
  }

  /** One tensor of the state of a parameter, from the parts of all ranks. */
  async #gather(index: number, name: string, tensors: ReadonlyMap<string, Tensor>): Promise<Tensor> {
    const parameter = this.#parameters[index]!;
    const all = zerosLike(parameter);
    const position = this.#parts.findIndex((part) => part.index === index);
    const own = tensors.get(`${position}.${name}`);
    await tidyAsync(async () => {
      if (own) {
        const { start, length } = this.#parts[position]!;
        all.view([-1]).narrow(0, start, length).copy_(own);
      }
      const dtype = all.dtype === 'float64' ? 'float64' : 'float32';
      // the parts of the others are zero here, so the sum is exact
      const sum = all.to({ device: this.#group.backend === 'nccl' ? all.device : 'cpu', dtype });
      await this.#group.allReduce(sum);
      all.copy_(sum);
    });
    return all;
  }

  async #shareWeights(updated: readonly Parameter[]): Promise<void> {
    const { rank, size, backend } = this.#group;
    for (const parameters of alike(updated)) {
      await tidyAsync(async () => {
        const lengths = Array.from({ length: size }, (_, each) =>
          parameters.reduce((sum, { numel }) => sum + lengthOf(numel, each, size), 0),
        );
        const { dtype, device } = parameters[0]!;
        const own = noGrad(() => {
          const flat = zeros([Math.max(...lengths)], { dtype, device });
          let start = 0;
          for (const parameter of parameters) {
            const [from, length] = [startOf(parameter.numel, rank, size), lengthOf(parameter.numel, rank, size)];
            if (length > 0) flat.narrow(0, start, length).copy_(parameter.view([-1]).narrow(0, from, length));
            start += length;
          }
          return backend === 'nccl' ? flat : flat.to({ device: 'cpu' });
        });
        const all = await this.#group.allGather(own);
        noGrad(() => {
          for (const [other, weights] of all.entries()) {
            if (other === rank) continue;
            let start = 0;
            for (const parameter of parameters) {
              const [from, length] = [startOf(parameter.numel, other, size), lengthOf(parameter.numel, other, size)];
              if (length > 0)
                parameter
                  .view([-1])
                  .narrow(0, from, length)
                  .copy_(weights.narrow(0, start, length));
              start += length;
            }
          }
        });
      });
    }
  }
}

/** First element of the part of a rank. */
function startOf(elements: number, rank: number, size: number): number {
  const blocks = Math.ceil(elements / BLOCK);
  return Math.min(elements, BLOCK * Math.floor((blocks * rank) / size));
}

const lengthOf = (elements: number, rank: number, size: number): number =>
  startOf(elements, rank + 1, size) - startOf(elements, rank, size);

function partOf(parameter: Parameter, index: number, rank: number, size: number): Part[] {
  if (!parameter.isContiguous()) throw new NotContiguousError(parameter.shape);
  const [start, length] = [startOf(parameter.numel, rank, size), lengthOf(parameter.numel, rank, size)];
  if (length === 0) return [];
  return tidy(() => [
    { index, start, length, slice: new Parameter(parameter.detach().view([-1]).narrow(0, start, length)) },
  ]);
}

/** Parameters of one dtype and device, which travel in one message. */
function alike(parameters: readonly Parameter[]): Parameter[][] {
  const kinds = new Map<string, Parameter[]>();
  for (const parameter of parameters) {
    const kind = `${parameter.dtype} ${parameter.device}`;
    kinds.set(kind, [...(kinds.get(kind) ?? []), parameter]);
  }
  return [...kinds.values()];
}

class NotContiguousError extends GymError {
  constructor(shape: readonly number[]) {
    super(`A parameter of shape [${shape}] is not contiguous.`, {
      code: 'NOT_CONTIGUOUS',
      value: shape,
      expected: 'parameters with contiguous memory',
    });
  }
}
