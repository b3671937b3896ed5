/** Validates the argument of `reset`: a typing error must not turn a seeded reset into an unseeded one. */
import { z } from 'zod';
import type { ResetOptions } from './env.js';
import { InvalidOptionError, UnknownOptionError } from './options.js';
import { parseOptions } from './parse-options.js';
import { InvalidSeedError } from './random/errors.js';
import { closest } from './registry/closest.js';
import { isRecord } from './type-tests.js';

const KEYS = ['seed', 'options'];

/**
 * The argument of every environment's `reset`, as in Gymnasium: a seed is a non-negative integer. (Python's own `random.seed`
 * takes the absolute value of a negative one; Gymnasium refuses it, because -7 and 7 would play the same episode.)
 *
 * @throws {InvalidSeedError | InvalidOptionError | UnknownOptionError}
 */
export function checkResetOptions(given: unknown): asserts given is ResetOptions | undefined {
  if (given === undefined) return;
  checkResetKeys(given, KEYS);
  const { seed } = given as ResetOptions;
  if (seed !== undefined) checkResetSeed(seed);
}

/** The part shared by resets of environments and of vectors. @throws {InvalidOptionError | UnknownOptionError} */
export function checkResetKeys(given: unknown, keys: readonly string[]): void {
  if (!isRecord(given)) {
    const hint = typeof given === 'number' ? `call \`reset({ seed: ${given} })\`` : 'call `reset({ seed: 7 })`';
    throw new InvalidOptionError('reset options', given, `an object with some of ${keys.join(', ')}`, hint);
  }
  for (const key of Object.keys(given)) {
    if (keys.includes(key)) continue;
    const hint = `put options of the environment under \`options\`: reset({ options: { ${key}: … } })`;
    throw new UnknownOptionError(key, keys, closest(key, keys) === undefined ? hint : undefined);
  }
  if (given.options !== undefined && !isRecord(given.options)) {
    throw new InvalidOptionError('options', given.options, 'an object', 'call `reset({ options: { … } })`');
  }
}

/** @throws {InvalidSeedError} The seed is not a non-negative safe integer. */
export function checkResetSeed(seed: unknown): asserts seed is number {
  if (Number.isSafeInteger(seed) && (seed as number) >= 0) return;
  throw new InvalidSeedError(
    seed,
    'a non-negative integer up to Number.MAX_SAFE_INTEGER',
    'pass a whole number such as 7; omit it to continue with the generator',
  );
}

/**
 * `checkResetOptions`, plus the environment's options of an episode, validated by their schemas.
 *
 * @example
 * const { seed, options } = parseReset(given, z.strictObject({ cards: z.array(z.string()).optional() }));
 */
export function parseReset<S extends z.ZodObject = typeof NO_OPTIONS>(
  given: ResetOptions | undefined,
  schema: S = NO_OPTIONS as unknown as S,
): { readonly seed: number | undefined; readonly options: z.output<S> } {
  checkResetOptions(given);
  const { seed, options = NONE } = given ?? NONE;
  // most resets have no options, and a parse costs as much as dealing a hand
  const isEmpty = options === NONE && (schema as unknown) === NO_OPTIONS;
  return { seed, options: isEmpty ? ({} as z.output<S>) : parseOptions(options, schema) };
}

const NO_OPTIONS = z.strictObject({});
const NONE: ResetOptions = Object.freeze({});
