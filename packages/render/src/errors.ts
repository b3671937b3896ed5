/**
 * The errors of this package. `@vlgym/render` does not depend on `@vlgym/core`, so `RenderError` is a separate class.
 * It carries the marker and the fields of `GymError`, so `GymError.isInstance(error)` recognizes it.
 */

const MARKER = Symbol.for('vlgym.GymError');

export type RenderErrorCode =
  | 'INVALID_FRAME'
  | 'INVALID_CAMERA'
  | 'INVALID_OPTION'
  | 'UNKNOWN_OPTION'
  | 'UNREADABLE_TEXTURE'
  | 'UNREADABLE_GEOMETRY'
  | 'UNSUPPORTED_SCENE'
  | 'BACKEND_MISSING'
  | 'OUT_OF_MEMORY'
  | 'CLOSED';

export interface RenderErrorDetails {
  /** Stable, upper-case identifier. */
  readonly code: RenderErrorCode;
  /** The rejected value. */
  readonly value?: unknown;
  /** Which values are accepted, in words. */
  readonly expected?: string | undefined;
  /** The next step to try. */
  readonly hint?: string | undefined;
  readonly cause?: unknown;
}

/** The one error class of this package. `code` identifies the cause and is stable across releases. */
export class RenderError extends Error {
  readonly code: RenderErrorCode;
  readonly value?: unknown;
  readonly expected?: string;
  readonly hint?: string;

  constructor(message: string, { code, value, expected, hint, cause }: RenderErrorDetails) {
    const lines = [message, expected && `  expected: ${expected}`, hint && `  hint: ${hint}`].filter(Boolean);
    super(lines.join('\n'), cause === undefined ? undefined : { cause });
    this.name = 'RenderError';
    this.code = code;
    if (value !== undefined) this.value = value;
    if (expected !== undefined) this.expected = expected;
    if (hint !== undefined) this.hint = hint;
    Object.defineProperty(this, MARKER, { value: true });
  }

  /** Like `instanceof`, but also true for errors of another copy of this package. */
  static isInstance(error: unknown): error is RenderError {
    return error instanceof Error && MARKER in error && error.name === 'RenderError';
  }
}

/** The error for calls after `dispose`. @param maker  The expression that creates a new renderer. */
export function closed(maker: string): RenderError {
  return new RenderError('The renderer was disposed.', { code: 'CLOSED', hint: `create a new one with ${maker}` });
}
