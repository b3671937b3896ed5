/**
 * The HTTP server under every network face: admission, bounded bodies, time limits, WebSocket upgrades, an end that waits.
 *
 * A connection has one answer in memory at a time: the next request is looked at when the client has taken the last answer.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { GymError } from '@vlgym/core';
import { HTTP_LIMITS } from '@vlgym/core/internal';
import { type Admission, isLoopback, type Refusal } from './admission.js';
import { type HttpAnswer, json, plain } from './messages.js';

export interface ListenerOptions {
  readonly host: string;
  readonly port: number;
  readonly admission: Admission;
  readonly maxConnections: number;
  readonly maxBodyBytes: number;
  /** Paths that need no token. */
  readonly isOpen: (path: string) => boolean;
  readonly refused?: ((refusal: Refusal) => HttpAnswer) | undefined;
  /** The whole answer; `undefined` if it was written to the response. */
  readonly answer: (
    request: IncomingMessage,
    url: URL,
    body: Buffer,
    response: ServerResponse,
  ) => Promise<HttpAnswer | undefined>;
  readonly upgrade?: ((request: IncomingMessage, url: URL, socket: Duplex, head: Buffer) => void) | undefined;
}

class TooLarge extends Error {}

/** Requests of one connection that wait for their turn; a client that reads its answers sends fewer ahead. */
const MAX_WAITING = 16;
/** Milliseconds in which a client takes some of its answer. */
const STALLED = 15_000;

export class Listener {
  readonly #options: ListenerOptions;
  readonly #server: Server;
  readonly #turns = new WeakMap<Socket, { readonly count: number; readonly last: Promise<void> }>();

  constructor(options: ListenerOptions) {
    this.#options = options;
    this.#server = createServer(HTTP_LIMITS, (request, response) => this.#queue(request, response));
    this.#server.maxConnections = options.maxConnections;
    this.#server.on('clientError', (error: NodeJS.ErrnoException, socket) => this.#judge(error, socket as Socket));
    this.#server.on('upgrade', (request, socket: Duplex, head: Buffer) => this.#upgrade(request, socket, head));
  }

  /** @returns The address, e.g. `http://127.0.0.1:8000`. @throws {GymError} `PORT_TAKEN` */
  async listen(): Promise<string> {
    const { host, port } = this.#options;
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', (cause) =>
        reject(
          new GymError(`Port ${port} of ${host} cannot be used.`, {
            code: 'PORT_TAKEN',
            value: port,
            hint: 'choose another with --port; 0 is any free one',
            cause,
          }),
        ),
      );
      this.#server.listen(port, host, resolve);
    });
    const { address, port: actual, family } = this.#server.address() as AddressInfo;
    const name = isLoopback(host) && host === 'localhost' ? 'localhost' : family === 'IPv6' ? `[${address}]` : address;
    return `http://${name}:${actual}`;
  }

  async close(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
  }

  /** A malformed request, or one that comes too late. */
  #judge(error: NodeJS.ErrnoException, socket: Socket): void {
    if (error.code !== 'ERR_HTTP_REQUEST_TIMEOUT') {
      refuse(socket, '400 Bad Request');
      return;
    }
    const before = this.#turns.get(socket);
    // on a busy machine, timers fire before requests that have arrived in the meantime
    setImmediate(() => {
      if (this.#turns.get(socket) === before) refuse(socket, '408 Request Timeout');
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

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = urlOf(request);
    const refusal = url
      ? this.#options.admission.refusal(request.headers, this.#options.isOpen(url.pathname))
      : undefined;
    let answer: HttpAnswer | undefined;
    try {
      if (!url) answer = plain('Invalid address', 400);
      else if (refusal) answer = this.#options.refused?.(refusal) ?? refusalAnswer(refusal);
      else
        answer = await this.#options.answer(
          request,
          url,
          await readBody(request, this.#options.maxBodyBytes),
          response,
        );
    } catch (error) {
      answer =
        error instanceof TooLarge
          ? json({ detail: 'Request body too large' }, 413)
          : plain('Internal Server Error', 500);
    }
    if (answer === undefined || response.destroyed) return;
    response.writeHead(answer.status, {
      'content-type': answer.type,
      'content-length': Buffer.byteLength(answer.body),
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      ...(answer.status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
      ...(answer.status === 413 ? { connection: 'close' } : {}),
      ...answer.headers,
    });
    response.end(answer.body);
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy());
    this.#turns.set(request.socket, { count: 0, last: Promise.resolve() });
    const url = urlOf(request);
    const refusal = this.#options.admission.refusal(request.headers);
    if (!url || refusal || !this.#options.upgrade) refuseUpgrade(socket, refusal?.status ?? 404);
    else this.#options.upgrade(request, url, socket, head);
  }
}

export function refuseUpgrade(socket: Duplex, status: 401 | 403 | 404): void {
  refuse(socket, `${status} ${{ 401: 'Unauthorized', 403: 'Forbidden', 404: 'Not Found' }[status]}`);
}

/** The last words of a connection; a client that keeps its end open would keep its place. */
function refuse(socket: Duplex, status: string): void {
  socket.once('finish', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
}

function refusalAnswer(refusal: Refusal): HttpAnswer {
  if (refusal.status === 401) return json({ detail: 'Not authenticated' }, 401);
  return json({ detail: `Invalid ${refusal.header}: ${refusal.value}` }, 403);
}

function urlOf({ url = '/' }: IncomingMessage): URL | undefined {
  try {
    return new URL(url.startsWith('/') ? `http://localhost${url}` : url);
  } catch {
    return undefined;
  }
}

/** @throws {TooLarge} */
async function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > limit) throw new TooLarge();
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of request) {
    length += (piece as Buffer).length;
    if (length > limit) throw new TooLarge();
    pieces.push(piece as Buffer);
  }
  return Buffer.concat(pieces);
}
