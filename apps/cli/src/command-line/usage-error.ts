import { GymError } from '@vlgym/core';

/** A flag that does not exist, a value that does not fit, an unreadable config file. */
export class UsageError extends GymError {
  constructor(message: string, { expected, hint, cause }: { expected?: string; hint?: string; cause?: unknown } = {}) {
    super(message, {
      code: 'USAGE',
      ...(expected ? { expected } : {}),
      ...(hint ? { hint } : {}),
      ...(cause ? { cause } : {}),
    });
  }
}
