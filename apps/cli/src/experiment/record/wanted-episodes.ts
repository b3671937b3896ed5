/**
 * Which episodes are worth a trajectory, asked when they begin: those that a recorded update will keep. Of the coming update
 * it keeps the first ones; of the update before it, those that are still being played at its end, which are the last to begin.
 * How many these are is taken from the previous update, and doubled; an episode that is missed is kept without its trajectory.
 * Counts alone decide, never a clock.
 */
import type { RolloutBuffer } from '@vlgym/rl';

/** Episodes may begin in another order than their steps are stored in, by as many as are played at once. */
const MARGIN = 32;

export class WantedEpisodes {
  readonly #every: number;
  readonly #limit: number;
  /** Episodes that have begun since the last update. */
  #begun = 0;
  /** From this one on, an episode may still be played when the update comes. */
  #late = 0;

  /** @param limit  Episodes that a recorded update keeps. */
  constructor(every: number, limit: number) {
    this.#every = every;
    this.#limit = limit;
  }

  /** To be asked once for each episode that begins. @param seen  Updates so far. */
  next(seen: number): boolean {
    const at = this.#begun;
    this.#begun += 1;
    const isFirst = (seen + 1) % this.#every === 0 && at < this.#limit + MARGIN;
    return isFirst || ((seen + 2) % this.#every === 0 && at >= this.#late);
  }

  /** To be told of each update. */
  learn({ steps, episodes }: Pick<RolloutBuffer, 'steps' | 'episodes'>): void {
    const ids = [...new Set(steps.map(({ episodeId }) => episodeId))];
    const ended = new Set(episodes.map(({ id }) => id));
    const firstOpen = ids.findIndex((id) => !ended.has(id));
    const open = firstOpen < 0 ? 0 : ids.length - firstOpen;
    this.#late = Math.max(0, this.#begun - 2 * open - MARGIN);
    this.#begun = 0;
  }
}
