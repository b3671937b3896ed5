/** Vector environments: in a row, concurrent, in threads. */
export type { VectorOptions } from './base-vector-env.js';
export { DrawnRows } from './drawn-rows.js';
export { StepTimeoutError } from './env-slot.js';
export type { WorkerLimits } from './env-thread.js';
export { WorkerLostError, WorkerNeedsModuleError, WorkerStartTimeoutError } from './env-thread.js';
export type { DrawsInto, FrameOptions } from './frames.js';
export {
  ConcurrentVectorEnv,
  type ConcurrentVectorOptions,
  type CreateEnv,
  type LocalVectorOptions,
  SerialVectorEnv,
} from './local-vector-env.js';
export { type ThreadEnvsOptions, ThreadedEnv, threadEnvs } from './threaded-env.js';
export {
  type AutoresetMode,
  type FailureData,
  type FailureReason,
  type SlotSnapshot,
  VectorArgumentError,
  VectorEnvFailedError,
  type VectorMetadata,
  type VectorResetOptions,
  type VectorResetResult,
  type VectorSnapshot,
  type VectorStepResult,
} from './vector-env.js';
export { WorkerRestartError } from './worker-restart-error.js';
export { WorkerVectorEnv } from './worker-vector-env.js';
export type { WorkerVectorOptions } from './worker-vector-options.js';
