/**
 * The functions of the addon, as TypeScript sees them: the process, its files, and groups of processes. One line per `define(...)` in `native/*.cpp`.
 */
import type { nativeError } from './errors.js';
import type { Handle, Ints, NativeBuckets, NativeFile, NativeGroup } from './handles.js';

export interface ProcessFunctions {
  // runtime.cpp
  setErrorFactory(factory: typeof nativeError): void;
  version(): string;
  hasCuda(): boolean;
  cudaDeviceCount(): number;
  synchronize(device: string): void;
  getNumThreads(): number;
  mostThreads(): number;
  setNumThreads(count: number): void;
  dispose(handle: Handle): boolean;
  aliveTensors(): number;
  aliveBytes(): number;
  allocatedBytes(device: string): number;
  peakBytes(device: string): number;
  resetPeakBytes(device: string): void;
  alias(x: Handle): Handle;

  // files.cpp
  /** Duplicates the descriptor; the caller closes its own. */
  openFile(descriptor: number): NativeFile;
  readTensor(file: NativeFile, offset: number, shape: Ints, dtype: number): Handle;
  writeFile(path: string, temporary: string, header: string, tensors: readonly Handle[]): void;
  writeFileAsync(path: string, temporary: string, header: string, tensors: readonly Handle[]): Promise<void>;

  // distributed.cpp
  newGroup(
    host: string,
    port: number,
    isServer: boolean,
    rank: number,
    size: number,
    seconds: number,
    name: string,
    address: string,
    /** CUDA device of a channel over NCCL; -1 without one. */
    ncclDevice: number,
  ): NativeGroup;
  connectGroup(group: NativeGroup): Promise<void>;
  allReduce(group: NativeGroup, x: Handle): Promise<void>;
  broadcast(group: NativeGroup, x: Handle, root: number): Promise<void>;
  allGather(group: NativeGroup, x: Handle, outputs: readonly Handle[]): Promise<void>;
  barrier(group: NativeGroup): Promise<void>;
  closeGroup(group: NativeGroup): Promise<void>;
  /** The reason why NCCL cannot be used; empty if it can. */
  ncclProblem(): string;

  // gradient-buckets.cpp
  newBuckets(
    group: NativeGroup,
    parameters: readonly Handle[],
    firstBytes: number,
    bytes: number,
    hooks: boolean,
  ): NativeBuckets;
  armBuckets(buckets: NativeBuckets): void;
  sumBuckets(buckets: NativeBuckets, factor: number): Promise<void>;
  /** Buckets, those that left during a backward pass, those that were sent again. */
  bucketCounts(buckets: NativeBuckets): [number, number, number];
  closeBuckets(buckets: NativeBuckets): void;
}
