/**
 * The errors of this package. `@vlgym/render` imports nothing of ours, so `RenderError` is a class of its own, but it
 * carries the marker and the fields of `GymError`: `GymError.isInstance(error)` of `@vlgym/core` recognizes it.
 */

const MARKER = Symbol.for('vlgym.GymError');

export type RenderErrorCode =
  | 'INVALID_FRAME'
  | 'INVALID_CAMERA'
  | 'INVALID_OPTION'
  | 'UNREADABLE_TEXTURE'
  | 'UNREADABLE_GEOMETRY'
  | 'UNSUPPORTED_SCENE'
  | 'BACKEND_MISSING'
  | 'OUT_OF_MEMORY'
  | 'CLOSED';

export interface RenderErrorDetails {
  /** Stable, upper-case identifier. */
  readonly code: RenderErrorCode;
  /** The offending value, as given. */
  readonly value?: unknown;
  /** What would have been accepted, in words. */
  readonly expected?: string;
  /** The next step to try. */
  readonly hint?: string;
  readonly cause?: unknown;
}

/** Everything that this package throws. `code` tells the kinds apart and stays the same across releases. */
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

  /** Like `instanceof`, but also true for an error made by another copy of this package. */
  static isInstance(error: unknown): error is RenderError {
    return error instanceof Error && MARKER in error && error.name === 'RenderError';
  }
}

/** For calls after `dispose`. @param maker  What makes a new renderer, as a caller writes it. */
export function closed(maker: string): RenderError {
  return new RenderError('The renderer was disposed of.', { code: 'CLOSED', hint: `make a new one with ${maker}` });
}
