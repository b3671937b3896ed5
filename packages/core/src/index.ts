/** The public interface; `docs/api/core.txt` lists it. `internal.ts`, `testing/index.ts` and `verification/index.ts` are further entries. */
import { assertNode } from './node-version.js';

assertNode();

export { chain } from './async/chain.js';
export { BaseEnv, type BaseEnvOptions } from './base-env.js';
export { type CheckOptions, type CheckReport, checkEnv, type EnvOrFactory } from './checks/check-env.js';
export { CheckFailedError, type Finding, type FindingCode } from './checks/finding.js';
export { adaptDialogue } from './dialogue/adapt-dialogue.js';
export {
  type AnswerConstraint,
  answerConstraint,
  ConstraintUnsupportedError,
  constraintKind,
} from './dialogue/answer-constraint.js';
export type {
  ChatMessage,
  ChatPart,
  Dialogue,
  DialogueTool,
  ParsedResponse,
  ParseFailure,
  PromptContext,
  Turn,
} from './dialogue/dialogue.js';
export { matchAction } from './dialogue/match-action.js';
export { messageText, promptImages } from './dialogue/messages.js';
export { mapAction, parseResponse } from './dialogue/parse-response.js';
export { rl4vlmCardAction, rl4vlmCommand } from './dialogue/published-rules.js';
export { isUnreadable, readResponse, thoughtEntries, withCheckedThought } from './dialogue/read-response.js';
export type { ResponseFormat } from './dialogue/response-format.js';
export { spaceDialogue } from './dialogue/space-dialogue.js';
export { tokenSpans } from './dialogue/token-spans.js';
export type {
  ActionOf,
  AnyEnv,
  Awaitable,
  Env,
  EnvMetadata,
  EnvSnapshot,
  Info,
  InfoOf,
  ObservationOf,
  RenderFrame,
  RenderMode,
  ResetOptions,
  ResetResult,
  StepResult,
  TopMarker,
} from './env.js';
export {
  ClosedError,
  EpisodeOverError,
  GymError,
  type GymErrorOptions,
  InvalidActionError,
  ResetNeededError,
  show,
} from './errors.js';
export { FileWriteError } from './files/file-error.js';
export { FolderLockedError } from './files/folder-lock.js';
export type { Image, RgbImage } from './image.js';
export { hashImage } from './images/hash-image.js';
export { decodePng, encodePng } from './images/png.js';
export { resizeImage } from './images/resize-image.js';
export { checkedInteger, checkedNumber, checkedOneOf, InvalidOptionError, UnknownOptionError } from './options.js';
export { option, type ParseSettings, parseOptions } from './parse-options.js';
export { freshSeed } from './random/entropy.js';
export { Generator, type GeneratorState } from './random/generator.js';
export { PythonRandom } from './random/python-random.js';
export { environmentSecrets, redactSecrets } from './redact-secrets.js';
export {
  AmbiguousEnvNameError,
  CONTENT_SPLITS,
  closest,
  DeprecatedEnvError,
  declaredEnvironments,
  type EnvRegistration,
  type EnvSpec,
  findRegistration,
  formatEnvId,
  InvalidEnvIdError,
  InvalidRegistrationError,
  importModule,
  installedEnvironments,
  type KnownEnv,
  type KnownEnvs,
  type MakeOptions,
  make,
  makeFromSpec,
  makeFromUntrustedSpec,
  parseEnvId,
  RegistrationError,
  register,
  registeredIds,
  registeredVerifiers,
  registerScheme,
  registerVerifier,
  registerWrapper,
  resolveEnvId,
  SpecJsonError,
  setWarningSink,
  spec,
  specFromJson,
  specToJson,
  type TrainingSettings,
  UnknownEnvError,
  UnknownEnvVersionError,
  UnknownWrapperError,
  UnsupportedRenderModeError,
  UntrustedSpecError,
  unregister,
  warn,
} from './registry/index.js';
export { checkResetOptions, parseReset } from './reset-options.js';
export {
  encodedBy,
  generatorState,
  numpyRandomState,
  parseSnapshot,
  parseState,
  pythonRandomState,
  type SnapshotFault,
  SnapshotMismatchError,
  savedCount,
} from './snapshot.js';
export type { JsonSchema, SampleOptions, Space, SpaceJson, SpaceValue } from './spaces/space.js';
export * as spaces from './spaces/spaces.js';
export { stepLimitOf } from './step-limit.js';
export {
  checkedSplit,
  drawInSplit,
  EmptySplitError,
  SPLITS,
  type Split,
  type SplitOption,
  splitOf,
  TEST_SHARE,
} from './tasks/split.js';
export { contentDigest, type TaskInfo, taskKey, taskKeyOf } from './tasks/task-key.js';
export { checkTrajectory } from './trajectory/check.js';
export { readTrajectories, TrajectoryReader } from './trajectory/reader.js';
export { EpisodeRecorder, recordEpisode } from './trajectory/recorder.js';
export { replay } from './trajectory/replay.js';
export { TrajectoryWriter } from './trajectory/writer.js';
export { type TruncationReason, truncationReasons } from './truncation.js';
export { ConcurrentVectorEnv, SerialVectorEnv } from './vector/local-vector-env.js';
export { type MadeVectorEnv, type MakeVecOptions, makeVec } from './vector/make-vec.js';
export type { AnyVectorEnv, VectorEnv } from './vector/vector-env.js';
export { WorkerVectorEnv } from './vector/worker-vector-env.js';
export { actionRepeat } from './wrappers/action-repeat.js';
export { earlyEnd } from './wrappers/early-end.js';
export { illegalAction } from './wrappers/illegal-action.js';
export { normalizeObservation, normalizeReward } from './wrappers/normalize.js';
export { flattenObservation } from './wrappers/observation/flatten-observation.js';
export { frameStack } from './wrappers/observation/frame-stack.js';
export { history } from './wrappers/observation/history.js';
export { grayscaleObservation, resizeObservation } from './wrappers/observation/image-observation.js';
export { ObservationWrapper, transformObservation } from './wrappers/observation/transform-observation.js';
export { orderEnforcing } from './wrappers/order-enforcing.js';
export { passiveChecker } from './wrappers/passive-checker.js';
export type { EnvWrapper, Pipe, PipeableEnv } from './wrappers/pipe.js';
export { recordEpisodeStatistics } from './wrappers/recording/record-episode-statistics.js';
export { recordVideo } from './wrappers/recording/record-video.js';
export { rescaleAction, rescaleObservation } from './wrappers/rescale.js';
export { stickyAction } from './wrappers/sticky-action.js';
export { TimeLimit, timeLimit } from './wrappers/time-limit.js';
export { transformAction } from './wrappers/transform-action.js';
export { clipReward, transformReward } from './wrappers/transform-reward.js';
export { type Capability, findWrapper, Wrapper, type WrapperOptions } from './wrappers/wrapper.js';
