/** Gradients as values, without touching the `grad` of any leaf. */
import { checkNames, names } from '@vlgym/core/internal';
import { native } from '../native/load.js';
import type { TensorCore } from '../tensor/core.js';
import { type Tensor, wrap } from '../tensor/tensor.js';

export interface GradOptions {
  /** One weight per output, of its shape; may be left out where every output is a single number. */
  gradOutputs?: readonly TensorCore[] | undefined;
  retainGraph?: boolean | undefined;
  /** Record the computation itself, for gradients of gradients. */
  createGraph?: boolean | undefined;
}

const GRAD_OPTIONS = names<GradOptions>({ gradOutputs: 0, retainGraph: 0, createGraph: 0 });

/**
 * Gradients of the sum of `outputs` with respect to `inputs`, in their order.
 *
 * @throws {TorchError} An input does not take part in the outputs.
 */
export function grad(
  outputs: TensorCore | readonly TensorCore[],
  inputs: readonly TensorCore[],
  options: GradOptions = {},
): Tensor[] {
  checkNames('options', options, GRAD_OPTIONS);
  const { gradOutputs = [], retainGraph, createGraph = false } = options;

  const list = 'handle' in outputs ? [outputs] : outputs;
  const handle = (tensor: TensorCore) => tensor.handle;
  const found = native().gradients(
    list.map(handle),
    inputs.map(handle),
    gradOutputs.map(handle),
    retainGraph ?? createGraph,
    createGraph,
    false,
  );
  return found.map((handle) => wrap(handle as number));
}
