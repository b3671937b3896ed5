/**
 * Errors that a server tells inside of an answer, where the HTTP status was 200 already: as an event of a stream, or in
 * place of the body that was asked for.
 *
 * Shapes: `{ error: { message, type, code } }` of the OpenAI protocol (vLLM, SGLang and llama.cpp give the HTTP status as
 * `code`), `{ type, message }` of Anthropic, and a text alone.
 */
import { isRecord } from '@vlgym/core/internal';

/** An error in the words of the server, with the status that it would have answered with. */
export class ServerToldError extends Error {
  override readonly name = 'ServerToldError';

  constructor(
    message: string,
    /** HTTP status; absent if the server names neither a status nor a kind that means one. */
    readonly statusCode?: number,
  ) {
    super(message);
  }

  /** As the AI SDK judges statuses of responses. */
  get isRetryable(): boolean {
    const { statusCode = 500 } = this;
    return [408, 409, 429].includes(statusCode) || statusCode >= 500;
  }
}

/** Kinds of errors by the words that name them, in any spelling: `BadRequestError`, `invalid_request_error`, … */
const KINDS: readonly (readonly [RegExp, number])[] = [
  [/rate.?limit|too.?many.?requests|insufficient.?quota/i, 429],
  [/overloaded|unavailable/i, 503],
  [/authentication|unauthorized|invalid.?api.?key/i, 401],
  [/permission|forbidden/i, 403],
  [/not.?found/i, 404],
  [/bad.?request|invalid.?request|context.?length|exceed.?context|unprocessable|value.?error/i, 400],
];

/** The error in a value that a server sent as one; undefined if it holds no words. */
export function serverError(value: unknown): ServerToldError | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : new ServerToldError(value);
  if (!isRecord(value)) return undefined;
  if (value.error !== undefined && value.error !== null) return serverError(value.error);
  const { message, detail, type, code, status } = value;
  const words = [message, detail].find((text) => typeof text === 'string' && text.trim() !== '');
  if (words === undefined) return undefined;
  return new ServerToldError(
    words as string,
    [code, status].map(statusOf).find(Boolean) ?? kindOf([code, type, status]),
  );
}

function statusOf(value: unknown): number | undefined {
  const status = typeof value === 'string' && /^\d{3}$/.test(value) ? Number(value) : value;
  return Number.isInteger(status) && (status as number) >= 400 && (status as number) < 600
    ? (status as number)
    : undefined;
}

function kindOf(names: readonly unknown[]): number | undefined {
  const text = names.filter((name) => typeof name === 'string').join(' ');
  return KINDS.find(([pattern]) => pattern.test(text))?.[1];
}

/** Number of characters of a body to search; an error is at its beginning. */
const SEARCHED = 65_536;

/** The error in a body of JSON, or in the first events of a stream, that has `error` in it. */
export function errorInBody(body: unknown): ServerToldError | undefined {
  if (typeof body !== 'string') return undefined;
  const text = body.slice(0, SEARCHED);
  const events = text.split(/\r?\n/).flatMap((line) => /^data:\s*(?<data>\{.*)$/.exec(line)?.groups?.data ?? []);
  for (const candidate of [text, ...events]) {
    try {
      const value: unknown = JSON.parse(candidate);
      if (isRecord(value) && 'error' in value) return serverError(value);
    } catch {
      // the rest of an event, or no JSON
    }
  }
  return undefined;
}
