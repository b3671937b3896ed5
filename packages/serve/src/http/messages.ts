/** Requests and answers of the HTTP server, as plain data. */

export interface HttpRequest {
  readonly method: string;
  readonly query: URLSearchParams;
  readonly body: string;
}

export interface HttpAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

export const json = (value: unknown, status = 200): HttpAnswer => ({
  status,
  type: 'application/json',
  body: JSON.stringify(value),
});

export const plain = (body: string, status = 200): HttpAnswer => ({ status, type: 'text/plain; charset=utf-8', body });

export const html = (body: string): HttpAnswer => ({ status: 200, type: 'text/html; charset=utf-8', body });
