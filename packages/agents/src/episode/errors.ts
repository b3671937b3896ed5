/** Errors of an episode in progress. */
import { GymError } from '@vlgym/core';

/** A turn while no episode is running. */
export class EpisodeNotRunningError extends GymError {
  constructor(why: string) {
    super(`${why}; reset first.`, { code: 'RESET_NEEDED', hint: 'reset, with a seed for a repeatable episode' });
  }
}

/** An episode that cannot be continued elsewhere. */
export class NotForkableError extends GymError {
  constructor(id: string, why: string, hint: string) {
    super(`The episode ${id} cannot be forked: ${why}.`, { code: 'NOT_FORKABLE', value: id, hint });
  }
}

/** The recorded actions led to something else: the environment is not deterministic. */
export class ForkDiffersError extends GymError {
  constructor(
    readonly id: string,
    /** Index of the turn whose result differs. */
    readonly turn: number,
    field: string,
  ) {
    super(`The fork of ${id} differs at turn ${turn}: another ${field} follows from the same actions.`, {
      code: 'FORK_DIFFERS',
      value: field,
      expected: 'an environment whose episodes follow from the seed and the actions',
      hint: 'run `checkEnv(env)`, or give the environment `snapshot` and `restore`',
    });
  }
}
