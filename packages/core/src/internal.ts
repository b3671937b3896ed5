/** For packages of this repository only: these exports may change in any release. */
export { SerialQueue } from './async/serial-queue.js';
export { settleAll } from './async/settle-all.js';
export { checkTimeLimits, startTimer } from './async/time-limit.js';
export { differingLeaf, firstDifference } from './checks/difference.js';
export { INVALID_REWARD, InvalidRewardError, InvalidStepError } from './checks/step-result.js';
export { claimAfter } from './dialogue/claim-after.js';
export { escapeHtml } from './escape-html.js';
export { builtFile } from './files/built-file.js';
export { fileProblem } from './files/file-problem.js';
export { type FolderLock, isAbandoned, lockFolder } from './files/folder-lock.js';
export { sha256OfFile } from './files/hash-file.js';
export {
  appendJsonLine,
  type JsonLine,
  JsonLineAppender,
  type JsonLineProblem,
  readJsonLines,
} from './files/json-lines.js';
export { ownIdentity, type ProcessIdentity, stateOf } from './files/process-identity.js';
export {
  NotReadableFileError,
  openRegularFile,
  openRegularFileSync,
  type RegularFile,
  readRegularBytes,
  readRegularBytesSync,
  readRegularFile,
  readRegularFileIfAny,
} from './files/read-regular-file.js';
export { AtomicFile, removeTemporaries, syncFolder, writeFileAtomic } from './files/write-file-atomic.js';
export { checkLentFrame, PictureMemory } from './images/lent-frame.js';
export { PictureBudget } from './images/png-memory.js';
export { mergeDeep } from './merge-deep.js';
export { checkNames, type Filled, type Given, names, withDefaults } from './options.js';
export { pythonStrip } from './python-strip.js';
export { roundHalfEven } from './round-half-even.js';
export { placesOf } from './spaces/arrays.js';
export { bytesOf } from './spaces/limits.js';
export { canonicalJson } from './trajectory/digest.js';
export {
  EpisodeIndexer,
  EpisodeTally,
  INDEX_FILE,
  type IndexedEpisode,
  type IndexLine,
  indexTrajectory,
  type LineRange,
} from './trajectory/episode-index.js';
export { defaultEpisodeId } from './trajectory/recorder.js';
export { toJson } from './trajectory/to-json.js';
export {
  type EpisodeEnds,
  environmentReward,
  indexOfSteps,
  meanOf,
  type PlacedLine,
  type StepPlace,
  TRAINING_FOLDER,
  TRAINING_INDEX,
  type TrainingIndexLine,
  updateColumnsFile,
  updateFile,
} from './trajectory/training-index.js';
export { EPISODES_FILE, IMAGES_FOLDER } from './trajectory/writer.js';
export { isRecord } from './type-tests.js';
