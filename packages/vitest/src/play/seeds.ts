import { checkedInteger, InvalidOptionError } from '@vlgym/core';

/**
 * The seeds of a test: given, or 0, 1, 2, …
 *
 * @throws {InvalidOptionError}  A seed occurs twice: episodes on one seed are not independent.
 */
export function seedsOf(
  seeds: readonly number[] | undefined,
  episodes: number | undefined,
  most: number,
): readonly number[] {
  if (seeds === undefined) {
    const count = checkedInteger('episodes', episodes ?? most, 1, 10_000);
    return Array.from({ length: count }, (_, seed) => seed);
  }
  if (new Set(seeds).size < seeds.length) throw new InvalidOptionError('seeds', seeds, 'each seed once');
  if (episodes !== undefined && episodes !== seeds.length) {
    throw new InvalidOptionError('episodes', episodes, `${seeds.length}, the number of seeds; or leave it out`);
  }
  return seeds;
}
