/** Errors of spaces, of their values, and of sampling options. */
import { GymError, show } from '../errors.js';

/** Invalid arguments of a space: bounds out of order, a size of 0, … */
export class InvalidSpaceError extends GymError {
  constructor(space: string, value: unknown, expected: string, hint?: string) {
    super(`Invalid ${space} space: ${show(value)}.`, {
      code: 'INVALID_SPACE',
      value,
      expected,
      ...(hint === undefined ? {} : { hint }),
    });
  }
}

/** A space whose members or bounds would need too much memory. */
export class SpaceTooLargeError extends GymError {
  constructor(space: string, value: unknown, expected: string) {
    super(`A ${space} space of ${show(value)} is too large.`, {
      code: 'SPACE_TOO_LARGE',
      value,
      expected,
      hint: 'check the shape or length; split very large data into parts',
    });
  }
}

/** A value, or JSON data for one, that is not a member of the space. */
export class InvalidValueError extends GymError {
  constructor(value: unknown, expected: string, cause?: unknown) {
    super(`${show(value)} is not in the space.`, {
      code: 'INVALID_VALUE',
      value,
      expected,
      hint: 'compare it with `space.describe()` or with `space.sample()`',
      cause,
    });
  }
}

/** A mask or probability that does not fit the space. */
export class InvalidMaskError extends GymError {
  constructor(kind: string, value: unknown, expected: string, hint?: string) {
    super(`The ${kind} ${show(value)} does not fit the space.`, {
      code: 'INVALID_MASK',
      value,
      expected,
      ...(hint === undefined ? {} : { hint }),
    });
  }
}

/** A space that cannot draw members. */
export class SamplerMissingError extends GymError {
  constructor(space: string) {
    super(`This ${space} space has no sampler.`, {
      code: 'SAMPLER_MISSING',
      value: space,
      hint: 'give the space a sampler: `spaces.json(schema, { sampler: (generator) => … })`',
    });
  }
}

/** A JSON Schema without a corresponding space, or a space without a JSON Schema. */
export class UnsupportedSchemaError extends GymError {
  constructor(value: unknown, expected: string, hint?: string, cause?: unknown) {
    super(`The schema ${show(value)} cannot be translated.`, {
      code: 'UNSUPPORTED_SCHEMA',
      value,
      expected,
      ...(hint === undefined ? {} : { hint }),
      cause,
    });
  }
}

/** A space whose members are not a fixed number of numbers. */
export class NotFlattenableError extends GymError {
  constructor(space: string) {
    super(`Members of a ${space} space cannot be written as a flat array.`, {
      code: 'NOT_FLATTENABLE',
      value: space,
      hint: 'flatten the parts that are boxes, discrete or text, and handle the rest separately',
    });
  }
}
