/**
 * The page's server: plain HTTP on loopback, for the one person who knows the address. It reads folders; only what the reader
 * asks for, branches and pairs, is written.
 */
import { join } from 'node:path';
import { GymError } from '@vlgym/core';
import { type HttpAnswer, type HttpRequest, jsonObject, Listener, PrivatePage, RefusedRequest } from '@vlgym/core/http';
import { readRegularBytes } from '@vlgym/core/internal';
import type { Actions } from '../branch/actions.js';
import { picturesFolder } from '../episodes/read-episode.js';
import { answering } from '../folders/answering.js';
import type { Run } from '../folders/run.js';
import { answerTo, missing, NotFoundError, setOf, wholeOf } from './api.js';
import { viewerDocument } from './document.js';
import { firstAnswers } from './first-answers.js';
import type { Library } from './library.js';
import { liveStream } from './live.js';

/** A picture that was changed is the largest. */
const MAX_BODY_BYTES = 1 << 23;
const MAX_CONNECTIONS = 64;
const MAX_PICTURE_BYTES = 1 << 26;
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

export interface ViewerServerOptions {
  readonly library: Library;
  readonly actions: Actions;
  /** Default 0: any free port. */
  readonly port?: number | undefined;
}

export class ViewerServer {
  readonly #page = new PrivatePage("img-src 'self' data:");
  readonly #options: ViewerServerOptions;
  readonly #listener: Listener;

  constructor(options: ViewerServerOptions) {
    this.#options = options;
    this.#listener = new Listener({
      port: options.port,
      maxConnections: MAX_CONNECTIONS,
      maxBodyBytes: MAX_BODY_BYTES,
      answer: (request) => this.#answer(request),
      failure: (error) => this.#failure(error),
    });
  }

  /** @returns The address to open, token included. @throws {GymError} `PORT_TAKEN` */
  async listen(): Promise<string> {
    const address = await this.#listener.listen();
    // what the page will ask for first is read while its reader goes there
    this.#options.library.list().catch(() => {});
    return `${address}${this.#page.path}`;
  }

  /** Ends all connections. */
  close(): Promise<void> {
    return this.#listener.close();
  }

  async #answer(request: HttpRequest): Promise<HttpAnswer> {
    const { url, method, signal } = request;
    const rest = this.#page.admit(request);
    const path = rest.join('/');
    if (method === 'POST') return this.#json(await this.#act(path, request));
    if (method !== 'GET') throw new RefusedRequest(405, 'only GET and POST');
    if (rest.length === 0) throw new RefusedRequest(404, 'there is nothing here: the address ends with /');
    const { library, actions } = this.#options;
    const options = { agentsOf: (run: Run) => actions.agents(run) };
    if (path === '') {
      const first = await answering(() => firstAnswers(library, options));
      return this.#page.answer('text/html', viewerDocument({ nonce: this.#page.nonce, first }));
    }
    const [, id = '', question] = rest;
    if (question === 'live') return this.#live(id, request, signal);
    if (question === 'picture') return this.#picture(id, rest[3] ?? '', url.searchParams);
    return this.#json(await answering(() => answerTo(path, url.searchParams, library, options)));
  }

  async #act(path: string, { body, signal }: HttpRequest): Promise<unknown> {
    const { library, actions } = this.#options;
    const [head, id = '', action] = path.split('/');
    if (head !== 'runs') return missing('this path');
    const run = (await library.run(id)) ?? missing('this run');
    const order = jsonObject(body);
    if (action === 'verify') return actions.verify(run, order);
    if (action === 'branch') return actions.branch(run, order, signal);
    if (action === 'pair') return actions.pair(run, order, signal);
    if (action === 'talk') return actions.talk(run, order, signal);
    if (action === 'alternatives') return actions.alternatives(run, order, signal);
    return missing('this action');
  }

  async #live(id: string, { url, headers }: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> {
    const run = (await this.#options.library.run(id)) ?? missing('this run');
    const from = wholeOf(String(headers['last-event-id'] ?? url.searchParams.get('from') ?? 0));
    return this.#page.answer('text/event-stream', liveStream(run, from, signal));
  }

  /** Named by its pixels, so it never changes. */
  async #picture(id: string, name: string, params: URLSearchParams): Promise<HttpAnswer> {
    const [, hash] = /^([0-9a-f]{64})\.png$/.exec(name) ?? [];
    const run = await this.#options.library.run(id);
    const folder = run && picturesFolder(run, setOf(params));
    if (hash === undefined || folder === undefined) return missing('this picture');
    const path = join(folder, 'images', `${hash}.png`);
    const bytes = await readRegularBytes(path, MAX_PICTURE_BYTES).catch(() => missing('this picture'));
    if (!PNG.equals(bytes.subarray(0, PNG.length))) return missing('this picture');
    const answer = this.#page.answer('image/png', bytes);
    return { ...answer, headers: { ...answer.headers, 'cache-control': 'private, max-age=31536000, immutable' } };
  }

  #json(value: unknown, status = 200): HttpAnswer {
    return this.#page.answer('application/json', JSON.stringify(value), status);
  }

  #failure(error: unknown): HttpAnswer {
    const { message } = error as Error;
    if (error instanceof NotFoundError) return this.#json({ error: message }, 404);
    if (error instanceof RefusedRequest) return this.#page.answer('text/plain', message, error.status);
    if (GymError.isInstance(error)) return this.#json({ error: message, code: error.code, hint: error.hint }, 422);
    return this.#json({ error: message }, 500);
  }
}
