/**
 * Parts that an algorithm takes in an episode while it is collected: notes on a turn, forks of an episode, turns that an
 * expert plays first, a shorter limit.
 *
 * Hooks run in the process that plays. A source whose episodes other programs play refuses them.
 */
import type { Decision, Episode } from '@vlgym/agents/episode';
import { type Awaitable, type ChatMessage, GymError } from '@vlgym/core';
import type { SampledResponse } from './sampler.js';

/** A turn whose response is sampled and not executed yet. */
export interface RunningTurn {
  /** In the state that the response is about. */
  readonly episode: Episode;
  readonly prompt: readonly ChatMessage[];
  readonly response: SampledResponse;
  readonly decision: Decision;
  /** The group of its episode, from `collectEpisodes`. */
  readonly group?: number | undefined;
  readonly isFork: boolean;
}

/** Orders for a running turn besides its execution. */
export interface TurnOrders {
  /** Plain data, kept as `note` of the step. */
  readonly note?: unknown;
  /** Other episodes to begin in the state that the response is about; only from `collectEpisodes`. Default 0. */
  readonly forks?: number | undefined;
}

export interface EpisodeHooks {
  /** Called with all turns of the lock step at once. @returns one entry per turn. */
  readonly onTurn?: ((turns: readonly RunningTurn[]) => Awaitable<readonly (TurnOrders | undefined)[]>) | undefined;
  /**
   * True: forks run along with the episodes that they come from, and `onTurn` is called for their turns as well. False
   * (default): they are played to their end before the next turn, without it.
   */
  readonly joinForks?: boolean | undefined;
  /**
   * Turns that the environment's expert plays before the policy, of the `expertTurns` that it needs alone: less than
   * these, so that something is left to play. The first step of the policy has them as its `note`, an `Opening`. Only from
   * `collectEpisodes`; called once per group, so that its episodes begin in the same state.
   */
  readonly opening?: ((expertTurns: number, seed: number) => number) | undefined;
  /** Turns after which an episode is cut, unless its own limit comes first. */
  readonly maxSteps?: number | undefined;
}

/** Rollouts of other programs were to run hooks. */
class HooksUnsupportedError extends GymError {
  constructor(hooks: EpisodeHooks) {
    super('This algorithm takes part in episodes, but other programs play them.', {
      code: 'HOOKS_UNSUPPORTED',
      value: Object.keys(hooks),
      expected: 'environments in the processes that train',
      hint: 'train without a queue',
    });
  }
}

/** For sources whose episodes other programs play. @throws {HooksUnsupportedError} */
export function refuseHooks({ hooks }: { readonly hooks?: EpisodeHooks | undefined }): void {
  if (hooks) throw new HooksUnsupportedError(hooks);
}
