/** What is told about an episode while it runs, and the pieces in which it leaves a recorder. */
import type { ChatMessage, ParsedResponse } from '../dialogue/dialogue.js';
import type { AnyEnv, ResetResult, StepResult } from '../env.js';
import type { ImageStore } from './images.js';
import type { StepError, TrajectoryHeader, TrajectoryOutcome, TrajectoryStep, TruncationReason } from './schema.js';

export interface EpisodeStart {
  /** Its spec, spaces and dialogue version are recorded. */
  readonly env: AnyEnv;
  /** What `reset` returned. */
  readonly first: ResetResult<unknown>;
  /** What `reset` was given; without a seed the episode cannot be replayed. */
  readonly seed?: number | undefined;
  readonly options?: Readonly<Record<string, unknown>> | undefined;
  /** Default: the environment's id and the seed. A writer appends `~2`, `~3`, … to an id its folder has already. */
  readonly id?: string | undefined;
  readonly agent?: TrajectoryHeader['agent'];
  readonly group?: string | undefined;
  /** Package name → version, beside `@vlgym/core`. */
  readonly createdBy?: Readonly<Record<string, string>> | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

/** What an agent said in one turn; an `AgentTurn` of @vlgym/agents fits. */
export interface RecordedTurn {
  readonly text: string;
  readonly parsed?: ParsedResponse<unknown> | undefined;
  readonly completion?:
    | {
        readonly tokenIds: ArrayLike<number>;
        readonly logProbs: ArrayLike<number>;
        readonly behaviorLogProbs: ArrayLike<number>;
        readonly tokenEnds: ArrayLike<number>;
        readonly finishReason: 'stop' | 'length';
        readonly promptTokenIds: ArrayLike<number>;
      }
    | undefined;
  readonly usage?: TrajectoryStep['usage'];
  readonly policyVersion?: number | undefined;
  readonly value?: number | undefined;
  readonly error?: StepError | undefined;
}

export interface EpisodeStep {
  readonly prompt?: readonly ChatMessage[] | undefined;
  readonly turn?: RecordedTurn | undefined;
  /** What was executed; left out when nothing reached the environment. */
  readonly action?: unknown;
  /** The action was drawn at random because the response gave none. */
  readonly fallback?: boolean | undefined;
  /** What `step` returned; left out when the environment did not answer. */
  readonly result?: StepResult<unknown> | undefined;
  /** Components of a shaped reward; `info.rewardParts` when left out. */
  readonly rewardParts?: Readonly<Record<string, number>> | undefined;
  /** Why the caller cuts the episode here; what the environment truncates needs no reason. */
  readonly truncationReason?: TruncationReason | undefined;
  /** What failed; without a `result` it ends the episode. `turn.error` when left out. */
  readonly error?: StepError | undefined;
  readonly latencyMs?: number | undefined;
}

export interface EpisodeEnd {
  readonly success?: boolean | undefined;
}

/** One piece of an episode as it leaves the recorder. */
export type TrajectoryEvent =
  | { readonly event: 'start'; readonly trajectory: TrajectoryHeader }
  | { readonly event: 'step'; readonly id: string; readonly step: TrajectoryStep }
  | { readonly event: 'end'; readonly id: string; readonly outcome: TrajectoryOutcome };

export interface RecorderOptions {
  readonly images: ImageStore;
  /** Receives each piece; when it rejects, the piece does not count as recorded. */
  readonly emit?: (event: TrajectoryEvent) => Promise<void>;
}
