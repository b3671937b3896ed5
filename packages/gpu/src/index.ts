export { type GradOptions, grad } from './autograd/grad.js';
export { enableGrad, isGradEnabled, noGrad } from './autograd/grad-mode.js';
export { GradientBuckets } from './distributed/gradient-buckets.js';
export { ProcessGroup } from './distributed/process-group.js';
export { CudaGraph } from './native/cuda-graph.js';
export {
  NativeLoadError,
  NativeNotFoundError,
  NativeSystemError,
  NcclUnavailableError,
  OutOfMemoryError,
  ProcessGroupError,
  TensorArgumentError,
  TensorDisposedError,
  TorchError,
} from './native/errors.js';
export { loadNative } from './native/load.js';
export { cuda, getNumThreads, libtorchVersion, setNumThreads, synchronize } from './native/runtime.js';
export * as nn from './nn/index.js';
export * as init from './nn/init.js';
export { Module, type StateDict, StateDictError } from './nn/module.js';
export { Parameter } from './nn/parameter.js';
export { clipGradNorm_ } from './optim/clip.js';
export * as optim from './optim/index.js';
export * as safetensors from './safetensors/index.js';
export { cacheFolder, LIBTORCH_VERSION } from './setup/cache.js';
export { doctor } from './setup/doctor.js';
export { locate } from './setup/locate.js';
export { setup } from './setup/setup.js';
export { isTensor, type NestedNumbers, type Operand } from './tensor/core.js';
export * from './tensor/creation.js';
export type { NestedData, TensorData, TensorOptions } from './tensor/data.js';
export { getDefaultDevice, setDefaultDevice } from './tensor/default-device.js';
export type { DType, TypedArray } from './tensor/dtype.js';
export { Generator, manualSeed } from './tensor/generator.js';
export type { Indices } from './tensor/indexing.js';
export type { Dims, ValuesAndIndices } from './tensor/reductions.js';
export {
  keep,
  keepAll,
  type Memory,
  type MemoryUse,
  memory,
  memoryUse,
  reportLeaks,
  resetPeakMemory,
  tidy,
  tidyAsync,
} from './tensor/scope.js';
export { type Backend, type BackwardOptions, Tensor } from './tensor/tensor.js';
