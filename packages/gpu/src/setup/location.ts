/** The location of libtorch. */
export interface Location {
  /** Folder with `lib/libtorch_cpu` and `include/ATen`. */
  readonly root: string;
  /** For example `2.13.0+cu130`. */
  readonly version: string;
  /** CUDA version the build was made for, whether or not its libraries are there; null for a CPU build. */
  readonly cuda: string | null;
  /** Which rule found it. */
  readonly source: 'LIBTORCH' | 'python' | 'cache';
}
