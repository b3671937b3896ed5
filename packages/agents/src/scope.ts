/**
 * Which episode the running code belongs to, for code that is called from inside an agent and receives no context: models,
 * tools, streams of answers. It follows the calls of a turn, also over awaits.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { PartEvent } from './events/turn-events.js';
import type { Observer } from './observer.js';

export interface EpisodeScope {
  /** Id in the recording. */
  id: string;
  readonly seed: number;
  /** Number of earlier occurrences of the seed in the list of seeds. */
  readonly repeat: number;
  /** Index of the turn, from 0. */
  step: number;
  readonly observer?: Observer | undefined;
  /** The evaluation wants pieces of answers. */
  readonly onPart?: ((part: PartEvent) => void) | undefined;
}

const storage = new AsyncLocalStorage<EpisodeScope>();

/** Runs `work`, and everything that it calls, in the scope of an episode. */
export const inScope = <T>(scope: EpisodeScope, work: () => T): T => storage.run(scope, work);

/** The episode that is being played here; `undefined` outside of evaluations. */
export const currentScope = (): EpisodeScope | undefined => storage.getStore();
