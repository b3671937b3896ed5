/** The MCP server over streamable HTTP: both protocol eras, without sessions of the transport. */

import type { ReadableStream } from 'node:stream/web';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { type HttpAnswer, type HttpRequest, json, Listener, RefusedRequest } from '@vlgym/core/http';
import { checkNames, names } from '@vlgym/core/internal';
import type { McpEpisodes } from './episodes.js';
import { createMcpServer } from './server.js';

export interface McpHttpOptions {
  readonly host?: string | undefined;
  /** Default 0: any free port. */
  readonly port?: number | undefined;
  readonly token?: string | undefined;
}

/** The body limit of the SDK. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

const MCP_HTTP_SERVER_OPTIONS = names<McpHttpOptions>({ host: 0, port: 0, token: 0 });

export class McpHttpServer {
  readonly #listener: Listener;
  readonly #handler: ReturnType<typeof createMcpHandler>;
  readonly #episodes: McpEpisodes;

  constructor(episodes: McpEpisodes, options: McpHttpOptions = {}) {
    checkNames('options', options, MCP_HTTP_SERVER_OPTIONS);
    const { host, port, token } = options;
    this.#episodes = episodes;
    this.#handler = createMcpHandler(() => createMcpServer(episodes, { episodeIsOptional: false }));
    this.#listener = new Listener({
      ...{ host, port, token },
      maxConnections: 4 * episodes.table.maxSessions + 64,
      maxBodyBytes: MAX_BODY_BYTES,
      failure: (error) => (error instanceof RefusedRequest ? rpcError(error.status, error.message) : rpcError(500)),
      answer: (request) => this.#answer(request),
    });
  }

  /** @returns The address of the endpoint, e.g. `http://127.0.0.1:8001/mcp`. */
  async listen(): Promise<string> {
    return `${await this.#listener.listen()}/mcp`;
  }

  async #answer({ method, url, headers: given, body: bytes, signal }: HttpRequest): Promise<HttpAnswer> {
    if (url.pathname !== '/mcp') return rpcError(404, 'Not Found: the endpoint is /mcp');
    const headers = new Headers();
    for (const [name, value] of Object.entries(given)) {
      for (const each of Array.isArray(value) ? value : [value]) if (each !== undefined) headers.append(name, each);
    }
    const { href } = new URL(url.pathname + url.search, `http://${given.host ?? 'localhost'}`);
    const body = ['GET', 'HEAD'].includes(method) ? null : new Uint8Array(bytes);
    const answer = await this.#handler.fetch(new Request(href, { method, headers, signal, body }));
    return {
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      body: (answer.body as ReadableStream | null) ?? '',
    };
  }

  async close(): Promise<void> {
    await this.#handler.close();
    await this.#listener.close();
    await this.#episodes.table.closeAll();
  }
}

const rpcError = (status: number, message = 'Internal Server Error') =>
  json({ jsonrpc: '2.0', error: { code: -32000, message }, id: null }, status);
