/**
 * The page's server: plain HTTP on loopback, for the one person who knows the address.
 *
 * The address holds an unguessable token. Every request needs it and must name this server as its host and, where a
 * browser sends one, as its origin. Answers carry a strict content security policy and are readable by this page only.
 */
import { randomBytes } from 'node:crypto';
import {
  type HttpAnswer,
  type HttpRequest,
  isSecret,
  jsonObject,
  Listener,
  pageHeaders,
  RefusedRequest,
} from '@vlgym/core/http';
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

export class PlayServer {
  readonly #token = randomBytes(18).toString('base64url');
  readonly #nonce = randomBytes(12).toString('base64url');
  readonly #table: Table;
  readonly #options: PlayServerOptions;
  readonly #listener: Listener;
  #pages = 0;
  /** A page was asked for, and has not connected yet. */
  #isLoading = false;
  #farewell: NodeJS.Timeout | undefined;

  constructor(table: Table, options: PlayServerOptions) {
    this.#table = table;
    this.#options = options;
    this.#listener = new Listener({
      ...(options.port === undefined ? {} : { port: options.port }),
      maxConnections: MAX_CONNECTIONS,
      maxBodyBytes: MAX_BODY_BYTES,
      answer: (request) => this.#answer(request),
      failure: (error) => {
        const message = error instanceof Error ? error.message : String(error);
        return this.#content('text/plain', message, error instanceof RefusedRequest ? error.status : 500);
      },
    });
  }

  /** @returns The address to open, token included. @throws {GymError} `PORT_TAKEN` */
  async listen(): Promise<string> {
    return `${await this.#listener.listen()}/${this.#token}/`;
  }

  /** Ends all connections, so that open pages see it. */
  async close(): Promise<void> {
    clearTimeout(this.#farewell);
    await this.#listener.close();
  }

  async #answer(request: HttpRequest): Promise<HttpAnswer> {
    const [, token = '', action, ...more] = request.url.pathname.split('/');
    this.#admit(request, token);
    if (more.length > 0) throw new RefusedRequest(404, 'there is nothing here');
    switch (`${request.method} ${action ?? 'without /'}`) {
      case 'GET ':
        this.#load();
        return this.#content('text/html', playPage(this.#nonce));
      case 'GET state':
        return this.#scene(await this.#table.current());
      case 'GET open':
        return this.#accompany(request.signal);
      case 'POST move': {
        const { turn, text, anyway = false } = jsonObject(request.body);
        if (Number.isSafeInteger(turn) && typeof text === 'string' && typeof anyway === 'boolean')
          return this.#scene(await this.#table.move(Number(turn), text, anyway));
        throw new RefusedRequest(400, 'expected { turn, text }');
      }
      case 'POST undo': {
        const { turn } = jsonObject(request.body);
        if (Number.isSafeInteger(turn)) return this.#scene(await this.#table.undo(Number(turn)));
        throw new RefusedRequest(400, 'expected { turn }');
      }
      case 'POST restart': {
        const { seed } = jsonObject(request.body);
        if (Number.isSafeInteger(seed) && Number(seed) >= 0)
          return this.#scene(await this.#table.restart(Number(seed)));
        throw new RefusedRequest(400, 'expected { seed }, 0 or more');
      }
      case 'POST hint':
        jsonObject(request.body);
        return this.#content('application/json', JSON.stringify(await this.#table.hint()));
      default:
        throw new RefusedRequest(404, 'there is nothing here');
    }
  }

  /** Beyond the checks of the listener: the address has the token, and requests come from our own page only. */
  #admit({ headers, method }: HttpRequest, token: string): void {
    if (!isSecret(token, this.#token)) {
      throw new RefusedRequest(403, 'This address lacks the right token: open the one that vlgym has printed.');
    }
    const { origin } = headers;
    const ours = origin === undefined ? method === 'GET' : origin === `http://${headers.host}`;
    // the page may be opened from anywhere, for example from a terminal in a browser
    const followed = headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
    const near =
      followed || ['same-origin', 'none', undefined].includes(headers['sec-fetch-site'] as string | undefined);
    if (!ours || !near) throw new RefusedRequest(403, 'not from another site');
    if (method === 'POST' && headers['content-type'] !== 'application/json') throw new RefusedRequest(415, 'only JSON');
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
  #accompany(signal: AbortSignal): HttpAnswer {
    this.#pages += 1;
    this.#isLoading = false;
    clearTimeout(this.#farewell);
    this.#farewell = undefined;
    signal.addEventListener('abort', () => {
      this.#pages -= 1;
      if (this.#pages === 0 && this.#listener.isListening) this.#awaitPage();
    });
    return this.#content('text/plain', new ReadableStream());
  }

  /** Length of the JSON (4 bytes, little-endian), the JSON, then the bytes of the pictures. */
  #scene({ turn, note, refused, view, pictures }: Shown): HttpAnswer {
    const shapes = pictures.map(({ height, width, channels }) => ({ height, width, channels }));
    const message: SceneMessage = { turn, note, refused, ...view, pictures: shapes };
    const json = Buffer.from(JSON.stringify(message));
    const length = Buffer.alloc(4);
    length.writeUInt32LE(json.length);
    return this.#content(
      'application/octet-stream',
      Buffer.concat([length, json, ...pictures.map(({ data }) => data)]),
    );
  }

  #content(type: string, body: HttpAnswer['body'], status = 200): HttpAnswer {
    const whole = type === 'application/octet-stream' ? type : `${type}; charset=utf-8`;
    return { status, type: whole, body, headers: pageHeaders(this.#nonce, 'img-src data:; font-src data:') };
  }
}
