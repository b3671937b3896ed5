/** Trajectories: record, read, check, replay. */
export {
  type CheckTrajectoryOptions,
  checkTrajectory,
  imagesNamed,
  type TrajectoryProblem,
  type TrajectoryReport,
} from './check.js';
export * from './digest.js';
export * from './episode.js';
export * from './errors.js';
export * from './images.js';
export * from './reader.js';
export { defaultEpisodeId, EpisodeRecorder, recordEpisode } from './recorder.js';
export * from './replay.js';
export * from './schema.js';
export { EPISODES_FILE, IMAGES_FOLDER, TrajectoryWriter } from './writer.js';
