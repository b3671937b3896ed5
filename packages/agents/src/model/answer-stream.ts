/**
 * A streamed answer as a whole one: parts are passed on as they come, and the result is what `doGenerate` would return.
 *
 * Retries, budgets and limits then need one kind of request only, and a stream that is cut is a failed request like any
 * other. Parts: `LanguageModelV2StreamPart` to `V4` of `@ai-sdk/provider`; kinds that are not text are passed through.
 */
import { GymError } from '@vlgym/core';
import { errorInBody, serverError } from './server-error.js';

/** A piece of an answer while it is written. */
export interface AnswerPart {
  /** `tool-input`: the arguments of a call as JSON text. `start`: a request begins; a retry starts again. */
  readonly type: 'start' | 'text' | 'reasoning' | 'tool-input';
  readonly text: string;
  /** For `tool-input`. */
  readonly toolName?: string;
}

interface StreamPart {
  readonly type: string;
  readonly id?: string;
  readonly delta?: string;
  readonly toolName?: string;
  readonly error?: unknown;
  readonly warnings?: unknown;
  readonly finishReason?: unknown;
  readonly usage?: unknown;
  readonly providerMetadata?: unknown;
  readonly [key: string]: unknown;
}

class StreamCutError extends GymError {
  constructor(cause?: unknown) {
    const why = cause instanceof Error ? `: ${cause.message}` : '';
    super(`The answer was cut off${why}`, { code: 'MODEL_STREAM_CUT', cause });
  }
}

const WHOLE: readonly string[] = ['tool-call', 'tool-result', 'file', 'source', 'tool-approval-request'];

/**
 * @throws {GymError}  `MODEL_STREAM_CUT`: the stream ended before the answer did.
 * @throws An error of the server in the stream.
 */
export async function wholeAnswer(
  stream: ReadableStream<unknown>,
  onPart: (part: AnswerPart) => void,
): Promise<Record<string, unknown>> {
  const content: Record<string, unknown>[] = [];
  const open = new Map<string, { type: string; text: string }>();
  const toolNames = new Map<string, string>();
  let finish: StreamPart | undefined;
  let warnings: unknown = [];
  onPart({ type: 'start', text: '' });
  for await (const part of stream as unknown as AsyncIterable<StreamPart>) {
    const { type, id = '', delta = '' } = part;
    if (type === 'error') throw errorOf(part.error);
    if (type === 'stream-start') warnings = part.warnings ?? [];
    else if (type === 'text-start' || type === 'reasoning-start') {
      const entry = { type: type === 'text-start' ? 'text' : 'reasoning', text: '' };
      open.set(id, entry);
      content.push(entry);
    } else if (type === 'text-delta' || type === 'reasoning-delta') {
      const entry = open.get(id);
      if (entry) entry.text += delta;
      onPart({ type: type === 'text-delta' ? 'text' : 'reasoning', text: delta });
    } else if (type === 'tool-input-start') toolNames.set(id, String(part.toolName));
    else if (type === 'tool-input-delta') {
      onPart({ type: 'tool-input', text: delta, toolName: toolNames.get(id) ?? '' });
    } else if (WHOLE.includes(type)) content.push(part as Record<string, unknown>);
    else if (type === 'finish') finish = part;
  }
  if (!finish || isCut(finish.finishReason)) throw new StreamCutError();
  const { finishReason, usage, providerMetadata } = finish;
  return { content, finishReason, usage, warnings, ...(providerMetadata ? { providerMetadata } : {}) };
}

/** The server's error with its status; without one, the stream was interrupted. */
function errorOf(error: unknown): unknown {
  if (hasStatus(error)) return error;
  // an event that the provider could not read is in its error, as a value or as text
  const { value, text } = (error ?? {}) as { readonly value?: unknown; readonly text?: unknown };
  const told = error instanceof Error ? errorInBody(text ?? JSON.stringify(value)) : serverError(error);
  return hasStatus(told) ? told : new StreamCutError(told ?? error);
}

const hasStatus = (error: unknown) => typeof (error as { statusCode?: unknown } | null)?.statusCode === 'number';

/** Providers give no reason if the connection ended first. */
function isCut(reason: unknown): boolean {
  if (typeof reason === 'string') return reason === 'unknown';
  const { unified, raw } = (reason ?? {}) as { unified?: unknown; raw?: unknown };
  return raw === undefined && (unified === 'error' || unified === 'other');
}
