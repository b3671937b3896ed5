/**
 * A local stub of the AI Gateway's protocol, as `@ai-sdk/gateway` speaks it: POST /language-model with the model's id in
 * a header and the call's options as JSON; the answer is the result of `doGenerate`.
 *
 * `fetch` stands in for the global one: requests to the gateway's address go to the stub, everything else is refused.
 */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface GatewayRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: JSON of the other side
  readonly body: any;
}

export interface GatewayStub {
  readonly requests: readonly GatewayRequest[];
  readonly fetch: typeof globalThis.fetch;
  close(): Promise<void>;
}

const HOST = 'https://ai-gateway.vercel.sh';

/** @param status  By the number of the request, from 1; default 200. */
export async function gatewayStub(text: string, status: (request: number) => number = () => 200): Promise<GatewayStub> {
  const requests: GatewayRequest[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      requests.push({ path: request.url!, headers: request.headers, body: JSON.parse(body) });
      const code = status(requests.length);
      response.writeHead(code, { 'content-type': 'application/json', 'retry-after-ms': '20' });
      const { authorization } = request.headers;
      response.end(
        JSON.stringify(
          code === 200
            ? {
                content: [{ type: 'text', text }],
                finishReason: { unified: 'stop', raw: 'stop' },
                usage: { inputTokens: { total: 40, cacheRead: 8 }, outputTokens: { total: 7 } },
                warnings: [],
              }
            : { error: { message: `refused ${authorization}`, type: ERROR_TYPES[code] } },
        ),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const local = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { fetch } = globalThis;
  return {
    requests,
    fetch: (input, init) => {
      const url = String(input instanceof Request ? input.url : input);
      if (!url.startsWith(HOST)) throw new TypeError(`not the gateway: ${url}`);
      return fetch(url.replace(HOST, local), init);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const ERROR_TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  404: 'model_not_found',
  429: 'rate_limit_exceeded',
};
