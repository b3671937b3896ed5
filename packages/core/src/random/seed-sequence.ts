/**
 * NumPy's SeedSequence: turns any seed into well mixed initial words, and one seed into many independent ones.
 *
 * Rules follow `numpy/numpy`, `numpy/random/bit_generator.pyx`; `test/golden/numpy-rng.json` pins the words.
 */
import { checkNames } from '../options.js';
import { InvalidDrawError, InvalidSeedError } from './errors.js';
import { toWords } from './words.js';

const POOL_SIZE = 4;
const INIT_A = 0x43b0d7e5;
const MULT_A = 0x931e8875;
const INIT_B = 0x8b51f9dd;
const MULT_B = 0x58f38ded;
const MIX_LEFT = 0xca01f9dd;
const MIX_RIGHT = 0x4973f715;

/** One non-negative integer, or several that are combined. */
export type Entropy = number | bigint | readonly (number | bigint)[];

const SEED_SEQUENCE_CONSTRUCTOR_OPTIONS = ['spawnKey'];

export class SeedSequence {
  readonly entropy: Entropy;
  /** Path in the tree of `spawn`ed sequences; empty for the root. */
  readonly spawnKey: readonly number[];
  readonly #pool = new Uint32Array(POOL_SIZE);
  #children = 0;

  /** @throws {InvalidSeedError} A part of `entropy` is negative, fractional or beyond the safe integers. */
  constructor(entropy: Entropy, options: { readonly spawnKey?: readonly number[] | undefined } = {}) {
    checkNames('options', options, SEED_SEQUENCE_CONSTRUCTOR_OPTIONS);
    const { spawnKey = [] } = options;

    this.entropy = entropy;
    this.spawnKey = spawnKey;
    this.#mix(entropyWords(entropy, spawnKey));
  }

  /** `count` unsigned 32-bit words; a longer request starts with the words of a shorter one. */
  generateState(count: number): Uint32Array {
    const words = new Uint32Array(count);
    let hash = INIT_B;
    for (let index = 0; index < count; index += 1) {
      let value = this.#pool[index % POOL_SIZE]! ^ hash;
      hash = Math.imul(hash, MULT_B);
      value = Math.imul(value, hash);
      words[index] = value ^ (value >>> 16);
    }
    return words;
  }

  /** `count` further sequences, independent of this one, of each other and of those spawned before. */
  spawn(count: number): SeedSequence[] {
    if (!Number.isSafeInteger(count) || count < 0) throw new InvalidDrawError('spawn', count, 'a count of 0 or more');
    const first = this.#children;
    this.#children += count;
    return Array.from(
      { length: count },
      (_, index) => new SeedSequence(this.entropy, { spawnKey: [...this.spawnKey, first + index] }),
    );
  }

  #mix(words: readonly number[]): void {
    const pool = this.#pool;
    let hash = INIT_A;
    const hashMix = (word: number): number => {
      const mixed = word ^ hash;
      hash = Math.imul(hash, MULT_A);
      const value = Math.imul(mixed, hash);
      return value ^ (value >>> 16);
    };
    const mixInto = (target: number, word: number): void => {
      const value = Math.imul(MIX_LEFT, pool[target]!) - Math.imul(MIX_RIGHT, hashMix(word));
      pool[target] = value ^ (value >>> 16);
    };

    for (let index = 0; index < POOL_SIZE; index += 1) pool[index] = hashMix(words[index] ?? 0);
    for (let source = 0; source < POOL_SIZE; source += 1) {
      for (let target = 0; target < POOL_SIZE; target += 1) {
        if (source !== target) mixInto(target, pool[source]!);
      }
    }
    for (let index = POOL_SIZE; index < words.length; index += 1) {
      for (let target = 0; target < POOL_SIZE; target += 1) mixInto(target, words[index]!);
    }
  }
}

/** Validates a seed. */
export function checkSeed(seed: unknown): number | bigint {
  if (typeof seed === 'bigint' ? seed >= 0n : Number.isSafeInteger(seed) && (seed as number) >= 0) {
    return seed as number | bigint;
  }
  throw new InvalidSeedError(seed);
}

function entropyWords(entropy: Entropy, spawnKey: readonly number[]): number[] {
  const parts: readonly (number | bigint)[] = Array.isArray(entropy) ? entropy : [entropy as number | bigint];
  const words = parts.flatMap((part) => toWords(checkSeed(part)));
  if (spawnKey.length === 0) return words;
  // a child of a short seed must differ from the root of a long seed with the same words
  while (words.length < POOL_SIZE) words.push(0);
  return [...words, ...spawnKey.flatMap((part) => toWords(checkSeed(part)))];
}
