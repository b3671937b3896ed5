/** The public interface; `docs/api/core.txt` lists it. `internal.ts`, `testing/index.ts` and `verification/index.ts` are further entries. */
import { assertNode } from './node-version.js';

assertNode();

export { chain } from './async/chain.js';
export { BaseEnv, type BaseEnvOptions } from './base-env.js';
export { type CheckOptions, type CheckReport, checkEnv, type EnvOrFactory } from './checks/check-env.js';
export { CheckFailedError, type Finding, type FindingCode } from './checks/finding.js';
export { adaptDialogue, type DialogueChanges } from './dialogue/adapt-dialogue.js';
export {
  type AnswerConstraint,
  answerConstraint,
  type ConstraintKind,
  ConstraintUnsupportedError,
  constraintKind,
  type EndingConstraint,
  type SchemaConstraint,
} from './dialogue/answer-constraint.js';
export type {
  ChatMessage,
  ChatPart,
  Dialogue,
  DialogueTool,
  ParsedResponse,
  ParseFailure,
  PromptContext,
  Span,
  Turn,
} from './dialogue/dialogue.js';
export { type ActionMatch, matchAction } from './dialogue/match-action.js';
export { messageText, promptImages } from './dialogue/messages.js';
export { mapAction, type ParseOptions, parseResponse } from './dialogue/parse-response.js';
export {
  type CardRuleOptions,
  type CommandRuleOptions,
  type MissingMarker,
  rl4vlmCardAction,
  rl4vlmCommand,
} from './dialogue/published-rules.js';
export { isUnreadable, readResponse, thoughtEntries, withCheckedThought } from './dialogue/read-response.js';
export type { ResponseFormat } from './dialogue/response-format.js';
export { type SpaceDialogueOptions, spaceDialogue } from './dialogue/space-dialogue.js';
export { type TokenSpans, tokenSpans } from './dialogue/token-spans.js';
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
export { type FolderLock, FolderLockedError, lockFolder } from './files/folder-lock.js';
export { sha256OfFile } from './files/hash-file.js';
export { writeFileAtomic } from './files/write-file-atomic.js';
export type { Image, RgbImage } from './image.js';
export { toDataUrl } from './images/data-url.js';
export { grayscale } from './images/grayscale.js';
export { hashImage } from './images/hash-image.js';
export { ImageInvalidError } from './images/image-error.js';
export { assertImage, isImage } from './images/is-image.js';
export { decodePng, encodePng } from './images/png.js';
export { MAX_PNG_PIXELS } from './images/png-memory.js';
export { resizeImage } from './images/resize-image.js';
export { checkedInteger, checkedNumber, checkedOneOf, InvalidOptionError, UnknownOptionError } from './options.js';
export { option, type ParseSettings, parseOptions } from './parse-options.js';
export { freshSeed } from './random/entropy.js';
export { InvalidDrawError, InvalidSeedError, InvalidStateError } from './random/errors.js';
export { type ChoiceOptions, Generator, type GeneratorState, type IntegerType } from './random/generator.js';
export { PCG64, type Pcg64State } from './random/pcg64.js';
export { type ChoicesOptions, PythonRandom, type PythonRandomState } from './random/python-random.js';
export { type Entropy, SeedSequence } from './random/seed-sequence.js';
export { environmentSecrets, redactSecrets } from './redact-secrets.js';
export {
  type Agreement,
  AmbiguousEnvNameError,
  CONTENT_SPLITS,
  closest,
  type DeclaredEnv,
  DeprecatedEnvError,
  declaredEnvironments,
  type EntryPoint,
  type EnvBaseline,
  type EnvDeclaration,
  type EnvId,
  type EnvRegistration,
  type EnvScheme,
  type EnvSpec,
  type EnvSplits,
  type EnvSurface,
  type EnvVariants,
  findRegistration,
  formatEnvId,
  type GymWarning,
  InvalidEnvIdError,
  InvalidRegistrationError,
  importModule,
  installedEnvironments,
  type KnownClass,
  type KnownEnv,
  type KnownEnvs,
  type KnownOptions,
  type LabeledWarmStart,
  type MadeEnv,
  type MakeOptions,
  make,
  makeFromSpec,
  makeFromUntrustedSpec,
  type NoWarmStart,
  type OpenStage,
  type OriginalSetup,
  type PlayStage,
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
  type UntrustedSpecOptions,
  unregister,
  type Verification,
  type VerificationExtent,
  type VerificationReport,
  type Verifier,
  type WarmStart,
  type WarningSink,
  type WrapperFactory,
  type WrapperSpec,
  warn,
} from './registry/index.js';
export { checkResetOptions, parseReset } from './reset-options.js';
export {
  encodedBy,
  generatorState,
  parseSnapshot,
  parseState,
  pythonRandomState,
  type SnapshotFault,
  SnapshotMismatchError,
  savedCount,
} from './snapshot.js';
export type { DType, TypedArray, TypedArrays } from './spaces/arrays.js';
export { BaseSpace } from './spaces/base-space.js';
export { type BoxOptions, BoxSpace } from './spaces/box.js';
export { type ChatOptions, type ChatRole, ChatSpace } from './spaces/chat.js';
export { CompositeSpace } from './spaces/composite/composite-space.js';
export { DictSpace, type DictValue, type SpaceRecord } from './spaces/composite/dict.js';
export {
  type Graph,
  type GraphMask,
  type GraphOptions,
  type GraphSampleOptions,
  GraphSpace,
} from './spaces/composite/graph.js';
export { OneOfSpace, type OneOfValue } from './spaces/composite/one-of.js';
export { type SequenceMask, type SequenceOptions, SequenceSpace } from './spaces/composite/sequence.js';
export { TupleSpace, type TupleValue } from './spaces/composite/tuple.js';
export { type DiscreteOptions, DiscreteSpace } from './spaces/discrete.js';
export {
  InvalidMaskError,
  InvalidSpaceError,
  InvalidValueError,
  NotFlattenableError,
  SamplerMissingError,
  SpaceTooLargeError,
  UnsupportedSchemaError,
} from './spaces/errors.js';
export { type Channels, type ImageOptions, ImageSpace } from './spaces/image.js';
export { type JsonOptions, JsonSpace, type SchemaValue, type StandardSchema } from './spaces/json.js';
export { MAX_ELEMENTS, MAX_JSON_BYTES, MAX_TEXT_LENGTH } from './spaces/limits.js';
export type { EntryMask, MaskOptions } from './spaces/masks.js';
export { MultiBinarySpace } from './spaces/multi-binary.js';
export { type MultiDiscreteOptions, MultiDiscreteSpace } from './spaces/multi-discrete.js';
export type { JsonSchema, SampleOptions, Space, SpaceJson, SpaceValue } from './spaces/space.js';
export * as spaces from './spaces/spaces.js';
export { ALPHANUMERIC, type TextMask, type TextOptions, TextSpace } from './spaces/text.js';
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
export {
  type CheckTrajectoryOptions,
  checkTrajectory,
  type TrajectoryProblem,
  type TrajectoryReport,
} from './trajectory/check.js';
export { digestObservation } from './trajectory/digest.js';
export type {
  EpisodeEnd,
  EpisodeStart,
  EpisodeStep,
  RecordedToolCall,
  RecordedTurn,
  RecorderOptions,
  TrajectoryEvent,
} from './trajectory/episode.js';
export { ImageMissingError, TrajectoryInvalidError } from './trajectory/errors.js';
export { FolderImages, type ImageStore, MemoryImages } from './trajectory/images.js';
export { type ReadOptions, readTrajectories, TrajectoryReader } from './trajectory/reader.js';
export { EpisodeRecorder, recordEpisode } from './trajectory/recorder.js';
export {
  NotReplayableError,
  type ReplayMismatch,
  type ReplayOptions,
  type ReplayReport,
  replay,
} from './trajectory/replay.js';
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
} from './trajectory/schema.js';
export { TrajectoryWriter } from './trajectory/writer.js';
export { type TruncationReason, truncationReasons } from './truncation.js';
export type { VectorOptions } from './vector/base-vector-env.js';
export { DrawnRows } from './vector/drawn-rows.js';
export { StepTimeoutError } from './vector/env-slot.js';
export type { WorkerLimits } from './vector/env-thread.js';
export { WorkerLostError, WorkerNeedsModuleError, WorkerStartTimeoutError } from './vector/env-thread.js';
export type { DrawsInto, FrameOptions } from './vector/frames.js';
export {
  ConcurrentVectorEnv,
  type ConcurrentVectorOptions,
  type CreateEnv,
  type LocalVectorOptions,
  SerialVectorEnv,
} from './vector/local-vector-env.js';
export { type MadeVectorEnv, type MakeVecOptions, makeVec } from './vector/make-vec.js';
export { type ThreadEnvsOptions, ThreadedEnv, threadEnvs } from './vector/threaded-env.js';
export {
  type AnyVectorEnv,
  type AutoresetMode,
  type FailureData,
  type FailureReason,
  type SlotSnapshot,
  VectorArgumentError,
  type VectorEnv,
  VectorEnvFailedError,
  type VectorMetadata,
  type VectorResetOptions,
  type VectorResetResult,
  type VectorSnapshot,
  type VectorStepResult,
} from './vector/vector-env.js';
export {
  WorkerRestartError,
  WorkerVectorEnv,
  type WorkerVectorOptions,
} from './vector/worker-vector-env.js';
export { ActionRepeat, actionRepeat } from './wrappers/action-repeat.js';
export { EarlyEnd, type EarlyEndOptions, earlyEnd } from './wrappers/early-end.js';
export { IllegalAction, type IllegalActionOptions, illegalAction } from './wrappers/illegal-action.js';
export {
  NormalizeObservation,
  type NormalizeOptions,
  NormalizeReward,
  type NormalizeRewardOptions,
  normalizeObservation,
  normalizeReward,
} from './wrappers/normalize.js';
export { flattenObservation } from './wrappers/observation/flatten-observation.js';
export { FrameStack, frameStack } from './wrappers/observation/frame-stack.js';
export { History, type HistoryOptions, history } from './wrappers/observation/history.js';
export { grayscaleObservation, resizeObservation } from './wrappers/observation/image-observation.js';
export { ObservationWrapper, transformObservation } from './wrappers/observation/transform-observation.js';
export { OrderEnforcing, orderEnforcing } from './wrappers/order-enforcing.js';
export { PassiveChecker, passiveChecker } from './wrappers/passive-checker.js';
export type { EnvWrapper, Pipe, PipeableEnv } from './wrappers/pipe.js';
export { ApngWriter, VideoError, type VideoOptions, type VideoWriter } from './wrappers/recording/apng-writer.js';
export {
  type EpisodeStatistics,
  RecordEpisodeStatistics,
  type RecordEpisodeStatisticsOptions,
  recordEpisodeStatistics,
} from './wrappers/recording/record-episode-statistics.js';
export { cubes, RecordVideo, type RecordVideoOptions, recordVideo } from './wrappers/recording/record-video.js';
export { type RescaleOptions, rescaleAction, rescaleObservation } from './wrappers/rescale.js';
export type { Moments } from './wrappers/running-moments.js';
export { StickyAction, type StickyActionOptions, stickyAction } from './wrappers/sticky-action.js';
export { TimeLimit, timeLimit } from './wrappers/time-limit.js';
export { TransformAction, type TransformActionOptions, transformAction } from './wrappers/transform-action.js';
export { clipReward, TransformReward, transformReward } from './wrappers/transform-reward.js';
export { type Capability, findWrapper, Wrapper, type WrapperOptions } from './wrappers/wrapper.js';
