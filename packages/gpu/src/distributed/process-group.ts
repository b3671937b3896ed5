/**
 * Processes that compute together: sums of tensors and exchange of values over TCP, by c10d's Gloo back end; tensors on CUDA
 * devices by NCCL where that is asked for (tried with two ranks on one GPU).
 *
 * All ranks make the same calls in the same order. A rank that dies ends the calls of the others at once; one that hangs
 * ends them after the time limit. Both are a `ProcessGroupError`; the group cannot be used afterwards.
 */
import { hostname } from 'node:os';
import { deserialize, serialize } from 'node:v8';
import { InvalidOptionError } from '@vlgym/core';
import { checkNames, names } from '@vlgym/core/internal';
import { NcclUnavailableError } from '../native/errors.js';
import { native } from '../native/load.js';
import type { NativeGroup } from '../native/native.js';
import type { TensorCore } from '../tensor/core.js';
import { zeros, zerosLike } from '../tensor/creation.js';
import { fromBuffer } from '../tensor/data.js';
import { tidyAsync } from '../tensor/scope.js';
import type { Tensor } from '../tensor/tensor.js';

const LOOPBACK = '127.0.0.1';

export interface ProcessGroupOptions {
  /** This process, from 0 to `size` - 1. */
  readonly rank: number;
  /** Processes in the group. */
  readonly size: number;
  /**
   * Host of rank 0, as the others reach it. With `127.0.0.1` its ports are open to this machine alone; otherwise to every
   * machine that reaches it, without a password: use a trusted network.
   */
  readonly host: string;
  /** This machine, as the other ranks reach it; default `127.0.0.1` where `host` is that, otherwise the host name. */
  readonly address?: string | undefined;
  /** Port of the store on that host. */
  readonly port: number;
  /** Rank 0 opens the store; `false` where the launcher has opened it. Default true. */
  readonly hostsStore?: boolean | undefined;
  /** Separates groups that share a store; a restarted group takes another name. Default `run/0`. */
  readonly name?: string | undefined;
  /** Time limit of every call, in seconds; default 1800. */
  readonly timeout?: number | undefined;
  /**
   * `nccl` also opens a channel between the CUDA devices of the ranks, for tensors there. Experimental. Default `gloo`:
   * tensors of the CPU only.
   */
  readonly backend?: 'gloo' | 'nccl' | undefined;
  /** Number of this rank's CUDA device, for `nccl`; default 0. */
  readonly device?: number | undefined;
}

const PROCESS_GROUP_CONNECT_OPTIONS = names<ProcessGroupOptions>({
  rank: 0,
  size: 0,
  host: 0,
  address: 0,
  port: 0,
  hostsStore: 0,
  name: 0,
  timeout: 0,
  backend: 0,
  device: 0,
});

export class ProcessGroup {
  #closed = false;

  private constructor(
    readonly rank: number,
    readonly size: number,
    /** @internal */
    readonly native: NativeGroup,
    /** Which tensors `allReduce`, `broadcast` and `allGather` take: those of the CPU, or of CUDA devices too. */
    readonly backend: 'gloo' | 'nccl',
  ) {}

  /**
   * Waits until all ranks are there.
   *
   * @throws {ProcessGroupError} `PROCESS_GROUP_FAILED`: a rank is missing after the time limit.
   * @throws {NcclUnavailableError} `NCCL_UNAVAILABLE`
   */
  static async connect(options: ProcessGroupOptions): Promise<ProcessGroup> {
    checkNames('options', options, PROCESS_GROUP_CONNECT_OPTIONS);
    const { rank, size, host, port, hostsStore = true, name = 'run/0', timeout = 1800 } = options;
    const { address = host === LOOPBACK ? host : hostname(), backend = 'gloo', device = 0 } = options;
    if (!(Number.isInteger(device) && device >= 0 && device < 128)) {
      throw new InvalidOptionError('device', device, 'the number of a CUDA device');
    }
    const problem = backend === 'nccl' ? native().ncclProblem() : '';
    if (problem) throw new NcclUnavailableError(problem);
    const cuda = backend === 'nccl' ? device : -1;
    const group = native().newGroup(host, port, hostsStore && rank === 0, rank, size, timeout, name, address, cuda);
    await native().connectGroup(group);
    return new ProcessGroup(rank, size, group, backend);
  }

  /** Replaces the tensor by the sum over all ranks; equal bytes on every rank. */
  allReduce(tensor: TensorCore): Promise<void> {
    return native().allReduce(this.native, tensor.handle);
  }

  /** Replaces the tensor by that of rank `root`. */
  broadcast(tensor: TensorCore, root = 0): Promise<void> {
    if (!(Number.isInteger(root) && root >= 0 && root < this.size)) {
      throw new InvalidOptionError('root', root, `a rank from 0 to ${this.size - 1}`);
    }
    return native().broadcast(this.native, tensor.handle, root);
  }

  /** The tensors of all ranks, by rank; all have the shape and dtype of this one. */
  async allGather(tensor: TensorCore): Promise<Tensor[]> {
    const outputs = Array.from({ length: this.size }, () => zerosLike(tensor));
    await native().allGather(
      this.native,
      tensor.handle,
      outputs.map(({ handle }) => handle),
    );
    return outputs;
  }

  /** The values of all ranks, by rank; anything that `structuredClone` copies. */
  async gather<T>(value: T): Promise<T[]> {
    const own = serialize(value);
    const lengths = await this.#gatherNumbers(own.length);
    const longest = Math.max(...lengths);
    const padded = new Uint8Array(longest);
    padded.set(own);
    return tidyAsync(async () => {
      const outputs = await this.allGather(fromBuffer(padded, [longest]));
      return outputs.map((output, rank) => {
        const bytes = output.data() as Uint8Array;
        return deserialize(bytes.subarray(0, lengths[rank]!)) as T;
      });
    });
  }

  /** Returns when all ranks have called it. */
  barrier(): Promise<void> {
    return native().barrier(this.native);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await native().closeGroup(this.native);
  }

  #gatherNumbers(value: number): Promise<number[]> {
    return tidyAsync(async () => {
      const numbers = zeros([this.size], { dtype: 'float64', device: 'cpu' });
      numbers.narrow(0, this.rank, 1).fill_(value);
      await this.allReduce(numbers);
      return numbers.toNumbers();
    });
  }
}
