/** The MCP server over streamable HTTP: both protocol eras, without sessions of the transport. */

import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { checkNames, names } from '@vlgym/core/internal';
import { Admission, type Refusal } from '../http/admission.js';
import { Listener } from '../http/listener.js';
import { json } from '../http/messages.js';
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
    const { host = '127.0.0.1', port = 0, token } = options;
    this.#episodes = episodes;
    this.#handler = createMcpHandler(() => createMcpServer(episodes, { episodeIsOptional: false }));
    this.#listener = new Listener({
      host,
      port,
      admission: new Admission({ host, token }),
      maxConnections: 4 * episodes.table.maxSessions + 64,
      maxBodyBytes: MAX_BODY_BYTES,
      isOpen: () => false,
      refused: (refusal) => rpcError(refusal.status, wordsFor(refusal)),
      answer: async (request, url, body, response) => {
        if (url.pathname !== '/mcp') return rpcError(404, 'Not Found: the endpoint is /mcp');
        const method = request.method ?? 'GET';
        const headers = new Headers();
        for (const [name, value] of Object.entries(request.headers)) {
          for (const each of Array.isArray(value) ? value : [value]) if (each !== undefined) headers.append(name, each);
        }
        const left = new AbortController();
        response.once('close', () => left.abort());
        const given = ['GET', 'HEAD'].includes(method) ? {} : { body: new Uint8Array(body) };
        const { href } = new URL(url.pathname + url.search, `http://${request.headers.host ?? 'localhost'}`);
        await send(
          response,
          await this.#handler.fetch(new Request(href, { method, headers, signal: left.signal, ...given })),
        );
        return undefined;
      },
    });
  }

  /** @returns The address of the endpoint, e.g. `http://127.0.0.1:8001/mcp`. */
  async listen(): Promise<string> {
    return `${await this.#listener.listen()}/mcp`;
  }

  async close(): Promise<void> {
    await this.#handler.close();
    await this.#listener.close();
    await this.#episodes.table.closeAll();
  }
}

const wordsFor = (refusal: Refusal) =>
  refusal.status === 401 ? 'Unauthorized' : `Invalid ${refusal.header}: ${refusal.value}`;

const rpcError = (status: number, message: string) =>
  json({ jsonrpc: '2.0', error: { code: -32000, message }, id: null }, status);

async function send(response: ServerResponse, answer: Response): Promise<void> {
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (!answer.body) {
    response.end();
    return;
  }
  await new Promise<void>((resolve, reject) => {
    const body = Readable.fromWeb(answer.body as import('node:stream/web').ReadableStream);
    body.on('error', reject);
    response.on('close', () => {
      body.destroy();
      resolve();
    });
    body.pipe(response);
  });
}
