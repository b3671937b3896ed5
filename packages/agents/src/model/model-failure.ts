/**
 * Classifies a provider's error: its code in the trajectory, and whether a retry may help.
 *
 * Errors are read by shape, not by class, because several copies of the AI SDK may be loaded. Shapes: `APICallError` of
 * `@ai-sdk/provider`. Request bodies and headers are never repeated: they hold pictures and keys.
 */
import { GymError } from '@vlgym/core';
import type { BoundaryError } from '../agent.js';
import { toBoundaryError } from '../errors.js';

export interface ModelFailure extends BoundaryError {
  readonly retryable: boolean;
  /** The pause that the server asked for, in milliseconds. */
  readonly retryAfter?: number;
}

/** @param secrets  Secrets of the request: servers repeat keys in their errors. */
export function modelFailure(error: unknown, secrets: readonly string[] = []): ModelFailure {
  const base = toBoundaryError(error, 'model', secrets);
  if (GymError.isInstance(error)) return { ...base, retryable: error.code === 'MODEL_TIMEOUT' };
  const { statusCode, isRetryable, responseHeaders } = (error ?? {}) as ApiCallShape;
  if (typeof statusCode === 'number') {
    const answered = statusCode >= 200 && statusCode < 300;
    const code = answered ? 'MODEL_ANSWER_INVALID' : statusCode === 429 ? 'MODEL_RATE_LIMITED' : 'MODEL_HTTP_ERROR';
    const retryAfter = readRetryAfter(responseHeaders);
    return {
      boundary: 'model',
      code,
      message: `HTTP ${statusCode}: ${base.message}`,
      retryable: answered || isRetryable === true, // an unreadable answer may be readable after a retry
      ...(retryAfter === undefined ? {} : { retryAfter }),
    };
  }
  return { ...base, code: isRetryable === true ? 'MODEL_UNREACHABLE' : base.code, retryable: isRetryable === true };
}

interface ApiCallShape {
  readonly statusCode?: unknown;
  readonly isRetryable?: unknown;
  readonly responseHeaders?: Readonly<Record<string, string>>;
}

/** `retry-after-ms`, or `retry-after` in seconds; dates would need a clock and are left to the backoff. */
function readRetryAfter(headers: Readonly<Record<string, string>> = {}): number | undefined {
  const milliseconds = Number.parseFloat(headers['retry-after-ms'] ?? '');
  if (milliseconds >= 0) return milliseconds;
  const seconds = /^\s*[\d.]+\s*$/.test(headers['retry-after'] ?? '') ? Number(headers['retry-after']) : Number.NaN;
  return seconds >= 0 ? seconds * 1000 : undefined;
}
