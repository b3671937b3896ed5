/** The time limit of an episode, for callers that count turns which the environment does not see. */
import type { AnyEnv } from './env.js';

/**
 * Turns after which an episode ends at the latest: the environment's own limit or that of its spec, whichever is smaller.
 * Infinity without either.
 */
export function stepLimitOf({ stepLimit, spec }: Pick<AnyEnv, 'stepLimit' | 'spec'>): number {
  const declared = spec?.maxEpisodeSteps ?? -1;
  return Math.min(stepLimit ?? Number.POSITIVE_INFINITY, declared > 0 ? declared : Number.POSITIVE_INFINITY);
}
