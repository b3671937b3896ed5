/** Recorded episodes: writing, reading, checking, replaying. */
export {
  type CheckTrajectoryOptions,
  checkTrajectory,
  type TrajectoryProblem,
  type TrajectoryReport,
} from './check.js';
export { digestObservation } from './digest.js';
export type {
  EpisodeEnd,
  EpisodeStart,
  EpisodeStep,
  RecordedToolCall,
  RecordedTurn,
  RecorderOptions,
  TrajectoryEvent,
} from './episode.js';
export { ImageMissingError, TrajectoryInvalidError } from './errors.js';
export { FolderImages, type ImageStore, MemoryImages } from './images.js';
export { type ReadOptions, readTrajectories, TrajectoryReader } from './reader.js';
export { EpisodeRecorder, recordEpisode } from './recorder.js';
export { NotReplayableError, type ReplayMismatch, type ReplayOptions, type ReplayReport, replay } from './replay.js';
export {
  type ContentHash,
  type JsonValue,
  type ObservationRecord,
  type StepError,
  type StoredMessage,
  type StoredPart,
  type StoredToolCall,
  type TokenRecord,
  TRAJECTORY_LIMITS,
  TRAJECTORY_SCHEMA,
  type Trajectory,
  type TrajectoryHeader,
  type TrajectoryOutcome,
  type TrajectoryStep,
  trajectoryHeaderSchema,
  trajectoryOutcomeSchema,
  trajectorySchema,
  trajectoryStepSchema,
} from './schema.js';
export { TrajectoryWriter } from './writer.js';
