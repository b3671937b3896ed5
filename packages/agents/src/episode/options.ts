/** How an episode is played, and how one begins. */
import type { Dialogue, Env, Generator, Info } from '@vlgym/core';
import { names } from '@vlgym/core/internal';
import type { Fallback } from '../fallback.js';

export interface EpisodeOptions<Observation = unknown, Action = unknown, I extends Info = Info> {
  /** Belongs to the episode until it is closed. */
  readonly env: Env<Observation, Action, I>;
  /** Default: that of the environment. */
  readonly dialogue?: Dialogue<Observation, Action, I> | undefined;
  /** Draws random actions in place of unreadable answers; default: from the seed, as in `evaluate`. */
  readonly rng?: Generator | undefined;
  /** How an unreadable answer is handled; default `illegal-noop`. */
  readonly fallback?: Fallback | undefined;
  /** Reward of a turn that does not step the environment; default 0. */
  readonly fallbackReward?: number | undefined;
  /** Turns after which the episode is cut; default: the limits of the environment and its spec (`stepLimitOf`). */
  readonly maxSteps?: number | undefined;
  /** Milliseconds that a reset or a step may take; default: no limit. Synchronous environments cannot be stopped. */
  readonly environmentTimeoutMs?: number | undefined;
  /** Ends the episode as `interrupted`. */
  readonly signal?: AbortSignal | undefined;
}

export interface EpisodeResetOptions {
  readonly seed?: number | undefined;
  /** Options of the environment's reset. */
  readonly options?: Readonly<Record<string, unknown>> | undefined;
  /** Default: the name of the environment and the seed. */
  readonly id?: string | undefined;
}

export const RESET_OPTIONS = names<EpisodeResetOptions>({ seed: 0, options: 0, id: 0 });

export const FORK_OPTIONS = ['at', 'makeEnv', 'id', 'rng'];
