import { GymError } from '@vlgym/core';

interface UsageDetails {
  readonly value?: unknown;
  readonly expected?: string;
  readonly hint?: string;
  readonly cause?: unknown;
}

/** A flag that does not exist, a value that does not fit, an unreadable config file. */
export class UsageError extends GymError {
  constructor(message: string, { value, expected, hint, cause }: UsageDetails = {}) {
    super(message, {
      code: 'USAGE',
      ...(value === undefined ? {} : { value }),
      ...(expected ? { expected } : {}),
      ...(hint ? { hint } : {}),
      ...(cause ? { cause } : {}),
    });
  }
}
