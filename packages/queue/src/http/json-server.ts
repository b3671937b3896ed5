/**
 * A small HTTP server for JSON: bounded bodies, and admission by host name and token.
 *
 * On loopback the host must be a loopback name, so that a page whose name was rebound cannot speak to it. Beyond loopback a
 * token is needed; `/health` and `/ready` are open, because probes have none.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Awaitable, GymError } from '@vlgym/core';
import { HTTP_LIMITS } from '@vlgym/core/internal';

const MAX_BODY_BYTES = 64 * 1024 * 1024;
/** A thousand workers with a request each. */
const MAX_CONNECTIONS = 1024;
const OPEN_ROUTES = ['/health', '/ready'];
const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];

export interface ListenOptions {
  /** Default `127.0.0.1`. */
  readonly host?: string | undefined;
  /** Default 0: a free one. */
  readonly port?: number | undefined;
  /** Clients send it as `Authorization: Bearer …`; needed beyond loopback, 16 or more characters. */
  readonly token?: string | undefined;
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** @param body  Parsed JSON; undefined if the request has none. */
export type Handler = (route: string, body: unknown, signal: AbortSignal) => Awaitable<Answer>;

class RefusedError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

export class JsonServer {
  readonly #server: Server;
  readonly #token: Buffer | undefined;
  readonly #isLocal: boolean;

  private constructor(
    readonly handler: Handler,
    readonly host: string,
    token: string | undefined,
  ) {
    this.#isLocal = isLoopback(host);
    checkToken(host, this.#isLocal, token);
    this.#token = token === undefined ? undefined : digest(token);
    this.#server = createServer(HTTP_LIMITS, (request, response) => void this.#serve(request, response));
    this.#server.maxConnections = MAX_CONNECTIONS;
  }

  /** @throws {GymError} `TOKEN_NEEDED`, `INVALID_OPTION`; and what the system says about the address. */
  static async listen(handler: Handler, { host = '127.0.0.1', port = 0, token }: ListenOptions = {}) {
    const server = new JsonServer(handler, host, token);
    await new Promise<void>((resolve, reject) => {
      server.#server.once('error', reject);
      server.#server.listen(port, host, resolve);
    });
    return server;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** With the given host; `0.0.0.0` is for listening and must be replaced by a name that others reach. */
  urlFor(host = this.host): string {
    return `http://${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${this.port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    response.once('close', () => gone.abort(new DOMException('the client has gone', 'AbortError')));
    try {
      const route = new URL(request.url ?? '/', 'http://local').pathname;
      this.#admit(request, route);
      const text = await bodyOf(request);
      send(response, await this.handler(`${request.method} ${route}`, parsed(text), gone.signal));
    } catch (error) {
      if (gone.signal.aborted) return;
      const status = error instanceof RefusedError ? error.status : GymError.isInstance(error) ? 400 : 500;
      const code = GymError.isInstance(error) ? error.code : undefined;
      send(response, { status, body: { error: String((error as Error).message), ...(code && { code }) } });
    }
  }

  #admit({ headers }: IncomingMessage, route: string): void {
    const name = hostName(headers.host);
    if (this.#isLocal && !LOOPBACK_NAMES.includes(name)) throw new RefusedError(403, `unexpected host ${name}`);
    if (this.#token === undefined || OPEN_ROUTES.includes(route)) return;
    const [, given] = /^Bearer (.+)$/i.exec(headers.authorization ?? '') ?? [];
    if (given === undefined || !timingSafeEqual(digest(given.trim()), this.#token)) {
      throw new RefusedError(401, 'expected the token of this server');
    }
  }
}

const isLoopback = (host: string): boolean =>
  ['localhost', '::1', '[::1]'].includes(host) || /^127(?:\.\d{1,3}){3}$/.test(host);

function checkToken(host: string, isLocal: boolean, token: string | undefined): void {
  if (token !== undefined && token.length < 16) {
    throw new GymError('The token is too short.', { code: 'INVALID_OPTION', expected: '16 or more characters' });
  }
  if (isLocal || token !== undefined) return;
  throw new GymError(`Serving on ${host} needs a token, because others can reach it.`, {
    code: 'TOKEN_NEEDED',
    value: host,
    expected: 'a token, or a loopback address such as 127.0.0.1',
    hint: 'set VLGYM_SAMPLER_KEY here and for the workers, e.g. to `openssl rand -hex 16`',
  });
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Uint8Array>) {
    bytes += part.length;
    if (bytes > MAX_BODY_BYTES) throw new RefusedError(413, `more than ${MAX_BODY_BYTES} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function parsed(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new RefusedError(400, 'the body is not JSON');
  }
}

function send(response: ServerResponse, { status, body }: Answer): void {
  if (response.writableEnded) return;
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Equal lengths for a comparison in constant time. */
const digest = (text: string) => createHash('sha256').update(text).digest();

function hostName(host: string | undefined): string {
  const address = `http://${host ?? ''}`;
  return URL.canParse(address) ? new URL(address).hostname : String(host).slice(0, 200);
}
