/** Errors of sessions. */
import { GymError } from '@vlgym/core';

/** Every slot is taken. */
export class CapacityError extends GymError {
  constructor(
    readonly active: number,
    readonly limit: number,
  ) {
    super(`Server at capacity: ${active}/${limit} sessions active. Cannot accept new connections.`, {
      code: 'CAPACITY_REACHED',
      value: active,
      hint: 'close a session, wait for one to become idle, or raise --max-sessions',
    });
  }
}

/** A session id or episode handle that does not exist, or no longer exists. */
export class UnknownSessionError extends GymError {
  constructor(readonly id: string) {
    super(`Unknown session_id: ${id}`, {
      code: 'UNKNOWN_SESSION',
      value: id,
      hint: 'create a session; an idle one is closed after a while',
    });
  }
}

/** One invalid part of a message, in the layout of pydantic's errors. */
export interface Issue {
  readonly type: string;
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly input: unknown;
  readonly ctx?: Readonly<Record<string, unknown>>;
}

/** A message or an action that does not have the declared form. */
export class InvalidMessageError extends GymError {
  constructor(readonly issues: readonly Issue[]) {
    super('Invalid message', {
      code: 'VALIDATION_ERROR',
      value: issues[0]?.input,
      expected: issues.map(({ loc, msg }) => `${loc.join('.') || 'message'}: ${msg}`).join('; '),
    });
  }
}
