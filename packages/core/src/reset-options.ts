/** The argument of `reset`, checked: a typing error must not turn a seeded reset into an unseeded one. */
import { z } from 'zod';
import type { ResetOptions } from './env.js';
import { InvalidOptionError, UnknownOptionError } from './options.js';
import { isPlain, parseOptions } from './parse-options.js';
import { InvalidSeedError } from './random/errors.js';
import { closest } from './registry/closest.js';

const KEYS = ['seed', 'options'];

/**
 * What every environment's `reset` takes, as in Gymnasium: a seed is a non-negative integer. (Python's own `random.seed`
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

/** What resets of environments and of vectors have in common. @throws {InvalidOptionError | UnknownOptionError} */
export function checkResetKeys(given: unknown, keys: readonly string[]): void {
  if (!isPlain(given)) {
    const hint = typeof given === 'number' ? `call \`reset({ seed: ${given} })\`` : 'call `reset({ seed: 7 })`';
    throw new InvalidOptionError('reset options', given, `an object with some of ${keys.join(', ')}`, hint);
  }
  for (const key of Object.keys(given)) {
    if (keys.includes(key)) continue;
    const hint = `what one environment offers for an episode goes under \`options\`: reset({ options: { ${key}: … } })`;
    throw new UnknownOptionError(key, keys, closest(key, keys) === undefined ? hint : undefined);
  }
  if (given.options !== undefined && !isPlain(given.options)) {
    throw new InvalidOptionError('options', given.options, 'an object', 'call `reset({ options: { … } })`');
  }
}

/** @throws {InvalidSeedError} Not a non-negative safe integer. */
export function checkResetSeed(seed: unknown): asserts seed is number {
  if (Number.isSafeInteger(seed) && (seed as number) >= 0) return;
  throw new InvalidSeedError(
    seed,
    'a non-negative integer up to Number.MAX_SAFE_INTEGER',
    'pass a whole number such as 7; leave it out to carry on with the generator',
  );
}

/**
 * `checkResetOptions`, and the environment's own options for an episode by their schemas.
 *
 * @example
 * const { seed, options } = parseReset(given, z.strictObject({ cards: z.array(z.string()).optional() }));
 */
export function parseReset<S extends z.ZodObject = typeof NO_OPTIONS>(
  given: ResetOptions | undefined,
  schema: S = NO_OPTIONS as unknown as S,
): { readonly seed: number | undefined; readonly options: z.output<S> } {
  checkResetOptions(given);
  return { seed: given?.seed, options: parseOptions(given?.options ?? {}, schema) };
}

const NO_OPTIONS = z.strictObject({});
