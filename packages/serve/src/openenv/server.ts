/**
 * The OpenEnv server: one or several endpoints, each under its prefix, with one session table.
 *
 * A single endpoint is served at the root. With several, each is a full server under `/<name>`, and the root lists them.
 * Protocol: `huggingface/OpenEnv` 0.10; test/golden/openenv holds recorded exchanges.
 */
import { GymError } from '@vlgym/core';
import { type HttpAnswer, type HttpRequest, json, Listener, RefusedRequest } from '@vlgym/core/http';
import { checkNames, names } from '@vlgym/core/internal';
import { type WebSocket, WebSocketServer } from 'ws';
import { SessionTable } from '../session/session-table.js';
import { Connection } from './connection.js';
import type { OpenEnvEndpoint } from './endpoint.js';
import { type OpenEnvMode, OpenEnvRoutes } from './routes.js';
import { OpenEnvHost } from './sessions.js';

export interface OpenEnvServerOptions {
  readonly host?: string | undefined;
  /** Default 0: any free port. */
  readonly port?: number | undefined;
  readonly token?: string | undefined;
  readonly mode?: OpenEnvMode | undefined;
  readonly maxSessions?: number | undefined;
  readonly idleSeconds?: number | undefined;
  /** Seconds between pings; a socket that has not answered the last one is dropped. */
  readonly pingSeconds?: number | undefined;
  /** Bytes of one message or body. */
  readonly maxMessageBytes?: number | undefined;
}

interface Place {
  readonly prefix: string;
  readonly host: OpenEnvHost;
  readonly routes: OpenEnvRoutes;
}

const DEFAULT_MESSAGE_BYTES = 16 * 1024 * 1024;

const OPEN_ENV_SERVER_OPTIONS = names<OpenEnvServerOptions>({
  host: 0,
  port: 0,
  token: 0,
  mode: 0,
  maxSessions: 0,
  idleSeconds: 0,
  pingSeconds: 0,
  maxMessageBytes: 0,
});

export class OpenEnvServer {
  readonly table: SessionTable;
  readonly #places: readonly Place[];
  readonly #listener: Listener;
  readonly #sockets: WebSocketServer;
  readonly #alive = new WeakMap<WebSocket, boolean>();
  readonly #pings: NodeJS.Timeout;

  constructor(endpoints: readonly OpenEnvEndpoint[], options: OpenEnvServerOptions = {}) {
    checkNames('options', options, OPEN_ENV_SERVER_OPTIONS);
    const { host, port, token, mode = 'simulation', pingSeconds = 20 } = options;
    const { maxMessageBytes = DEFAULT_MESSAGE_BYTES } = options;
    refuseEqualNames(endpoints);
    this.table = new SessionTable({ maxSessions: options.maxSessions, idleSeconds: options.idleSeconds });
    this.#places = endpoints.map((endpoint) => {
      const openEnv = new OpenEnvHost(endpoint, this.table);
      const prefix = endpoints.length === 1 ? '' : `/${endpoint.name}`;
      return { prefix, host: openEnv, routes: new OpenEnvRoutes(openEnv, mode) };
    });
    this.#sockets = new WebSocketServer({ noServer: true, maxPayload: maxMessageBytes, perMessageDeflate: false });
    this.#listener = new Listener({
      ...{ host, port, token },
      maxConnections: 4 * this.table.maxSessions + 64,
      maxBodyBytes: maxMessageBytes,
      open: (path) => path.endsWith('/health'),
      answer: (request) => this.#answer(request),
      upgrade: (request, url, socket, head) => {
        const found = this.#find(url.pathname);
        if (!found || !['/ws', '/mcp'].includes(found.path)) throw new RefusedRequest(403, 'no sockets here');
        this.#sockets.handleUpgrade(request, socket, head, (client) => {
          this.#watch(client);
          new Connection(client, found.place.host, url.searchParams, found.path === '/mcp');
        });
      },
    });
    // where an environment kept this thread busy, timers come before the answers that have arrived in the meantime
    this.#pings = setInterval(() => setImmediate(() => this.#ping()), pingSeconds * 1000).unref();
  }

  /** @returns The address, without a prefix. */
  listen(): Promise<string> {
    return this.#listener.listen();
  }

  /** The paths of the environments. */
  get prefixes(): readonly string[] {
    return this.#places.map(({ prefix }) => prefix);
  }

  async close(): Promise<void> {
    clearInterval(this.#pings);
    for (const client of this.#sockets.clients) client.close(1001);
    await this.table.closeAll();
    for (const client of this.#sockets.clients) client.terminate();
    this.#sockets.close();
    await this.#listener.close();
  }

  async #answer({ method, url, body }: HttpRequest): Promise<HttpAnswer> {
    const found = this.#find(url.pathname);
    if (found) {
      const request = { method, query: url.searchParams, body: body.toString('utf8') };
      return found.place.routes.answer(found.path, request);
    }
    if (this.#places.length > 1 && method === 'GET') {
      if (url.pathname === '/health') return json({ status: 'healthy' });
      if (url.pathname === '/list_environments') return json(this.#places.map(({ host }) => host.endpoint.name));
    }
    return json({ detail: 'Not Found' }, 404);
  }

  #find(pathname: string): { readonly place: Place; readonly path: string } | undefined {
    const path = pathname.replace(/^\/+/, '/');
    const place = this.#places.find(({ prefix }) => prefix === '' || path.startsWith(`${prefix}/`));
    return place && { place, path: path.slice(place.prefix.length) };
  }

  #watch(client: WebSocket): void {
    this.#alive.set(client, true);
    client.on('pong', () => this.#alive.set(client, true));
    client.on('message', () => this.#alive.set(client, true));
  }

  /** A half-open connection would hold its session until it is idle. */
  #ping(): void {
    for (const client of this.#sockets.clients) {
      if (this.#alive.get(client) === false) {
        client.terminate();
        continue;
      }
      this.#alive.set(client, false);
      client.ping();
    }
  }
}

function refuseEqualNames(endpoints: readonly OpenEnvEndpoint[]): void {
  const names = endpoints.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice === undefined && names.length > 0) return;
  throw new GymError(twice === undefined ? 'Nothing to serve.' : `Two environments have the name "${twice}".`, {
    code: 'INVALID_OPTION',
    value: names,
    expected: 'one or more environments with different names',
  });
}
