/** Exchanges recorded with the published library (test/golden/openenv), played against this server. */
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { countEndpoint, toolEndpoint } from '../../test-support/count-endpoint.js';
import { RawClient } from '../../test-support/raw-client.js';
import { OpenEnvServer, type OpenEnvServerOptions } from './server.js';

interface Frame {
  readonly conn: number;
  readonly from?: 'client' | 'server';
  readonly json?: unknown;
  readonly event?: 'open' | 'close';
  readonly by?: 'client' | 'server';
  readonly path?: string;
}
interface HttpExchange {
  readonly request: { readonly method: string; readonly path: string; readonly json?: unknown; readonly raw?: string };
  readonly response: { readonly status: number; readonly contentType: string; readonly json: unknown };
}

const golden = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../../../test/golden/openenv/${name}.json`, import.meta.url), 'utf8'));
const http = (name: string) => golden(name).exchanges as HttpExchange[];
const schemas = http('http-simulation').find(({ request }) => request.path === '/schema')!.response.json as object;

let server: OpenEnvServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function start(kind: 'count' | 'tools', options: OpenEnvServerOptions = {}): Promise<string> {
  server = new OpenEnvServer([kind === 'count' ? countEndpoint({ ...schemas }) : toolEndpoint()], {
    maxSessions: 2,
    ...options,
  });
  return server.listen();
}

/** Messages that pydantic words differently are compared by type. */
function normal(value: unknown): unknown {
  const errors = (value as { data?: { errors?: { type: string; loc: unknown; input: unknown }[] } }).data?.errors;
  if (!errors) return value;
  const brief = errors.map(({ type, loc, input }) => ({ type, loc, input }));
  return { ...(value as object), data: { ...(value as { data: object }).data, errors: brief } };
}

/** Sends what the clients sent, connection by connection, and compares every answer. */
async function replay(frames: readonly Frame[], address: string, skip: (frame: Frame) => boolean = () => false) {
  const clients = new Map<number, RawClient>();
  for (const frame of frames) {
    if (skip(frame)) continue;
    const client = clients.get(frame.conn);
    if (frame.event === 'open')
      clients.set(frame.conn, await RawClient.open(`${address.replace('http', 'ws')}${frame.path}`));
    else if (frame.from === 'client') client!.send(frame.json);
    else if (frame.from === 'server') expect(normal(await client!.next())).toEqual(normal(frame.json));
    else if (frame.by === 'server') expect(await client!.next()).toEqual({ closed: 1000 });
  }
}

describe('recorded frames', () => {
  it('an episode: reset, state, steps, the end, options, close', async () => {
    await replay(golden('ws-episode').frames, await start('count'));
  });

  it('errors of the environment and of actions leave the session alive', async () => {
    // a negative seed is refused here, and passed on by the library
    const frames = golden('ws-errors-client').frames as Frame[];
    const negative = frames.findIndex(({ json }) => (json as { data?: { seed?: number } })?.data?.seed === -1);
    const address = await start('count');
    await replay(
      [
        ...frames.slice(0, negative),
        { conn: 1, from: 'client', json: { type: 'reset', data: { seed: -1 } } },
        {
          conn: 1,
          from: 'server',
          json: {
            type: 'error',
            data: {
              message: 'Invalid message',
              code: 'VALIDATION_ERROR',
              errors: [{ type: 'greater_than_equal', loc: ['seed'], input: -1 }],
            },
          },
        },
        { conn: 1, from: 'client', json: { type: 'reset', data: { seed: 4 } } },
        ...frames.slice(negative + 1),
      ],
      address,
    );
  });

  it('a third client at a capacity of two gets one error and is closed; after one left, the next is served', async () => {
    const frames = (golden('ws-capacity').frames as Frame[]).filter(
      ({ event, by }) => event !== 'close' || by === 'server',
    );
    await replay(frames, await start('count'), ({ conn, from }) => conn === 4 && from === 'client');
  });

  it('hand-written frames get the type, the code and the liveness of the library', async () => {
    const address = await start('count');
    let client: RawClient | undefined;
    for (const { send, sendBinary, receive, closed } of golden('ws-raw-frames').exchanges) {
      client =
        client?.closed === undefined && client ? client : await RawClient.open(`${address.replace('http', 'ws')}/ws`);
      const answer = (await client.ask(send ?? Buffer.from(sendBinary))) as { type?: string; data?: { code?: string } };
      if (closed) {
        expect(answer).toEqual({ closed: closed.code });
        continue;
      }
      const { type, data } = receive as { type: string; data: { code?: string; message?: string; jsonrpc?: string } };
      expect({ send, type: answer.type, code: answer.data?.code }).toEqual({ send, type, code: data.code });
      if (type === 'observation' || type === 'state') expect(answer).toEqual(receive);
      if (type === 'mcp') expect(rpcKind(answer.data)).toEqual(rpcKind(data));
      if (data.code === 'SESSION_ERROR') expect(await client.next()).toEqual({ closed: 1000 });
    }
    await client?.close();
  });

  it('JSON-RPC on /mcp', async () => {
    const client = await RawClient.open(`${(await start('tools')).replace('http', 'ws')}/mcp`);
    for (const { send, receive } of golden('ws-mcp').exchanges) {
      const answer = await client.ask(send);
      const created = (answer as { result?: { session_id?: unknown } }).result?.session_id;
      if (created !== undefined) expect(created).toMatch(/^[0-9a-f]{32}$/);
      else expect(rpcKind(answer)).toEqual(rpcKind(receive));
    }
    await client.close();
  });
});

describe('recorded requests', () => {
  const compare = async (name: string, address: string) => {
    for (const { request, response } of http(name)) {
      const body = request.raw ?? (request.json === undefined ? undefined : JSON.stringify(request.json));
      const answer = await fetch(`${address}${request.path}`, {
        method: request.method,
        ...(body === undefined ? {} : { body, headers: { 'content-type': 'application/json' } }),
      });
      const text = await answer.text();
      const got = answer.headers.get('content-type')?.startsWith('application/json') ? JSON.parse(text) : text;
      const where = `${request.method} ${request.path} ${body ?? ''}`;
      expect({ where, status: answer.status, type: answer.headers.get('content-type') }).toEqual({
        where,
        status: response.status,
        type: response.contentType,
      });
      expect({ where, body: httpKind(got) }).toEqual({ where, body: httpKind(response.json) });
    }
  };

  it('every route in simulation mode', async () => compare('http-simulation', await start('count')));
  it('production mode lacks reset, step and state', async () =>
    compare('http-production', await start('count', { mode: 'production' })));
  it('errors of sessions over POST /mcp', async () => compare('http-mcp-sessions', await start('tools')));

  it('the OpenAPI document has the paths and the version that the validator reads', async () => {
    const document = (await (await fetch(`${await start('count')}/openapi.json`)).json()) as {
      openapi: string;
      info: object;
      paths: Record<string, Record<string, unknown>>;
    };
    const methods = Object.entries(document.paths).map(([path, item]) => [
      path,
      Object.keys(item).filter((key) => ['get', 'post'].includes(key)),
    ]);
    const { what: _, ...recorded } = golden('openapi-paths');
    expect({ openapi: document.openapi, info: document.info, paths: Object.fromEntries(methods) }).toEqual(recorded);
  });

  it('MCPToolClient: sessions over POST and its socket share one environment', async () => {
    const { http: calls, frames } = golden('mcp-tool-client') as {
      http: { request: { params: Record<string, unknown> }; response: { result?: Record<string, unknown> } }[];
      frames: Frame[];
    };
    const address = await start('tools');
    let id = '';
    const call = async ({ request, response }: (typeof calls)[number]) => {
      const params = 'session_id' in request.params ? { ...request.params, session_id: id } : request.params;
      const answer = await fetch(`${address}/mcp`, { method: 'POST', body: JSON.stringify({ ...request, params }) });
      const body = (await answer.json()) as { result?: { session_id?: string } };
      if (id === '') id = body.result!.session_id!;
      expect(rpcKind(named(body, id))).toEqual(rpcKind(response));
    };
    const [create, list, add, fail, unknown, wrong, close] = calls;
    await call(create!);
    const client = await RawClient.open(`${address.replace('http', 'ws')}/ws?session_id=${id}`);
    const conversation = frames.filter(({ event }) => event === undefined);
    const exchange = async (sent: Frame, received: Frame) => expect(await client.ask(sent.json)).toEqual(received.json);
    await exchange(conversation[0]!, conversation[1]!);
    for (const each of [list!, add!, fail!, unknown!, wrong!]) await call(each);
    for (let index = 2; index < 10; index += 2) await exchange(conversation[index]!, conversation[index + 1]!);
    expect(await client.ask({ type: 'close' })).toEqual({ closed: 1000 });
    await call(close!);
  });
});

const named = (value: unknown, id: string) => JSON.parse(JSON.stringify(value).replaceAll(id, '<session-id-1>'));

/** Without the words of pydantic and of Python's JSON parser. */
function rpcKind(answer: unknown): unknown {
  const { error, ...rest } = answer as { error?: { code: number; message: string; data: unknown } };
  if (!error) return answer;
  const free =
    [-32600, -32700].includes(error.code) ||
    error.message.includes('validation error') ||
    error.message.startsWith('value:');
  return { ...rest, error: { code: error.code, message: free ? '' : error.message, data: error.data } };
}

function httpKind(body: unknown): unknown {
  const { detail } = (body ?? {}) as { detail?: unknown };
  if (Array.isArray(detail)) return detail.map(({ type, loc, msg, input }) => ({ type, loc, msg, input }));
  return (body as { jsonrpc?: string } | null)?.jsonrpc === undefined ? body : rpcKind(body);
}
