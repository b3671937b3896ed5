/** The input of a recorder during an episode, and the records it emits. */
import type { ChatMessage, ParsedResponse } from '../dialogue/dialogue.js';
import type { AnyEnv, ResetResult, StepResult } from '../env.js';
import type { TruncationReason } from '../truncation.js';
import type { ImageStore } from './images.js';
import type { StepError, TokenRecord, TrajectoryHeader, TrajectoryOutcome, TrajectoryStep } from './schema.js';

export interface EpisodeStart {
  /** Its spec, spaces and dialogue version are recorded. */
  readonly env: AnyEnv;
  /** The result of `reset`. */
  readonly first: ResetResult<unknown>;
  /** The argument of `reset`; without a seed the episode cannot be replayed. */
  readonly seed?: number | undefined;
  readonly options?: Readonly<Record<string, unknown>> | undefined;
  /** Default: the environment's id and the seed. A writer appends `~2`, `~3`, … to an id that its folder already has. */
  readonly id?: string | undefined;
  readonly agent?: TrajectoryHeader['agent'];
  readonly group?: string | undefined;
  /** Package name → version, besides `@vlgym/core`. */
  readonly createdBy?: Readonly<Record<string, string>> | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

export interface RecordedToolCall {
  readonly id?: string | undefined;
  readonly name: string;
  readonly input: unknown;
  readonly output?: unknown;
  readonly error?: string | undefined;
}

/** An agent's output in one turn; an `AgentTurn` of @vlgym/agents has this shape. */
export interface RecordedTurn {
  readonly text: string;
  readonly parsed?: ParsedResponse<unknown> | undefined;
  readonly completion?:
    | {
        readonly tokenIds: ArrayLike<number>;
        readonly logProbs?: ArrayLike<number> | undefined;
        readonly behaviorLogProbs: ArrayLike<number>;
        readonly tokenEnds: ArrayLike<number>;
        readonly finishReason: 'stop' | 'length';
        readonly promptTokenIds: ArrayLike<number>;
        readonly versions?: readonly Readonly<NonNullable<TokenRecord['versions']>[number]>[] | undefined;
      }
    | undefined;
  /** Calls of tools before the action, in order. */
  readonly toolCalls?: readonly RecordedToolCall[] | undefined;
  readonly reasoning?: string | undefined;
  readonly finishReason?: string | undefined;
  /** Sampling settings; never a secret. */
  readonly sampling?: Readonly<Record<string, unknown>> | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  readonly latencyMs?: number | undefined;
  readonly usage?: TrajectoryStep['usage'];
  readonly policyVersion?: number | undefined;
  readonly value?: number | undefined;
  readonly error?: StepError | undefined;
}

export interface EpisodeStep {
  readonly prompt?: readonly ChatMessage[] | undefined;
  readonly turn?: RecordedTurn | undefined;
  /** The executed action; absent if none reached the environment. */
  readonly action?: unknown;
  /** No action could be read: `action` was drawn at random, or is absent because the environment was left alone. */
  readonly fallback?: boolean | undefined;
  /** The result of `step`; absent if the environment did not return one. */
  readonly result?: StepResult<unknown> | undefined;
  /** Components of a shaped reward; default: `info.rewardParts`. */
  readonly rewardParts?: Readonly<Record<string, number>> | undefined;
  /** The reason why the caller truncates the episode here; not needed if the environment truncates it. */
  readonly truncationReason?: TruncationReason | undefined;
  /** The failure; without a `result` it ends the episode. Default: `turn.error`. */
  readonly error?: StepError | undefined;
  readonly latencyMs?: number | undefined;
}

export interface EpisodeEnd {
  readonly success?: boolean | undefined;
}

/** One record of an episode, as the recorder emits it. */
export type TrajectoryEvent =
  | { readonly event: 'start'; readonly trajectory: TrajectoryHeader }
  | { readonly event: 'step'; readonly id: string; readonly step: TrajectoryStep }
  | { readonly event: 'end'; readonly id: string; readonly outcome: TrajectoryOutcome };

export interface RecorderOptions {
  readonly images: ImageStore;
  /** Receives each record; if it rejects, the record does not count as recorded. */
  readonly emit?: ((event: TrajectoryEvent) => Promise<void>) | undefined;
}
