/**
 * The page's server: plain HTTP on loopback, for the one person who knows the address.
 *
 * The address holds an unguessable token. Every request needs it and must name this server as its host and, where a
 * browser sends one, as its origin. Answers carry a strict content security policy and are readable by this page only.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GymError } from '@vlgym/core';
import { HTTP_LIMITS } from '@vlgym/core/internal';
import { playPage } from './page.js';
import type { SceneMessage } from './page-scene.js';
import type { Shown, Table } from './table.js';

/** Characters of an action; a longer request is refused. */
const MAX_BODY_BYTES = 64 * 1024;

/** One person's pages, each with a few connections; more are closed at once. */
const MAX_CONNECTIONS = 64;

/** Milliseconds within which a reloaded page is asked for again. */
const RELOAD_TIME = 2000;

/** Milliseconds within which a page that was asked for connects: a browser may take long to draw it. */
const LOAD_TIME = 30_000;

export interface PlayServerOptions {
  /** Default 0: any free port. */
  readonly port?: number;
  /** Called after the last page was closed. */
  readonly onClosed: () => void;
}

class Refused extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

export class PlayServer {
  readonly #token = randomBytes(18).toString('base64url');
  readonly #nonce = randomBytes(12).toString('base64url');
  readonly #table: Table;
  readonly #options: PlayServerOptions;
  readonly #server: Server;
  #pages = 0;
  /** A page was asked for, and has not connected yet. */
  #isLoading = false;
  #farewell: NodeJS.Timeout | undefined;

  constructor(table: Table, options: PlayServerOptions) {
    this.#table = table;
    this.#options = options;
    this.#server = createServer(HTTP_LIMITS, (request, response) => {
      this.#answer(request, response).catch((error: unknown) => {
        if (response.headersSent) response.destroy();
        else if (error instanceof Refused) this.#send(response, error.status, 'text/plain', error.message);
        else this.#send(response, 500, 'text/plain', error instanceof Error ? error.message : String(error));
      });
    });
    this.#server.maxConnections = MAX_CONNECTIONS;
  }

  /** @returns The address to open, token included. @throws {GymError} `PORT_TAKEN` */
  async listen(): Promise<string> {
    const { port = 0 } = this.#options;
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', (cause) =>
        reject(
          new GymError(`Port ${port} cannot be used.`, {
            code: 'PORT_TAKEN',
            value: port,
            hint: 'choose another with --port, or leave it out for a free one',
            cause,
          }),
        ),
      );
      this.#server.listen(port, '127.0.0.1', resolve);
    });
    return `http://127.0.0.1:${this.#port}/${this.#token}/`;
  }

  /** Ends all connections, so that open pages see it. */
  async close(): Promise<void> {
    clearTimeout(this.#farewell);
    if (!this.#server.listening) return;
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
  }

  get #port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, token = '', action, ...more] = (request.url ?? '/').split('?', 1)[0]!.split('/');
    this.#admit(request, token);
    if (more.length > 0) throw new Refused(404, 'there is nothing here');
    const route = `${request.method} ${action ?? 'without /'}`;
    switch (route) {
      case 'GET ':
        this.#load();
        return this.#send(response, 200, 'text/html', playPage(this.#nonce));
      case 'GET state':
        return this.#scene(response, await this.#table.current());
      case 'GET open':
        return this.#accompany(response);
      case 'POST move': {
        const { turn, text } = await body(request);
        if (!Number.isSafeInteger(turn) || typeof text !== 'string') throw new Refused(400, 'expected { turn, text }');
        return this.#scene(response, await this.#table.move(Number(turn), text));
      }
      case 'POST restart': {
        const { seed } = await body(request);
        if (!Number.isSafeInteger(seed) || Number(seed) < 0) throw new Refused(400, 'expected { seed }, 0 or more');
        return this.#scene(response, await this.#table.restart(Number(seed)));
      }
      case 'POST hint':
        await body(request);
        return this.#send(response, 200, 'application/json', JSON.stringify({ hint: await this.#table.hint() }));
      default:
        throw new Refused(404, 'there is nothing here');
    }
  }

  /** @throws {Refused} The request does not come from our page. */
  #admit({ headers, method }: IncomingMessage, token: string): void {
    const hosts = [`127.0.0.1:${this.#port}`, `localhost:${this.#port}`];
    if (!hosts.includes(headers.host ?? '')) throw new Refused(421, 'not this host'); // a name that was rebound
    const known = Buffer.from(this.#token);
    const given = Buffer.from(token);
    if (known.length !== given.length || !timingSafeEqual(known, given)) {
      throw new Refused(403, 'This address lacks the right token: open the one that vlgym has printed.');
    }
    const { origin } = headers;
    const ours = origin === undefined ? method === 'GET' : origin === `http://${headers.host}`;
    // the page may be opened from anywhere, for example from a terminal in a browser
    const followed = headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
    const near =
      followed || ['same-origin', 'none', undefined].includes(headers['sec-fetch-site'] as string | undefined);
    if (!ours || !near) throw new Refused(403, 'not from another site');
    if (method === 'POST' && headers['content-type'] !== 'application/json') throw new Refused(415, 'only JSON');
  }

  #load(): void {
    this.#isLoading = true;
    if (this.#farewell) this.#awaitPage();
  }

  /** Nobody has the page open: one that is being loaded is waited for. */
  #awaitPage(): void {
    clearTimeout(this.#farewell);
    this.#farewell = setTimeout(this.#options.onClosed, this.#isLoading ? LOAD_TIME : RELOAD_TIME);
  }

  /** An endless answer: while it is open, the page knows the server and the server knows the page. */
  #accompany(response: ServerResponse): void {
    response.writeHead(200, this.#headers('text/plain'));
    response.flushHeaders();
    this.#pages += 1;
    this.#isLoading = false;
    clearTimeout(this.#farewell);
    this.#farewell = undefined;
    response.once('close', () => {
      this.#pages -= 1;
      if (this.#pages === 0 && this.#server.listening) this.#awaitPage();
    });
  }

  /** Length of the JSON (4 bytes, little-endian), the JSON, then the bytes of the pictures. */
  #scene(response: ServerResponse, { turn, note, view, pictures }: Shown): void {
    const shapes = pictures.map(({ height, width, channels }) => ({ height, width, channels }));
    const message: SceneMessage = { turn, note, ...view, pictures: shapes };
    const json = Buffer.from(JSON.stringify(message));
    const length = Buffer.alloc(4);
    length.writeUInt32LE(json.length);
    const whole = Buffer.concat([length, json, ...pictures.map(({ data }) => data)]);
    this.#send(response, 200, 'application/octet-stream', whole);
  }

  #send(response: ServerResponse, status: number, type: string, content: string | Buffer): void {
    response.writeHead(status, { ...this.#headers(type), 'content-length': Buffer.byteLength(content) });
    response.end(content);
  }

  #headers(type: string): Record<string, string> {
    const own = `'nonce-${this.#nonce}'`;
    return {
      'content-type': type === 'application/octet-stream' ? type : `${type}; charset=utf-8`,
      'content-security-policy': `default-src 'none'; script-src ${own}; style-src ${own}; img-src data:; font-src data:; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'`,
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    };
  }
}

/** @throws {Refused} Too long, or not a JSON object. */
async function body(request: IncomingMessage): Promise<Readonly<Record<string, unknown>>> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of request) {
    length += (piece as Buffer).length;
    if (length > MAX_BODY_BYTES) throw new Refused(413, `more than ${MAX_BODY_BYTES} bytes`);
    pieces.push(piece as Buffer);
  }
  try {
    const value: unknown = JSON.parse(Buffer.concat(pieces).toString('utf8'));
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {}
  throw new Refused(400, 'expected a JSON object');
}
