/** Threads, devices and versions of libtorch. */
import { native } from './load.js';

/**
 * Threads that one operation may use; shared by the whole process. Default: the physical cores, or VLGYM_NUM_THREADS. At
 * most 64, or the number of logical CPUs if that is larger: every thread that computes starts that many helpers.
 *
 * @throws {TensorArgumentError} `count` is not a whole number from 1 to that maximum.
 */
export function setNumThreads(count: number): void {
  native().setNumThreads(count);
}

export function getNumThreads(): number {
  return native().getNumThreads();
}

/** For example `2.13.0`. */
export function libtorchVersion(): string {
  return native().version();
}

export const cuda = {
  isAvailable: (): boolean => native().cudaDeviceCount() > 0,
  deviceCount: (): number => native().cudaDeviceCount(),
  /**
   * Decoding steps of `nn.Decoder`, and what else records itself (`CudaGraph`), run as graphs of CUDA, which saves the time of
   * starting kernels one by one. On from the start where the addon was built with CUDA's headers.
   */
  useGraphs: (enabled: boolean): void => native().useGraphs(enabled, false),
};

/** Waits until the device has finished its queued work. */
export function synchronize(device = 'cuda'): void {
  native().synchronize(device);
}
