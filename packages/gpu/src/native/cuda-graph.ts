/** Operations of a CUDA device that are recorded once and computed again and again, as `torch.cuda.CUDAGraph`. */
import { keep, tidy } from '../tensor/scope.js';
import type { Tensor } from '../tensor/tensor.js';
import type { NativeGraph } from './handles.js';
import { native } from './load.js';

/**
 * Several hundred small kernels take longer to start one by one than to compute; a graph starts them together.
 *
 * It computes in its own memory, from the tensors that the operations read when they were recorded: a caller writes new
 * numbers into those (`copy_`). Weights that are changed in place count; those that are exchanged for others do not.
 */
export class CudaGraph {
  readonly #operations: () => Tensor;
  /** Null if the operations are called again: on a CPU, in tests. */
  readonly #graph: NativeGraph | null;
  #output: Tensor;

  /**
   * @param device      `cuda`, `cuda:1`, …
   * @param operations  Called twice here, without gradients. They read tensors that stay, and take no numbers from the
   *                    device or to it.
   * @throws {TorchError} An operation cannot be recorded.
   */
  constructor(device: string, operations: () => Tensor) {
    this.#operations = operations;
    let output: Tensor | undefined;
    const compute = () => {
      output?.dispose();
      output = tidy(() => keep(operations()));
    };
    try {
      if (device === 'cpu') compute();
      this.#graph = device === 'cpu' ? null : native().recordGraph(device, compute);
    } catch (error) {
      output?.dispose();
      throw error;
    }
    this.#output = output!;
  }

  /** Graphs of this device are possible, and in use (`cuda.useGraphs`). */
  static isInUse(device: string): boolean {
    return native().areGraphsInUse(device);
  }

  /** The result for what is in the tensors now: one tensor, which belongs to the graph and changes at each call. */
  replay(): Tensor {
    if (this.#graph) native().replayGraph(this.#graph);
    else tidy(() => this.#output.copy_(this.#operations()));
    return this.#output;
  }

  dispose(): void {
    if (this.#graph) native().closeGraph(this.#graph);
    this.#output.dispose();
  }
}
