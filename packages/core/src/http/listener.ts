/**
 * The HTTP server under every network face: admission, bounded bodies, time limits, WebSocket upgrades, an end that waits.
 *
 * A connection has one answer in memory at a time: the next request is looked at when the client has taken the last answer.
 * `test/http-servers.test.ts` attacks every server that stands on it.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type Duplex, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Awaitable } from '../env.js';
import { GymError } from '../errors.js';
import { Admission, type AdmissionOptions } from './admission.js';
import { type HttpAnswer, type HttpRequest, json, plain, RefusedRequest } from './messages.js';

export interface ListenerOptions extends AdmissionOptions {
  /** Default 0: any free port. */
  readonly port?: number | undefined;
  /** More are closed at once. */
  readonly maxConnections: number;
  readonly maxBodyBytes: number;
  /** Limit of the address and the headers together; default 16 KiB. */
  readonly maxHeaderBytes?: number | undefined;
  readonly answer: (request: HttpRequest) => Awaitable<HttpAnswer>;
  /** The answer where `answer` threw or the request was refused (`RefusedRequest`). Default: `{ "detail": … }`. */
  readonly failure?: ((error: unknown) => HttpAnswer) | undefined;
  /** The socket belongs to the caller from then on, until `close`. Without it, upgrades are answered as plain requests. */
  readonly upgrade?: ((request: IncomingMessage, url: URL, socket: Duplex, head: Buffer) => void) | undefined;
}

/**
 * Milliseconds. Node looks for connections that are late only every 30 s by default: silent ones would occupy a connection
 * for that long, regardless of the limits.
 */
const TIME_LIMITS = { headersTimeout: 10_000, requestTimeout: 60_000, connectionsCheckingInterval: 1000 };
/** Milliseconds in which a client takes some of its answer. */
const STALLED = 15_000;
/** Requests of one connection that wait for their turn; a client that reads its answers sends fewer ahead. */
const MAX_WAITING = 16;

export class Listener {
  readonly #options: ListenerOptions;
  readonly #admission: Admission;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #turns = new WeakMap<Socket, { readonly count: number; readonly last: Promise<void> }>();

  /** @throws {GymError} `TOKEN_NEEDED`, `INVALID_OPTION` */
  constructor(options: ListenerOptions) {
    this.#options = options;
    this.#admission = new Admission(options);
    const limits = { ...TIME_LIMITS, maxHeaderSize: options.maxHeaderBytes ?? 16 * 1024 };
    this.#server = createServer(limits, (request, response) => this.#queue(request, response));
    this.#server.maxConnections = options.maxConnections;
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    this.#server.on('clientError', (error: NodeJS.ErrnoException, socket) => this.#judge(error, socket as Socket));
    const { upgrade } = options;
    if (upgrade) this.#server.on('upgrade', (request, ...end) => this.#upgrade(request, ...end, upgrade));
  }

  /** @returns The address, e.g. `http://127.0.0.1:8000`. @throws {GymError} `PORT_TAKEN` */
  async listen(): Promise<string> {
    const { host = '127.0.0.1', port = 0 } = this.#options;
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', (cause) =>
        reject(
          new GymError(`Port ${port} of ${host} cannot be used.`, {
            code: 'PORT_TAKEN',
            value: port,
            hint: 'choose another port; 0 is any free one',
            cause,
          }),
        ),
      );
      this.#server.listen(port, host, resolve);
    });
    const { address, family } = this.#server.address() as AddressInfo;
    const name = host === 'localhost' ? host : family === 'IPv6' ? `[${address}]` : address;
    return `http://${name}:${this.port}`;
  }

  get isListening(): boolean {
    return this.#server.listening;
  }

  /** The port while the server listens. */
  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Lets the process end although the server listens. */
  unref(): void {
    this.#server.unref().on('connection', (socket) => socket.unref());
  }

  /** Ends all connections. */
  async close(): Promise<void> {
    if (!this.isListening) return;
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  /** A malformed request, or one that comes too late. */
  #judge(error: NodeJS.ErrnoException, socket: Socket): void {
    if (error.code !== 'ERR_HTTP_REQUEST_TIMEOUT') {
      refuse(socket, error.code === 'HPE_HEADER_OVERFLOW' ? 431 : 400);
      return;
    }
    const before = this.#turns.get(socket);
    // on a busy machine, timers fire before requests that have arrived in the meantime
    setImmediate(() => {
      if (this.#turns.get(socket) === before) refuse(socket, 408);
    });
  }

  #queue(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const { count, last } = this.#turns.get(socket) ?? { count: 0, last: Promise.resolve() };
    if (count >= MAX_WAITING) {
      socket.destroy();
      return;
    }
    // one that computes has nothing to take yet
    response.setTimeout(STALLED, () => socket.writableLength > 0 && socket.destroy());
    const taken = new Promise<void>((resolve) => response.once('close', resolve));
    const turn = last.then(async () => {
      if (!socket.destroyed) await this.#respond(request, response).catch(() => response.destroy());
      await taken;
      const now = this.#turns.get(socket);
      if (now) this.#turns.set(socket, { ...now, count: now.count - 1 });
    });
    this.#turns.set(socket, { count: count + 1, last: turn });
  }

  async #respond(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    response.once('close', () => gone.abort(new DOMException('the client has gone', 'AbortError')));
    const answer = await this.#answerTo(message, gone.signal).catch(this.#options.failure ?? failureAnswer);
    const { status, type, body, headers } = answer;
    if (response.destroyed) return;
    const isWhole = typeof body === 'string' || body instanceof Uint8Array;
    response.writeHead(status, {
      ...(type === undefined ? {} : { 'content-type': type }),
      ...(isWhole ? { 'content-length': Buffer.byteLength(body) } : {}),
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
      ...headers,
    });
    if (isWhole) {
      response.end(body);
      return;
    }
    response.flushHeaders();
    await pipeline(Readable.fromWeb(body), response);
  }

  async #answerTo(message: IncomingMessage, signal: AbortSignal): Promise<HttpAnswer> {
    const { headers, method = 'GET' } = message;
    const url = urlOf(message);
    this.#admission.check(headers, url.pathname);
    const body = await readBody(message, this.#options.maxBodyBytes);
    return this.#options.answer({ method, url, headers, body, signal });
  }

  #upgrade(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    upgrade: NonNullable<ListenerOptions['upgrade']>,
  ): void {
    socket.on('error', () => socket.destroy());
    this.#turns.set(request.socket, { count: 0, last: Promise.resolve() });
    try {
      const url = urlOf(request);
      this.#admission.check(request.headers, url.pathname);
      upgrade(request, url, socket, head);
    } catch (error) {
      refuse(socket, error instanceof RefusedRequest ? (error.status as keyof typeof REASONS) : 500);
    }
  }
}

const REASONS = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
} as const;

/** The last words of a connection; a client that keeps its end open would keep its place. */
function refuse(socket: Duplex, status: keyof typeof REASONS): void {
  socket.once('finish', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status} ${REASONS[status]}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
}

function failureAnswer(error: unknown): HttpAnswer {
  if (error instanceof RefusedRequest) return json({ detail: error.message }, error.status);
  return plain('Internal Server Error', 500);
}

/** @throws {RefusedRequest} */
function urlOf({ url = '/' }: IncomingMessage): URL {
  try {
    return new URL(url.startsWith('/') ? `http://localhost${url}` : url);
  } catch {
    throw new RefusedRequest(400, 'Invalid address');
  }
}

/** Reads to the end in any case, within the time of a request: a client reads its answer when it has sent everything. */
async function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length <= limit) pieces.push(piece);
    else pieces.length = 0;
  }
  if (length > limit) throw new RefusedRequest(413, `Request body too large: more than ${limit} bytes`);
  return Buffer.concat(pieces);
}
