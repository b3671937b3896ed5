/** The server that Python attaches to, spoken to in raw frames: over a Unix socket and over HTTP. */
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BaseEnv, register, spaces } from '@vlgym/core';
import '@vlgym/points24';
import { ServedEnv } from '@vlgym/serve';
import { afterEach, describe, expect, it } from 'vitest';
import { heldMemory } from '../../../serve/test-support/held-memory.js';
import { encodeFrame, FrameReader, NdArray, PROTOCOL } from '../frames/codec.js';
import { EnvServer, type EnvServerOptions } from './env-server.js';

interface Answer extends Readonly<Record<string, unknown>> {
  readonly ok: boolean;
  readonly closed?: boolean;
  readonly error?: { readonly message: string; readonly code: string | null };
}

class Client {
  readonly #reader = new FrameReader();
  readonly #answers: Answer[] = [];
  readonly #waiting: ((answer: Answer | undefined) => void)[] = [];

  constructor(readonly socket: Socket) {
    socket.on('data', (piece) => {
      for (const answer of this.#reader.push(piece as Buffer)) this.#put(answer as Answer);
    });
    socket.on('close', () => this.#put(undefined));
    socket.on('error', () => {});
  }

  #put(answer: Answer | undefined): void {
    const waiting = this.#waiting.shift();
    if (waiting) waiting(answer);
    else if (answer) this.#answers.push(answer);
  }

  /** `undefined` when the connection has ended. */
  next(): Promise<Answer | undefined> {
    const answer = this.#answers.shift();
    if (answer || this.socket.closed) return Promise.resolve(answer);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  async ask(op: string, fields: object = {}): Promise<Answer> {
    this.socket.write(Buffer.concat(encodeFrame({ op, ...fields })));
    return (await this.next())!;
  }

  async close(): Promise<void> {
    this.socket.destroy();
    while (!this.socket.closed) await this.next();
  }

  async begin(fields: object = {}): Promise<Answer> {
    await this.ask('hello', { protocol: PROTOCOL });
    return this.ask('make', { id: 'vlgym/Blackjack-v1', module: '', ...fields });
  }
}

const SLOW = 'test/Slow-v0';
let goOn: () => void;

/** A step ends when the test says so. */
class SlowEnv extends BaseEnv<number, number> {
  readonly observationSpace = spaces.discrete(2);
  readonly actionSpace = spaces.discrete(2);

  reset() {
    return { observation: 0, info: {} };
  }

  async step(action: number) {
    await new Promise<void>((resolve) => {
      goOn = resolve;
    });
    return { observation: action, reward: 1, terminated: true, truncated: false, info: {} };
  }
}
register({ id: SLOW, entryPoint: () => new SlowEnv() });

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function start(options: EnvServerOptions = {}, id = 'vlgym/Blackjack-v1') {
  const folder = mkdtempSync(join(tmpdir(), 'vlgym-socket-'));
  const socket = join(folder, 's');
  // a busy machine must not choose threads
  const served = await ServedEnv.create({ id, threads: false });
  const server = new EnvServer([served], { socket, ...options });
  open.push(async () => {
    await server.close();
    await served.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { server, socket, address: await server.listen() };
}
const local = (path: string) =>
  new Promise<Client>((resolve, reject) => {
    const socket = connect(path, () => resolve(new Client(socket)));
    const end = () => socket.destroy();
    open.push(end);
    socket.once('error', reject);
    socket.once('close', () => open.splice(open.indexOf(end), 1));
  });
/** The status of the answer, and the connection after an upgrade. */
const upgrade = (address: string, headers: Record<string, string> = {}) =>
  new Promise<{ status: number; client?: Client }>((resolve, reject) => {
    const sent = request(`${address}/env`, { headers: { connection: 'Upgrade', upgrade: 'vlgym.env', ...headers } });
    sent.on('upgrade', (_response, socket) => {
      open.push(() => socket.destroy());
      resolve({ status: 101, client: new Client(socket as Socket) });
    });
    sent.on('response', (response) => resolve({ status: response.resume().statusCode! }));
    sent.on('error', reject);
    sent.end();
  });
const until = async (condition: () => boolean) => {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
};
const digest = (answer: Answer) => {
  const { observation, ...rest } = answer;
  const hash = createHash('sha256');
  if (observation instanceof NdArray) hash.update(observation.data as unknown as Uint8Array);
  return hash.update(JSON.stringify(rest)).digest('hex');
};

describe('a client', () => {
  it('plays the same episode over a Unix socket and over HTTP', async () => {
    const logs: string[][] = [];
    for (const isLocal of [true, false]) {
      const { socket, address } = await start(isLocal ? {} : { socket: undefined });
      const client = isLocal ? await local(socket) : (await upgrade(address)).client!;
      await client.begin();
      const log = [digest(await client.ask('reset', { seed: 7 }))];
      for (let step = 0; step < 2; step += 1) log.push(digest(await client.ask('step', { action: 1 })));
      logs.push(log);
    }
    expect(logs[1]).toEqual(logs[0]);
  });

  it('gets what is served, with the options of the server', async () => {
    const client = await local((await start({ maxSessions: 3 })).socket);
    expect((await client.begin({ id: 'vlgym/Points24-v1' })).error).toMatchObject({ code: 'UNKNOWN_ENV' });
    const options = { readsFrom: '/etc/passwd' };
    expect((await client.ask('make', { id: 'vlgym/Blackjack-v1', options })).error).toMatchObject({
      code: 'OPTIONS_FIXED',
    });
    expect((await client.ask('make', { id: 'vlgym/Blackjack-v1', num_envs: 4 })).error).toMatchObject({
      code: 'CAPACITY_REACHED',
    });
    expect(await client.ask('make', { id: 'Blackjack-v1', num_envs: 3 })).toMatchObject({ ok: true });
  });

  it('in 64 sessions at once plays as in one after the other', async () => {
    const { socket } = await start({}, 'vlgym/NumberLine-v1');
    const play = async (client: Client, seed: number) => [
      digest(await client.ask('reset', { seed })),
      digest(await client.ask('step', { action: seed % 2 })),
      digest(await client.ask('step', { action: 1 })),
    ];
    const begin = async () => {
      const client = await local(socket);
      await client.begin({ id: 'vlgym/NumberLine-v1' });
      return client;
    };
    const seeds = Array.from({ length: 63 }, (_, seed) => seed);
    const together = await Promise.all(seeds.map(async (seed) => play(await begin(), seed)));
    const alone = await begin();
    for (const seed of seeds) expect(await play(alone, seed)).toEqual(together[seed]);
  });
});

describe('places', () => {
  it('are free after a client vanished, and a refused client reads why', async () => {
    const { server, socket } = await start({ maxSessions: 1 });
    const first = await local(socket);
    await first.begin();
    const refused = await local(socket);
    expect(await refused.next()).toMatchObject({ ok: false, closed: true, error: { code: 'CAPACITY_REACHED' } });
    first.socket.destroy();
    await until(() => server.table.active === 0);
    expect(await (await local(socket)).begin()).toMatchObject({ ok: true });
  });

  it('are free when a session was idle for too long', async () => {
    const { server, socket } = await start({ idleSeconds: 0.05 });
    const client = await local(socket);
    expect(await client.next()).toMatchObject({ closed: true, error: { message: 'Session idle for 0.05 s; closed.' } });
    await until(() => server.table.active === 0);
  });

  it.each([true, false])(
    'are free when a client says nothing, but not while it waits or beats; local: %s',
    async (isLocal) => {
      const { server, socket, address } = await start(
        { pingSeconds: 0.05, ...(isLocal ? {} : { socket: undefined }) },
        SLOW,
      );
      const connected = async () => (isLocal ? local(socket) : (await upgrade(address)).client!);
      const thinking = await connected();
      const beat = Buffer.concat(encodeFrame({ op: 'beat' }));
      const beats = setInterval(() => thinking.socket.write(beat), 10);
      open.push(() => clearInterval(beats));
      expect(await thinking.begin({ id: SLOW })).toMatchObject({ ok: true });

      const waiting = await connected();
      for (const [op, fields] of [
        ['hello', { protocol: PROTOCOL }],
        ['make', { id: SLOW }],
        ['reset', { seed: 7 }],
        ['step', { action: 1 }],
      ] as const) {
        waiting.socket.write(Buffer.concat(encodeFrame({ op, ...fields })));
      }
      for (let answers = 0; answers < 3; answers += 1) expect(await waiting.next()).toMatchObject({ ok: true });
      const silent = await connected();
      const error = { message: 'The client was silent for 0.1 s; the connection was closed.' };
      expect(await silent.next()).toMatchObject({ closed: true, error });
      await until(() => server.table.active === 2);
      goOn();
      expect(await waiting.next()).toMatchObject({ ok: true, reward: 1 });
      expect(await thinking.ask('reset', { seed: 7 })).toMatchObject({ ok: true });
    },
  );

  it('do not leak over 1,000 connections', async () => {
    const { server, socket } = await start({ maxSessions: 64 });
    const pipes = () => process.getActiveResourcesInfo().filter((name) => name === 'PipeWrap').length;
    const before = pipes();
    let memory = 0;
    for (let round = 0; round < 25; round += 1) {
      if (round === 8) memory = await heldMemory(); // buffers and compiled code are there by now
      const clients = await Promise.all(Array.from({ length: 40 }, () => local(socket)));
      await Promise.all(clients.map((client) => client.ask('hello', { protocol: PROTOCOL })));
      await Promise.all(clients.map((client) => client.close()));
      await until(() => server.table.active === 0);
    }
    await until(() => pipes() <= before);
    expect(((await heldMemory()) - memory) / 680).toBeLessThan(2000);
  });
});

describe('hostile input', () => {
  const lengths = (header: number, body: number) => {
    const bytes = Buffer.alloc(8);
    bytes.writeUInt32LE(header, 0);
    bytes.writeUInt32LE(body, 4);
    return bytes;
  };
  it.each([
    ['a frame over the limit', Buffer.concat([lengths(10, 2_000_000)])],
    ['no JSON', Buffer.concat([lengths(5, 0), Buffer.from('oops!')])],
    ['an array outside of its body', Buffer.concat(encodeHeader('{"op":"hello","x":{"$nd":["<f8",[9],0,72]}}'))],
  ])('%s ends its own connection with a reason', async (_what, bytes) => {
    const { server, socket } = await start({ maxMessageBytes: 1_000_000 });
    const [bad, good] = [await local(socket), await local(socket)];
    bad.socket.write(bytes);
    expect(await bad.next()).toMatchObject({ ok: false, closed: true, error: { code: 'FRAME_INVALID' } });
    expect(await bad.next()).toBeUndefined();
    expect(await good.begin()).toMatchObject({ ok: true });
    expect(server.table.active).toBe(1);
  });

  it.each([null, 7, 'text', [], {}, { op: '__proto__' }, { op: 'step' }, { op: 'make', id: '__proto__' }])(
    'the request %j is an error, and the session continues',
    async (value) => {
      const client = await local((await start()).socket);
      await client.ask('hello', { protocol: PROTOCOL });
      client.socket.write(Buffer.concat(encodeFrame(value)));
      expect(await client.next()).toMatchObject({ ok: false });
      expect(await client.begin()).toMatchObject({ ok: true });
    },
  );

  it.each([
    ['lists without an end', ['|u1', [100, 50_000_000, 0], 0, 0]],
    ['a list for each of a million bytes', ['|u1', [1_000_000, 1, 1, 1, 1, 1, 1, 1], 0, 1_000_000]],
    ['more axes than there are', ['|u1', new Array(100_000).fill(1), 0, 1]],
    ['an offset in words', ['|u1', [1], '0', 1]],
    ['an unknown dtype', ['__proto__', [1], 0, 1]],
  ])('an array of %s is refused before memory is taken for it', async (_what, nd) => {
    const { socket } = await start();
    const [bad, good] = [await local(socket), await local(socket)];
    for (const client of [bad, good]) await client.begin();
    await good.ask('reset', { seed: 7 });
    await bad.ask('reset', { seed: 7 });
    const before = await heldMemory();
    const header = JSON.stringify({ op: 'step', action: { $nd: nd } });
    bad.socket.write(Buffer.concat([lengths(header.length, 1_000_000), Buffer.from(header), Buffer.alloc(1_000_000)]));
    expect(await bad.next()).toMatchObject({ ok: false, error: { code: 'FRAME_INVALID' } });
    expect((await heldMemory()) - before).toBeLessThan(20_000_000);
    expect(await good.ask('step', { action: 1 })).toMatchObject({ ok: true });
  });

  it.each([
    ['num_envs', -1, 'INVALID_OPTION'],
    ['num_envs', 1.5, 'INVALID_OPTION'],
    ['num_envs', 1e9, 'CAPACITY_REACHED'],
    ['max_episode_steps', 1e15, 'INVALID_OPTION'],
    ['max_episode_steps', -1, 'INVALID_OPTION'],
  ])('%s: %d is refused', async (name, count, code) => {
    const client = await local((await start()).socket);
    expect(await client.begin({ [name]: count })).toMatchObject({ ok: false, error: { code } });
  });

  it('an integer of a million digits is refused', async () => {
    const client = await local((await start()).socket);
    await client.begin();
    const header = `{"op":"reset","seed":{"$int":"${'9'.repeat(1_000_000)}"}}`;
    client.socket.write(Buffer.concat(encodeHeader(header)));
    expect(await client.next()).toMatchObject({ closed: true, error: { code: 'FRAME_INVALID' } });
  });

  function encodeHeader(text: string): Buffer[] {
    return [lengths(Buffer.byteLength(text), 0), Buffer.from(text)];
  }
});

describe('admission', () => {
  it('a Unix socket is for its user, is not taken twice, and is gone after the server', async () => {
    const { server, socket } = await start();
    expect(statSync(socket).mode & 0o777).toBe(0o600);
    const served = await ServedEnv.create({ id: 'vlgym/Blackjack-v1' });
    const second = new EnvServer([served], { socket });
    await expect(second.listen()).rejects.toMatchObject({ code: 'PORT_TAKEN' });
    await second.close();
    await server.close();
    expect(existsSync(socket)).toBe(false);
  });

  it('over HTTP checks Host, Origin, path and token', async () => {
    const { address } = await start({ socket: undefined, token: 'a-token-of-24-characters' });
    const right = { authorization: 'Bearer a-token-of-24-characters' };
    expect((await upgrade(address, right)).status).toBe(101);
    expect((await upgrade(address)).status).toBe(401);
    expect((await upgrade(address, { ...right, origin: 'http://evil.example' })).status).toBe(403);
    expect((await upgrade(address, { ...right, host: 'evil.example' })).status).toBe(403);
    expect((await upgrade(address, { ...right, upgrade: 'websocket' })).status).toBe(404);
    await expect(start({ socket: undefined, host: '0.0.0.0' })).rejects.toMatchObject({ code: 'TOKEN_NEEDED' });
  });
});
