/** Requests and answers of an HTTP server, as plain data. */
import type { IncomingHttpHeaders } from 'node:http';
import type { ReadableStream } from 'node:stream/web';

export interface HttpRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** Aborts when the client has gone. */
  readonly signal: AbortSignal;
}

export interface HttpAnswer {
  readonly status: number;
  readonly type?: string | undefined;
  /** A stream is canceled when the client has gone. */
  readonly body: string | Uint8Array | ReadableStream;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request that gets no other answer than a status and a reason. */
export class RefusedRequest extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

export const json = (value: unknown, status = 200): HttpAnswer => ({
  status,
  type: 'application/json',
  body: JSON.stringify(value),
});

export const plain = (body: string, status = 200): HttpAnswer => ({ status, type: 'text/plain; charset=utf-8', body });

export const html = (body: string): HttpAnswer => ({ status: 200, type: 'text/html; charset=utf-8', body });
