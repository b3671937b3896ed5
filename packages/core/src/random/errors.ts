/** Errors of generators. */
import { GymError, show } from '../errors.js';

/** A seed that is not a non-negative integer. */
export class InvalidSeedError extends GymError {
  constructor(
    value: unknown,
    expected = 'a non-negative integer up to Number.MAX_SAFE_INTEGER, or a bigint',
    hint = 'pass a whole number such as 7, or a bigint such as 7n for larger seeds',
  ) {
    super(`Invalid seed: ${show(value)}.`, { code: 'INVALID_SEED', value, expected, hint });
  }
}

/** Invalid arguments of a draw: an empty range, weights that do not sum to 1, … */
export class InvalidDrawError extends GymError {
  constructor(method: string, value: unknown, expected: string, hint?: string) {
    super(`\`${method}\` cannot draw with ${show(value)}.`, {
      code: 'INVALID_DRAW',
      value,
      expected,
      ...(hint === undefined ? {} : { hint }),
    });
  }
}

/** Data that is not a saved state of this type of generator. */
export class InvalidStateError extends GymError {
  constructor(value: unknown, expected: string) {
    super(`${show(value)} is not a generator state.`, {
      code: 'INVALID_STATE',
      value,
      expected,
      hint: 'pass the result of `getState()` of the same type of generator',
    });
  }
}
