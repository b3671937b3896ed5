/**
 * Python's `hash` of a pair of integers: CPython's tuple hash, a 64-bit xxHash (`Objects/tupleobject.c`), over the hashes of integers
 * (`Python/pyhash.c`). `golden.test.ts` pins values.
 */
const PRIME_1 = 11400714785074694791n;
const PRIME_2 = 14029467366897019727n;
const PRIME_5 = 2870177450012600261n;
const INTEGER_MODULUS = 2n ** 61n - 1n;
const wrap = (value: bigint): bigint => BigInt.asUintN(64, value);

/** @returns A signed 64-bit integer; numbers are non-negative integers. */
function hashOfPair(first: number, second: number): bigint {
  let sum = PRIME_5;
  for (const item of [first, second]) {
    sum = wrap(sum + (BigInt(item) % INTEGER_MODULUS) * PRIME_2);
    sum = wrap((sum << 31n) | (sum >> 33n));
    sum = wrap(sum * PRIME_1);
  }
  sum = wrap(sum + (2n ^ PRIME_5 ^ 3527539n));
  // -1 means an error in CPython
  return sum === wrap(-1n) ? 1546275796n : BigInt.asIntN(64, sum);
}

/** The seed of a world: `hash((seed, episode)) % (2**31 - 1)`. */
export function worldSeedOf(seed: number, episode: number): number {
  const modulus = 2n ** 31n - 1n;
  const remainder = hashOfPair(seed, episode) % modulus;
  return Number(remainder < 0n ? remainder + modulus : remainder);
}
