/** Several environments as one. */
export type { VectorOptions } from './base-vector-env.js';
export { StepTimeoutError } from './env-slot.js';
export {
  ConcurrentVectorEnv,
  type ConcurrentVectorOptions,
  type CreateEnv,
  type LocalVectorOptions,
  SerialVectorEnv,
} from './local-vector-env.js';
export * from './make-vec.js';
export * from './vector-env.js';
export { WorkerLostError, WorkerStartTimeoutError } from './worker-handle.js';
export {
  WorkerNeedsModuleError,
  WorkerRestartError,
  WorkerVectorEnv,
  type WorkerVectorOptions,
} from './worker-vector-env.js';
