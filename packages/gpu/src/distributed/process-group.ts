/**
 * Processes that compute together: sums of tensors and exchange of values over TCP, by c10d's Gloo back end.
 *
 * All ranks make the same calls in the same order. A rank that dies ends the calls of the others at once; one that hangs
 * ends them after the time limit. Both are a `ProcessGroupError`; the group cannot be used afterwards.
 */
import { hostname } from 'node:os';
import { deserialize, serialize } from 'node:v8';
import { InvalidOptionError } from '@vlgym/core';
import { native } from '../native/load.js';
import type { NativeGroup } from '../native/native.js';
import type { TensorCore } from '../tensor/core.js';
import { zeros } from '../tensor/creation.js';
import { fromBuffer } from '../tensor/data.js';
import { tidyAsync } from '../tensor/scope.js';

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
  readonly address?: string;
  /** Port of the store on that host. */
  readonly port: number;
  /** Rank 0 opens the store; `false` where the launcher has opened it. Default true. */
  readonly hostsStore?: boolean;
  /** Separates groups that share a store; a restarted group takes another name. Default `run/0`. */
  readonly name?: string;
  /** Time limit of every call, in seconds; default 1800. */
  readonly timeout?: number;
}

export class ProcessGroup {
  readonly #group: NativeGroup;
  #closed = false;

  private constructor(
    readonly rank: number,
    readonly size: number,
    group: NativeGroup,
  ) {
    this.#group = group;
  }

  /**
   * Waits until all ranks are there.
   *
   * @throws {ProcessGroupError} `PROCESS_GROUP_FAILED`: a rank is missing after the time limit.
   */
  static async connect(options: ProcessGroupOptions): Promise<ProcessGroup> {
    const { rank, size, host, port, hostsStore = true, name = 'run/0', timeout = 1800 } = options;
    const { address = host === LOOPBACK ? host : hostname() } = options;
    const group = native().newGroup(host, port, hostsStore && rank === 0, rank, size, timeout, name, address);
    await native().connectGroup(group);
    return new ProcessGroup(rank, size, group);
  }

  /** Replaces the tensor by the sum over all ranks; equal bytes on every rank. */
  allReduce(tensor: TensorCore): Promise<void> {
    return native().allReduce(this.#group, tensor.handle);
  }

  /** Replaces the tensor by that of rank `root`. */
  broadcast(tensor: TensorCore, root = 0): Promise<void> {
    if (!(Number.isInteger(root) && root >= 0 && root < this.size)) {
      throw new InvalidOptionError('root', root, `a rank from 0 to ${this.size - 1}`);
    }
    return native().broadcast(this.#group, tensor.handle, root);
  }

  /** The values of all ranks, by rank; anything that `structuredClone` copies. */
  async gather<T>(value: T): Promise<T[]> {
    const own = serialize(value);
    const lengths = await this.#gatherNumbers(own.length);
    const longest = Math.max(...lengths);
    const padded = new Uint8Array(longest);
    padded.set(own);
    return tidyAsync(async () => {
      const outputs = lengths.map(() => zeros([longest], { dtype: 'uint8' }));
      await native().allGather(
        this.#group,
        fromBuffer(padded, [longest]).handle,
        outputs.map(({ handle }) => handle),
      );
      return outputs.map((output, rank) => {
        const bytes = output.data() as Uint8Array;
        return deserialize(bytes.subarray(0, lengths[rank]!)) as T;
      });
    });
  }

  /** Returns when all ranks have called it. */
  barrier(): Promise<void> {
    return native().barrier(this.#group);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await native().closeGroup(this.#group);
  }

  #gatherNumbers(value: number): Promise<number[]> {
    return tidyAsync(async () => {
      const numbers = zeros([this.size], { dtype: 'float64' });
      numbers.narrow(0, this.rank, 1).fill_(value);
      await this.allReduce(numbers);
      return numbers.toNumbers();
    });
  }
}
