/** What can be wrong with a call to a generator. */
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

/** An argument of a draw that makes no distribution: an empty range, weights that do not sum to 1, … */
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

/** Data that is not the saved state of this kind of generator. */
export class InvalidStateError extends GymError {
  constructor(value: unknown, expected: string) {
    super(`${show(value)} is not a generator state.`, {
      code: 'INVALID_STATE',
      value,
      expected,
      hint: 'pass what `getState()` of the same kind of generator returned',
    });
  }
}
