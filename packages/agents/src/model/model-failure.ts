/**
 * Classifies a provider's error: its code in the trajectory, whether a retry may help, and whether it is one of setup.
 *
 * Errors are read by shape, not by class, because several copies of the AI SDK may be loaded. Shapes: `APICallError` of
 * `@ai-sdk/provider`. Request bodies and headers are never repeated: they hold pictures and keys.
 */
import { GymError } from '@vlgym/core';
import type { BoundaryError } from '../agent.js';
import { toBoundaryError } from '../errors.js';
import { errorInBody } from './server-error.js';

export interface ModelFailure extends BoundaryError {
  readonly retryable: boolean;
  /** The pause that the server asked for, in milliseconds. */
  readonly retryAfter?: number;
}

/** A request that failed for good; `failure` is what the turn says. */
export class ModelRequestError extends GymError {
  constructor(
    readonly failure: BoundaryError,
    cause: unknown,
  ) {
    super(failure.message, { code: failure.code, cause });
  }
}

/** Before the first answer these say that no episode can be played: a wrong key, a wrong model, no server, no eyes. */
const SETUP_HINTS: Readonly<Record<string, string>> = {
  MODEL_UNAUTHORIZED: 'check the API key, and that it may use this model',
  MODEL_NOT_FOUND: 'check the name of the model and the address of the server',
  MODEL_UNREACHABLE: 'start the server, or check its address',
  MODEL_TEXT_ONLY:
    'serve a model that reads pictures (with llama.cpp also its --mmproj), or play an environment of texts',
};

/** The model cannot be used as it is set up. Thrown, not stored: it would fail every episode. */
export class ModelSetupError extends GymError {
  readonly isSetup = true;

  constructor({ code, message }: BoundaryError, name: string, cause: unknown, hint = SETUP_HINTS[code]) {
    super(`The model "${name}" cannot be used: ${message}`, { code, value: name, ...(hint ? { hint } : {}), cause });
  }
}

/**
 * True for a failure that repeats with every request, if no request has ever been answered.
 *
 * @param isLast  True after all retries: a server that was never reached then is not there.
 */
export const failsSetup = ({ code }: BoundaryError, error: unknown, isLast: boolean): boolean =>
  code === 'MODEL_UNAUTHORIZED' ||
  code === 'MODEL_NOT_FOUND' ||
  code === 'MODEL_TEXT_ONLY' ||
  (code === 'MODEL_UNREACHABLE' && (isLast || isRefused(error)));

/** @param secrets  Secrets of the request: servers repeat keys in their errors. */
export function modelFailure(error: unknown, secrets: readonly string[] = []): ModelFailure {
  const base = toBoundaryError(error, 'model', secrets);
  if (GymError.isInstance(error))
    return { ...base, retryable: ['MODEL_TIMEOUT', 'MODEL_STREAM_CUT'].includes(error.code) };
  const { statusCode, isRetryable, responseHeaders, responseBody } = (error ?? {}) as ApiCallShape;
  if (typeof statusCode === 'number') {
    const answered = statusCode >= 200 && statusCode < 300;
    // an error in the body is more specific than a missing answer
    const told = answered ? errorInBody(responseBody) : undefined;
    if (told?.statusCode !== undefined) return modelFailure(told, secrets);
    if (!answered && isTextOnly(base.message, responseBody)) {
      return { ...base, code: 'MODEL_TEXT_ONLY', message: `HTTP ${statusCode}: ${base.message}`, retryable: false };
    }
    const retryAfter = readRetryAfter(responseHeaders);
    return {
      boundary: 'model',
      code: answered ? 'MODEL_ANSWER_INVALID' : (STATUS_CODES[statusCode] ?? 'MODEL_HTTP_ERROR'),
      message: `HTTP ${statusCode}: ${base.message}`,
      retryable: answered || isRetryable === true, // an unreadable answer may be readable after a retry
      ...(retryAfter === undefined ? {} : { retryAfter }),
    };
  }
  // a provider that finds no key in the environment
  if ((error as Error | null)?.name === 'AI_LoadAPIKeyError') {
    return { ...base, code: 'MODEL_UNAUTHORIZED', retryable: false };
  }
  const isNetwork = isRetryable === true || networkCode(error) !== undefined;
  return { ...base, code: isNetwork ? 'MODEL_UNREACHABLE' : base.code, retryable: isNetwork };
}

const STATUS_CODES: Readonly<Record<number, string>> = {
  401: 'MODEL_UNAUTHORIZED',
  403: 'MODEL_UNAUTHORIZED',
  404: 'MODEL_NOT_FOUND',
  429: 'MODEL_RATE_LIMITED',
};

/** Servers of models without eyes: llama.cpp, vLLM, LM Studio, Ollama, OpenAI, and gateways, in this order. */
const TEXT_ONLY =
  /\bimage (?:input )?(?:is )?not supported|not a multimodal model|at most 0 image|(?:does not|doesn't) support (?:images?|vision|pictures)|required for image input|image_url is only supported|support image input/i;

/** An error that every picture would meet again. */
const isTextOnly = (message: string, body: unknown): boolean =>
  TEXT_ONLY.test(message) || (typeof body === 'string' && TEXT_ONLY.test(body.slice(0, 2_000)));

interface ApiCallShape {
  readonly statusCode?: unknown;
  readonly isRetryable?: unknown;
  readonly responseBody?: unknown;
  readonly responseHeaders?: Readonly<Record<string, string>>;
}

/** The system's or undici's code of a broken connection, anywhere among the causes. */
function networkCode(error: unknown, depth = 0): string | undefined {
  if (typeof error !== 'object' || error === null || depth > 5) return undefined;
  const { code, cause, name, message } = error as {
    code?: unknown;
    cause?: unknown;
    name?: unknown;
    message?: unknown;
  };
  if (typeof code === 'string' && /^(?:E[A-Z]{4,}|UND_ERR_\w+)$/.test(code)) return code;
  if (name === 'TypeError' && message === 'terminated') return 'UND_ERR_SOCKET';
  return networkCode(cause, depth + 1);
}

/** Nothing listens at the address, or the name is unknown. */
const isRefused = (error: unknown) => ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'].includes(networkCode(error) ?? '');

/** `retry-after-ms`, or `retry-after` in seconds; dates would need a clock and are left to the backoff. */
function readRetryAfter(headers: Readonly<Record<string, string>> = {}): number | undefined {
  const milliseconds = Number.parseFloat(headers['retry-after-ms'] ?? '');
  if (milliseconds >= 0) return milliseconds;
  const seconds = /^\s*[\d.]+\s*$/.test(headers['retry-after'] ?? '') ? Number(headers['retry-after']) : Number.NaN;
  return seconds >= 0 ? seconds * 1000 : undefined;
}
