/** Which episodes an evaluation plays: a fixed list of seeds, so that every agent plays the same tasks. */
import { Generator, InvalidOptionError } from '@vlgym/core';

export interface EpisodePlan {
  /** Index in the list, from 0. */
  readonly index: number;
  readonly seed: number;
  /** Number of earlier occurrences of the seed in the list. */
  readonly repeat: number;
}

/** @throws {InvalidOptionError}  A seed is not a whole number of 0 or more, or the options contradict each other. */
export function planEpisodes(episodes: number | undefined, seeds: readonly number[] | undefined): EpisodePlan[] {
  if (episodes !== undefined && !(Number.isSafeInteger(episodes) && episodes > 0)) {
    throw new InvalidOptionError('episodes', episodes, 'a whole number, 1 or more');
  }
  if (seeds && episodes !== undefined && seeds.length !== episodes) {
    throw new InvalidOptionError('seeds', seeds, `${episodes} seeds, to match \`episodes\`; or leave \`episodes\` out`);
  }
  if (seeds?.length === 0) throw new InvalidOptionError('seeds', seeds, 'at least one seed');
  const list = seeds ?? Array.from({ length: episodes ?? 100 }, (_, index) => index);
  const times = new Map<number, number>();
  return list.map((seed, index) => {
    if (!(Number.isSafeInteger(seed) && seed >= 0)) {
      throw new InvalidOptionError('seeds', seed, 'whole numbers, 0 or more');
    }
    const repeat = times.get(seed) ?? 0;
    times.set(seed, repeat + 1);
    return { index, seed, repeat };
  });
}

/**
 * The agent's generator for one episode: spawned from the seed, so that it differs from the environment's generator,
 * which starts from the seed itself, and does not depend on which other episodes are played.
 */
export function episodeGenerator({ seed, repeat }: EpisodePlan): Generator {
  return new Generator(seed).spawn(repeat + 1)[repeat]!;
}
