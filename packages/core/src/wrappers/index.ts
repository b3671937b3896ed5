/** Wrappers of environments. */
export { ActionRepeat, actionRepeat } from './action-repeat.js';
export { EarlyEnd, type EarlyEndOptions, earlyEnd } from './early-end.js';
export { IllegalAction, type IllegalActionOptions, illegalAction } from './illegal-action.js';
export {
  NormalizeObservation,
  type NormalizeOptions,
  NormalizeReward,
  type NormalizeRewardOptions,
  normalizeObservation,
  normalizeReward,
} from './normalize.js';
export { flattenObservation } from './observation/flatten-observation.js';
export { FrameStack, frameStack } from './observation/frame-stack.js';
export { History, type HistoryOptions, history } from './observation/history.js';
export { grayscaleObservation, resizeObservation } from './observation/image-observation.js';
export { ObservationWrapper, transformObservation } from './observation/transform-observation.js';
export { OrderEnforcing, orderEnforcing } from './order-enforcing.js';
export { PassiveChecker, passiveChecker } from './passive-checker.js';
export { ApngWriter, VideoError, type VideoOptions, type VideoWriter } from './recording/apng-writer.js';
export {
  type EpisodeStatistics,
  RecordEpisodeStatistics,
  type RecordEpisodeStatisticsOptions,
  recordEpisodeStatistics,
} from './recording/record-episode-statistics.js';
export { cubes, RecordVideo, type RecordVideoOptions, recordVideo } from './recording/record-video.js';
export { type RescaleOptions, rescaleAction, rescaleObservation } from './rescale.js';
export type { Moments } from './running-moments.js';
export { StickyAction, type StickyActionOptions, stickyAction } from './sticky-action.js';
export { TimeLimit, timeLimit } from './time-limit.js';
export { TransformAction, type TransformActionOptions, transformAction } from './transform-action.js';
export { clipReward, TransformReward, transformReward } from './transform-reward.js';
