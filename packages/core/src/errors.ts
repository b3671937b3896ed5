/**
 * The one error base of every vlgym package.
 *
 * An error has a message, a `code` that is stable across releases, the offending `value`, what was `expected` and a
 * `hint` with the next step. Subclasses add values as typed fields.
 */
import { isTypedArray } from './type-tests.js';

const MARKER = Symbol.for('vlgym.GymError');

export interface GymErrorOptions {
  /** Stable, upper-case identifier, e.g. `UNKNOWN_ENV`. */
  readonly code: string;
  /** The offending value, as given. */
  readonly value?: unknown;
  /** The accepted values, as text. */
  readonly expected?: string | undefined;
  /** The next step to try. */
  readonly hint?: string | undefined;
  readonly cause?: unknown;
}

export class GymError extends Error {
  readonly code: string;
  // `declare` only: real fields would print as `hint: undefined` on errors without one
  declare readonly value?: unknown;
  declare readonly expected?: string;
  declare readonly hint?: string;

  constructor(message: string, { code, value, expected, hint, cause }: GymErrorOptions) {
    const lines = [message, expected && `  expected: ${expected}`, hint && `  hint: ${hint}`].filter(Boolean);
    super(lines.join('\n'), cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    this.code = code;
    if (value !== undefined) this.value = value;
    if (expected !== undefined) this.expected = expected;
    if (hint !== undefined) this.hint = hint;
    Object.defineProperty(this, MARKER, { value: true });
  }

  /** Like `instanceof`, but also true for errors of another copy of this package. */
  static isInstance(error: unknown): error is GymError {
    return typeof error === 'object' && error !== null && MARKER in error;
  }
}

/** An action that the environment's action space does not contain. */
export class InvalidActionError extends GymError {
  constructor(value: unknown, expected: string) {
    super(`The action ${show(value)} is not in the action space.`, {
      code: 'INVALID_ACTION',
      value,
      expected,
      hint: 'take one from `env.actionSpace.sample()` or check it with `env.actionSpace.contains(action)`',
    });
  }
}

/** `step` or `render` before the first `reset`. */
export class ResetNeededError extends GymError {
  constructor(method: string) {
    super(`\`${method}\` was called before \`reset\`.`, {
      code: 'RESET_NEEDED',
      value: method,
      hint: 'call `await env.reset({ seed })` first',
    });
  }
}

/** `step` after the episode has terminated or was truncated. */
export class EpisodeOverError extends GymError {
  constructor() {
    super('`step` was called after the episode had ended.', {
      code: 'EPISODE_OVER',
      hint: 'call `await env.reset()` when a step returns `terminated` or `truncated`',
    });
  }
}

/** Any method after `close`. */
export class ClosedError extends GymError {
  constructor(method: string) {
    super(`\`${method}\` was called on a closed environment.`, {
      code: 'CLOSED',
      value: method,
      hint: 'make a new environment with `make(id)`',
    });
  }
}

/** Values without a JSON form, marked in the text until the marks are removed. */
const BARE = /"\\u0000(NaN|-?Infinity|-0|-?\d+n)\\u0000"/g;

/**
 * A short, bounded rendering of any value for messages: JSON, with NaN, infinities, -0, bigints and `undefined` as they
 * are. Never throws, and never traverses a large value completely.
 */
export function show(value: unknown, limit = 80): string {
  let text: string;
  let left = limit; // each nested value takes at least one character
  const bare = (word: string) => `\0${word}\0`;
  const shorten = (_: string, part: unknown): unknown => {
    left -= 1;
    if (left < 0) return undefined;
    if (typeof part === 'bigint') return bare(`${part}n`);
    if (typeof part === 'number' && (!Number.isFinite(part) || Object.is(part, -0))) {
      return bare(Object.is(part, -0) ? '-0' : String(part));
    }
    if (Array.isArray(part) || isTypedArray(part)) return Array.from(part.slice(0, limit));
    return part;
  };
  try {
    text = JSON.stringify(value, shorten)?.replace(BARE, '$1') ?? String(value);
  } catch {
    text = Object.prototype.toString.call(value);
  }
  return text.length > limit ? `${text.slice(0, limit - 1)}…` : text;
}
