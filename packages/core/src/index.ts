export * from './base-env.js';
export * from './checks/finding.js';
export * from './dialogue/dialogue.js';
export * from './dialogue/match-action.js';
export * from './dialogue/messages.js';
export * from './dialogue/parse-response.js';
export * from './dialogue/published-rules.js';
export type { ResponseFormat } from './dialogue/response-format.js';
export * from './dialogue/token-spans.js';
export * from './env.js';
export * from './errors.js';
export * from './files/file-error.js';
export {
  appendJsonLine,
  type JsonLine,
  JsonLineAppender,
  type JsonLineProblem,
  readJsonLines,
} from './files/json-lines.js';
export { AtomicFile, writeFileAtomic } from './files/write-file-atomic.js';
export * from './image.js';
export * from './images/data-url.js';
export * from './images/grayscale.js';
export * from './images/hash-image.js';
export * from './images/image-error.js';
export * from './images/is-image.js';
export { decodePng, encodePng } from './images/png.js';
export * from './images/resize-image.js';
export * from './random/index.js';
export * from './registry/closest.js';
export * from './registry/errors.js';
export * from './registry/id.js';
export * from './registry/make.js';
export * from './registry/register.js';
export * from './registry/spec.js';
export * from './registry/spec-json.js';
export * from './registry/warn.js';
export * from './registry/wrapper-registry.js';
export * from './spaces/index.js';

  type CheckTrajectoryOptions,
  checkTrajectory,
  imagesNamed,
  type TrajectoryProblem,
  type TrajectoryReport,
} from './trajectory/check.js';

export * from './trajectory/digest.js';
export * from './trajectory/errors.js';
export * from './trajectory/images.js';
export * from './trajectory/reader.js';

  defaultEpisodeId,
  type EpisodeEnd,
  EpisodeRecorder,
  type EpisodeStart,
  type EpisodeStep,
  type RecordedTurn,
  type RecorderOptions,
  recordEpisode,
  type TrajectoryEvent,
} from './trajectory/recorder.js';

export * from './testing/counting-env.js';
export * from './testing/scripted-env.js';
export * from './trajectory/replay.js';
export * from './trajectory/schema.js';
export { EPISODES_FILE, IMAGES_FOLDER, TrajectoryWriter } from './trajectory/writer.js';
export type { VectorOptions } from './vector/base-vector-env.js';
export { StepTimeoutError } from './vector/env-slot.js';
export { ConcurrentVectorEnv, type ConcurrentVectorOptions, type CreateEnv, type LocalVectorOptions, SerialVectorEnv } from './vector/local-vector-env.js';
export * from './vector/make-vec.js';
export * from './vector/vector-env.js';
export { WorkerLostError } from './vector/worker-handle.js';
export { WorkerNeedsModuleError, WorkerRestartError, WorkerVectorEnv, type WorkerVectorOptions } from './vector/worker-vector-env.js';
export * from './video/apng-writer.js';
export * from './wrappers/chain.js';
export * from './wrappers/order-enforcing.js';
export * from './wrappers/passive-checker.js';
export * from './wrappers/pipe.js';
export * from './wrappers/record-episode-statistics.js';
export * from './wrappers/time-limit.js';
export * from './wrappers/transform-action.js';
export * from './wrappers/transform-observation.js';
export * from './wrappers/transform-reward.js';
export * from './wrappers/wrapper.js';
