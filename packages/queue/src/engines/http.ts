/** JSON over HTTP with a time limit and a bound on the answer; keys never appear in messages. */
import { redactSecrets } from '@vlgym/core';
import { EngineAnswerError, EngineError } from './errors.js';

const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
const MAX_PROBLEM = 300;

export interface HttpOptions {
  /** E.g. `http://127.0.0.1:8000`. */
  readonly url: string;
  /** Sent as a bearer token. */
  readonly apiKey?: string | undefined;
  /** Milliseconds per request; default 300000. */
  readonly limitMs?: number | undefined;
}

export class HttpClient {
  readonly #options: HttpOptions;

  constructor(
    readonly name: string,
    options: HttpOptions,
  ) {
    this.#options = options;
  }

  /** @throws {EngineError} No answer, or not 2xx. @throws {EngineAnswerError} Not JSON, or too long. */
  async json(method: 'GET' | 'POST', path: string, body: unknown, signal: AbortSignal): Promise<unknown> {
    const text = await this.text(method, path, body, signal);
    try {
      return JSON.parse(text);
    } catch (cause) {
      throw new EngineAnswerError(this.name, `${path} is not JSON`, cause);
    }
  }

  async text(method: 'GET' | 'POST', path: string, body: unknown, signal: AbortSignal): Promise<string> {
    const { url, apiKey, limitMs = 300_000 } = this.#options;
    const limit = AbortSignal.timeout(limitMs);
    try {
      const response = await fetch(new URL(path, url), {
        method,
        signal: AbortSignal.any([signal, limit]),
        headers: {
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await boundedText(response, this.name);
      if (response.ok) return text;
      const problem = redactSecrets(text.slice(0, MAX_PROBLEM), apiKey === undefined ? [] : [apiKey]);
      throw new EngineError(this.name, `${path} answered ${response.status} ${problem}`.trim(), response.status);
    } catch (error) {
      if (error instanceof EngineError || error instanceof EngineAnswerError) throw error;
      signal.throwIfAborted();
      const problem = limit.aborted ? `${path} did not answer within ${limitMs / 1000} s` : `${path} failed`;
      throw new EngineError(this.name, problem, undefined, error);
    }
  }
}

async function boundedText(response: Response, name: string): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > MAX_ANSWER_BYTES) throw new EngineAnswerError(name, `more than ${MAX_ANSWER_BYTES} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
