/** Seeds of games: which one follows a seed that gives no game. */
import { contentDigest } from '@vlgym/core';

export const TWO_32 = 2 ** 32;

/**
 * The first 32 bits of the SHA-256 of the seed's digits. VAGEN takes Python's hash of them, which differs in every process; both
 * agree whenever the first seed gives a game.
 */
export const nextSeed = (seed: number): number => Number.parseInt(contentDigest(String(seed)).slice(0, 8), 16);
