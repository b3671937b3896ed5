/**
 * One environment step as an algorithm needs it: the exact model input, the response, what it led to.
 *
 * The full input is kept because a ratio evaluated on another prompt is wrong from the first pass on
 * (`docs/specs/algorithms.md` 0.1 and section 1).
 */
import type { BoundaryError } from '@vlgym/agents';
import type { EpisodeSummary } from '@vlgym/agents/episode';
import type { TokenVersions } from '@vlgym/agents/model';
import { GymError, type ParsedResponse } from '@vlgym/core';
import type { ModelInput } from '../model-input.js';

export type { EpisodeSummary };

/** Components of the reward, kept separate. */
export interface RewardParts {
  /** The environment's reward, or the value that a rule replaced it with. */
  environment: number;
  /** For an answer in the asked-for format, or for one without. */
  format: number;
}

export interface StepRecord {
  /** Which of the N environments. */
  readonly environment: number;
  readonly episodeId: string;
  /** Episodes of one group began in the same state; only from `collectEpisodes`. */
  readonly group?: number;
  /** Equal for steps that began in the same state, as far as the agent can see; where `collectEpisodes` was asked for it. */
  readonly stateKey?: string;
  /** 0 for the first step of the episode. */
  readonly stepIndex: number;
  /** Weights that sampled the response; the oldest of them where `versions` names several. */
  readonly policyVersion: number;
  /** Weights by token, where a server sampled them; see `tokenVersions`. */
  readonly versions?: readonly TokenVersions[];

  readonly input: ModelInput;
  readonly text: string;
  /** [L] */
  readonly responseIds: Int32Array;
  /** [L] */
  readonly tokenEnds: Int32Array;
  /** [L] 1 on thought tokens; disjoint from `actionMask`, together every token. */
  readonly thoughtMask: Uint8Array;
  readonly actionMask: Uint8Array;
  /** [L] of the distribution really sampled from. */
  readonly behaviorLogProbs: Float32Array;
  /** [L] of the policy before the update, training definition; absent until `rescore` sets it. */
  oldLogProbs?: Float32Array;
  /** [L] nats; set by `rescore`. */
  entropies: Float32Array;
  /** Hidden state that `value` is read from, where the critic is fitted on it; set by `rescore`. */
  state?: Float32Array;
  /** [L] of the frozen reference, where the regularizer needs them; set by `rescore`. */
  referenceLogProbs?: Float32Array;

  readonly parsed: ParsedResponse;
  /** No action could be read: the fallback rule decided. */
  readonly fallback: boolean;
  /** Cut by the token limit. */
  readonly lengthTruncated: boolean;

  readonly reward: RewardParts;
  readonly terminated: boolean;
  readonly truncated: boolean;
  readonly error?: BoundaryError;

  /** Its weights are too old: it trains the critic and counts for its group, but does not train the policy. */
  readonly withheld?: boolean;

  /** V(o_t) in units of reward; set by `rescore`. */
  value: number;
  /** [L] V(o_t, y_<l) of each token before it was written, in units of reward; set by `rescore` where it is asked for. */
  tokenValues?: Float64Array;
  /** The note that a hook of the algorithm made on this turn (`EpisodeHooks`). */
  readonly note?: unknown;
  /** Value of the real successor; 0 after a terminated step; set by `rescore`. */
  nextValue: number;
  /** Input of the successor observation where it is not the next record: at truncations and at the end of the buffer. */
  readonly successor?: ModelInput;
}

/** Steps in the order they were played, with what belongs together. */
export interface RolloutBuffer {
  readonly steps: readonly StepRecord[];
  /**
   * Rows of `steps` in the order of time: one list per environment from `collectSteps`, in which episodes may end and
   * begin; one list per episode from `collectEpisodes`.
   */
  readonly trajectories: readonly (readonly number[])[];
  /** Episodes that ended while it was filled. */
  readonly episodes: readonly EpisodeSummary[];
  /** Distinct tasks of the episodes it holds steps of, where the environment names them. */
  readonly taskKeys: readonly string[];
  /**
   * `remote`: another program, other weights, or a copy of them in fewer bytes sampled it, so behavior and training
   * log-probs differ even without cuts.
   * Default `in-process`.
   */
  readonly sampler?: SampleOrigin;
  /** Forks of its episodes, where a hook asked for them; `steps` has none of theirs. */
  readonly forks?: readonly Fork[];
}

/** Where a fork began. */
export interface ForkOrigin {
  /** `episodeId` of the episode or fork that it comes from. */
  readonly parent: string;
  /** `stepIndex` of the step of the parent that begins in the same state. */
  readonly at: number;
}

/** Another episode from a state of an episode, to its end. */
export interface Fork extends ForkOrigin {
  /** In the order of time; at least one. */
  readonly steps: readonly StepRecord[];
  /** The whole episode, with the part that it shares with its parent. */
  readonly summary: EpisodeSummary;
}

/** The origin of sampled tokens: the code that scores them, or another program. */
export type SampleOrigin = 'in-process' | 'remote';

/**
 * The old log-probs of a step.
 *
 * @throws {GymError} `NOT_RESCORED`: the losses would compare with nothing.
 */
export function oldLogProbsOf({ oldLogProbs, episodeId, stepIndex }: StepRecord): Float32Array {
  if (oldLogProbs) return oldLogProbs;
  throw new GymError(`Step ${stepIndex} of ${episodeId} has no old log-probs.`, {
    code: 'NOT_RESCORED',
    value: stepIndex,
    expected: 'a buffer that `rescore` has seen',
    hint: 'call `rescore(run, buffer)` before `optimize`',
  });
}
