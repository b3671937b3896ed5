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
export { FolderLockedError } from './files/folder-lock.js';
export type { Image, RgbImage } from './image.js';
export { checkedInteger, checkedNumber, checkedOneOf, InvalidOptionError, UnknownOptionError } from './options.js';
export { option, type ParseSettings, parseOptions } from './parse-options.js';
export { freshSeed } from './random/entropy.js';
export { Generator, type GeneratorState } from './random/generator.js';
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
export { type TruncationReason, truncationReasons } from './truncation.js';
export { type MadeVectorEnv, type MakeVecOptions, makeVec } from './vector/make-vec.js';
export type { AnyVectorEnv, VectorEnv } from './vector/vector-env.js';
export type { EnvWrapper, Pipe, PipeableEnv } from './wrappers/pipe.js';
export { type Capability, findWrapper, Wrapper, type WrapperOptions } from './wrappers/wrapper.js';
