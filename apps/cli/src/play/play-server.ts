/** The page's server: plain HTTP on loopback, for the one person who knows the address. */
import { type HttpAnswer, type HttpRequest, jsonObject, Listener, PrivatePage, RefusedRequest } from '@vlgym/core/http';
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
  readonly #page = new PrivatePage('img-src data:; font-src data:');
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
        return this.#page.answer('text/plain', message, error instanceof RefusedRequest ? error.status : 500);
      },
    });
  }

  /** @returns The address to open, token included. @throws {GymError} `PORT_TAKEN` */
  async listen(): Promise<string> {
    return `${await this.#listener.listen()}${this.#page.path}`;
  }

  /** Ends all connections, so that open pages see it. */
  async close(): Promise<void> {
    clearTimeout(this.#farewell);
    await this.#listener.close();
  }

  async #answer(request: HttpRequest): Promise<HttpAnswer> {
    const [action, ...more] = this.#page.admit(request);
    if (more.length > 0) throw new RefusedRequest(404, 'there is nothing here');
    switch (`${request.method} ${action ?? 'without /'}`) {
      case 'GET ':
        this.#load();
        return this.#page.answer('text/html', playPage(this.#page.nonce));
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
        return this.#page.answer('application/json', JSON.stringify(await this.#table.hint()));
      default:
        throw new RefusedRequest(404, 'there is nothing here');
    }
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
    return this.#page.answer('text/plain', new ReadableStream());
  }

  /** Length of the JSON (4 bytes, little-endian), the JSON, then the bytes of the pictures. */
  #scene({ turn, note, refused, view, pictures }: Shown): HttpAnswer {
    const shapes = pictures.map(({ height, width, channels }) => ({ height, width, channels }));
    const message: SceneMessage = { turn, note, refused, ...view, pictures: shapes };
    const json = Buffer.from(JSON.stringify(message));
    const length = Buffer.alloc(4);
    length.writeUInt32LE(json.length);
    return this.#page.answer(
      'application/octet-stream',
      Buffer.concat([length, json, ...pictures.map(({ data }) => data)]),
    );
  }
}
