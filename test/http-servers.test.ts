/** The same attacks against every server that listens for HTTP: what `@vlgym/core/http` promises, each of them keeps. */
import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { EnvServer } from '@vlgym/gymnasium/server';
import '@vlgym/points24';
import { HealthServer, SamplingServer } from '@vlgym/queue';
import { envEndpoint, OpenEnvServer, ServedEnv } from '@vlgym/serve';
import { McpEpisodes, McpHttpServer } from '@vlgym/serve/mcp';
import { generateProducts, Shop, ShopServer } from '@vlgym/webshop';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PlayServer } from '../apps/cli/src/play/play-server.js';
import type { Table } from '../apps/cli/src/play/table.js';
import { TheirServer } from './researcher/their-server.js';

interface Options {
  readonly host?: string;
  readonly token?: string;
}
interface Running {
  readonly address: string;
  close(): Promise<void>;
}
interface Kind {
  readonly start: (options?: Options) => Promise<Running>;
  /** A request that is answered, and its status. */
  readonly path: string;
  readonly status: number;
  /** Bytes of a body that is too long. */
  readonly tooLong: number;
  /** The reason if it asks for no token in a header. */
  readonly withoutToken?: string;
}

const MIB = 1024 * 1024;
const TOKEN = 'a-token-of-24-characters';
const served = () => ServedEnv.create({ id: 'vlgym/Blackjack-v1' });
const listening = async (server: { listen(): Promise<string>; close(): Promise<void> }): Promise<Running> => ({
  address: new URL(await server.listen()).href.replace(/\/(mcp)?$/, ''),
  close: () => server.close(),
});

const KINDS: Readonly<Record<string, Kind>> = {
  OpenEnv: {
    start: async (options) => listening(new OpenEnvServer([envEndpoint(await served())], options)),
    ...{ path: '/metadata', status: 200, tooLong: 17 * MIB },
  },
  MCP: {
    start: async (options) => listening(new McpHttpServer(new McpEpisodes([await served()]), options)),
    ...{ path: '/elsewhere', status: 404, tooLong: 5 * MIB },
  },
  'environments for Python': {
    start: async (options) => listening(new EnvServer([await served()], options)),
    ...{ path: '/elsewhere', status: 404, tooLong: 1 },
  },
  'sampling server': {
    start: async (options = {}) => {
      const server = await SamplingServer.start({ policy: {} as never, tokens: {} as never, ...options });
      return { address: server.urlFor(), close: () => server.close() };
    },
    ...{ path: '/v1/models', status: 200, tooLong: 65 * MIB },
  },
  'health of a worker': {
    start: async () => {
      const server = await HealthServer.listen(0, () => true, '127.0.0.1');
      return { address: `http://127.0.0.1:${server.port}`, close: () => server.close() };
    },
    ...{ path: '/ready', status: 200, tooLong: 1, withoutToken: 'it answers strangers' },
  },
  shop: {
    start: async (options) => listening(new ShopServer(new Shop(generateProducts({ products: 20, seed: 1 })), options)),
    ...{ path: '/visit', status: 200, tooLong: MIB },
  },
  'protocol of somebody else': {
    start: async (options) => listening(new TheirServer(await served(), options)),
    ...{ path: '/', status: 200, tooLong: 1025 },
  },
  'play page': {
    start: () => listening(new PlayServer({} as Table, { onClosed: () => {} })),
    ...{ path: '/', status: 200, tooLong: MIB, withoutToken: 'its address holds one' },
  },
};
const all = Object.entries(KINDS).map(([name, kind]) => ({ name, ...kind }));
const withToken = all.filter(({ withoutToken }) => withoutToken === undefined);

const statusOf = (address: string, headers: Record<string, string> = {}, body?: Buffer) =>
  new Promise<number>((resolve, reject) => {
    const sent = request(address, { headers, agent: false, method: body ? 'POST' : 'GET' }, (response) =>
      resolve(response.resume().statusCode!),
    );
    sent.on('error', reject).end(body);
  });

async function opened(address: string, words: string, allowHalfOpen = false): Promise<Socket> {
  const { port } = new URL(address);
  const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen }).on('error', () => {});
  await once(socket, 'connect');
  socket.write(words);
  return socket;
}

describe.each(all)('$name', ({ start, path, status, tooLong }) => {
  let server: Running;
  let address: string;
  beforeAll(async () => {
    server = await start();
    address = server.address + path;
  });
  afterAll(() => server.close());
  const isWell = async () => expect(await statusOf(address)).toBe(status);

  it('answers to the names of this machine only, which prevents DNS rebinding', async () => {
    for (const host of ['localhost:80', '127.0.0.1', '127.0.0.2', '[::1]:3000']) {
      expect([host, await statusOf(address, { host })]).toEqual([host, status]);
    }
    for (const host of ['evil.example', 'evil.example:80', 'localhost.evil.example', '127.0.0.1.evil.example']) {
      expect([host, await statusOf(address, { host })]).toEqual([host, 403]);
    }
  });

  it('refuses pages of other sites', async () => {
    for (const origin of ['http://evil.example', 'https://evil.example:443', 'null', 'file://']) {
      expect([origin, await statusOf(address, { origin })]).toEqual([origin, 403]);
    }
  });

  it('refuses a body that is too long, after which it answers', async () => {
    const headers = { 'content-type': 'application/json', origin: new URL(address).origin };
    expect(await statusOf(address, headers, Buffer.alloc(tooLong, 32))).toBe(413);
    await isWell();
  });

  it.each([
    ['headers that are too long', `GET / HTTP/1.1\r\nhost: localhost\r\na: ${'x'.repeat(300_000)}\r\n\r\n`, '431'],
    ['no HTTP', 'hello\r\n\r\n', '400'],
    ['two lengths', 'POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n', '400'],
    ['no host', 'GET / HTTP/1.1\r\n\r\n', '400'],
    ['an address that is none', 'GET http://[ HTTP/1.1\r\nhost: localhost\r\n\r\n', '400'],
  ])('ends the connection of a client that sends %s', async (_what, words, expected) => {
    const socket = await opened(address, words);
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toContain(`HTTP/1.1 ${expected} `);
    socket.destroy();
    await isWell();
  });

  it('ends the connection of a client that sends many requests ahead and never reads', async () => {
    const { pathname } = new URL(address);
    const line = `GET ${pathname} HTTP/1.1\r\nhost: localhost\r\ncontent-length: 0\r\n\r\n`;
    const socket = await opened(address, line.repeat(100));
    await once(socket.resume(), 'close');
    await isWell();
  });

  it('ends all connections when it is closed, whatever they are in', async () => {
    const other = await start();
    const { pathname } = new URL(other.address + path);
    const line = `GET ${pathname} HTTP/1.1\r\nhost: localhost\r\n`;
    const idle = await opened(other.address, `${line}\r\n`);
    await once(idle, 'data');
    const sockets = [idle, await opened(other.address, ''), await opened(other.address, line)];
    const ends = sockets.map((socket) => new Promise((resolve) => socket.resume().once('close', resolve)));
    await other.close();
    await Promise.all(ends);
    await expect(statusOf(other.address)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});

describe.each(withToken)('$name', ({ start, path, status }) => {
  it('opens no port beyond this machine without a token, and asks for the one it has', async () => {
    await expect(start({ host: '0.0.0.0' })).rejects.toMatchObject({ code: 'TOKEN_NEEDED' });
    await expect(start({ token: 'short' })).rejects.toMatchObject({ code: 'INVALID_OPTION' });
    const server = await start({ host: '0.0.0.0', token: TOKEN });
    const address = server.address.replace('0.0.0.0', '127.0.0.1') + path;
    const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
    const wrong = ['', TOKEN, 'Bearer', `Bearer ${TOKEN}x`, `Bearer ${TOKEN.slice(1)}`, basic(`${TOKEN}:`)];
    for (const authorization of wrong)
      expect([authorization, await statusOf(address, { authorization })]).toEqual([authorization, 401]);
    expect(await statusOf(address)).toBe(401);
    for (const authorization of [`Bearer ${TOKEN}`, `bearer ${TOKEN}`, basic(`me:${TOKEN}`)]) {
      const headers = { host: 'this.example', authorization };
      expect(await statusOf(address, headers)).toBe(status);
      expect(await statusOf(address, { ...headers, origin: 'http://evil.example' })).toBe(403);
    }
    await server.close();
  });
});

it('a protocol of somebody else is one file on what is published, and plays', async () => {
  const server = new TheirServer(await served());
  const address = await server.listen();
  const post = async (path: string, body: string) =>
    (await fetch(`${address}/${path}`, { method: 'POST', body })).json() as Promise<Record<string, unknown>>;
  const { id } = await post('new', '7');
  expect(await post(String(id), 'I do not know.')).toMatchObject({ id, legal: false });
  expect(await post(String(id), '{"thoughts": "", "action": "stand"}')).toMatchObject({ id, legal: true });
  await server.close();
});

it('connections that say nothing are ended in the time that headers may take, by every server', async () => {
  const servers = await Promise.all(all.map(({ start }) => start()));
  const sockets: Socket[] = [];
  for (const { address } of servers) {
    for (const words of ['', 'POST /reset HTTP/1.1\r\nhost: localhost\r\n']) {
      for (let count = 0; count < 20; count += 1) sockets.push((await opened(address, words, true)).resume());
    }
    // after a refused upgrade
    const upgrade = 'GET /no HTTP/1.1\r\nhost: evil.example\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\r\n';
    sockets.push((await opened(address, upgrade, true)).resume());
  }
  const began = performance.now();
  await Promise.all(sockets.map((socket) => socket.readableEnded || once(socket, 'end').catch(() => {})));
  expect((performance.now() - began) / 1000).toBeLessThan(20);
  for (const socket of sockets) socket.destroy();
  for (const server of servers) await server.close();
});
