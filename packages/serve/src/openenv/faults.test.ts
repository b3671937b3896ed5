/** Failures that must not occur in a server: leaked slots, foreign pages, oversized frames, a blocked ping. */

import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BaseEnv, importModule, register, setWarningSink, spaces, unregister } from '@vlgym/core';
import '@vlgym/points24';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { heldMemory } from '../../test-support/held-memory.js';
import { RawClient } from '../../test-support/raw-client.js';
import { type ServeOptions, type Serving, serve } from '../serve.js';
import { ServedEnv } from '../session/served-env.js';

let serving: Serving | undefined;
beforeAll(async () => {
  setWarningSink(() => {});
  await importModule(new URL('../../test-support/blocking-env.mjs', import.meta.url).href);
});
afterEach(async () => {
  await serving?.close();
  serving = undefined;
});

const start = async (options: Partial<ServeOptions> = {}) => {
  serving = await serve({ envs: ['vlgym/Blackjack-v1'], ...options });
  return serving.urls[0]!.replace('http', 'ws');
};
const slots = () => serving!.server.table.active;
const until = async (condition: () => boolean) => {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
};

describe('slots', () => {
  it('are free after a client vanished without a word', async () => {
    const url = await start({ maxSessions: 1 });
    const client = await RawClient.open(`${url}/ws`);
    await client.ask({ type: 'reset', data: { seed: 1 } });
    client.vanish();
    await until(() => slots() === 0);
    const next = await RawClient.open(`${url}/ws`);
    expect(await next.ask({ type: 'reset', data: { seed: 1 } })).toMatchObject({ type: 'observation' });
  });

  it('are free when a half-open connection answers no ping', async () => {
    const url = await start({ maxSessions: 1, pingSeconds: 0.05 });
    const client = await RawClient.open(`${url}/ws`);
    await client.ask({ type: 'reset', data: { seed: 1 } });
    client.freeze();
    await until(() => slots() === 0);
  });

  it('are kept where the server was busy while the answer to its ping came', async () => {
    const url = await start({ maxSessions: 1, pingSeconds: 0.2 });
    const socket = new WebSocket(`${url}/ws`);
    const next = () =>
      new Promise<string>((resolve) => {
        socket.once('ping', () => resolve('ping'));
        socket.once('close', () => resolve('close'));
      });
    // the answer is on its way by then; the next ping is due before the server reads it
    socket.once('ping', () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 250));
    expect(await next()).toBe('ping');
    expect(await next()).toBe('ping');
    socket.terminate();
  });

  it('are free when a session was idle for too long, and its client reads why', async () => {
    const url = await start({ idleSeconds: 0.05 });
    const client = await RawClient.open(`${url}/ws`);
    expect(await client.next()).toEqual({
      type: 'error',
      data: { message: 'Session idle for 0.05 s; closed.', code: 'SESSION_ERROR' },
    });
    expect(await client.next()).toEqual({ closed: 1000 });
    await until(() => slots() === 0);
  });

  it('do not leak over 1,000 connections', async () => {
    const size = { height: 40, width: 40 };
    const url = await start({ maxSessions: 10, envs: [{ id: 'vlgym/Blackjack-v1', options: { size } }] });
    let before = 0;
    for (let round = 0; round < 100; round += 1) {
      if (round === 30) before = await heldMemory(); // buffers and compiled code are there by now
      const clients = await Promise.all(Array.from({ length: 10 }, () => RawClient.open(`${url}/ws`)));
      await Promise.all(clients.map((client, index) => (index % 2 ? client.close() : client.vanish())));
      await until(() => slots() === 0);
    }
    // an environment has pictures of 5 kB each
    expect(((await heldMemory()) - before) / 700).toBeLessThan(2000);
    // a slot is free a moment before both ends of its socket are closed
    await until(() => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length < 12);
  }, 300_000);
});

describe('threads', () => {
  it('keep answering pings and other sessions while one environment computes', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'vlgym-busy-'));
    const busyUntil = join(folder, 'over');
    const url = await start({
      envs: [{ id: 'test/Blocking-v0', options: { busyUntil }, threads: true }],
      face: 'native',
    });
    const [slow, quick] = [await RawClient.open(`${url}/ws`), await RawClient.open(`${url}/ws`)];
    for (const client of [slow, quick]) await client.ask({ type: 'reset', data: { seed: 1 } });
    const step = slow.ask({ type: 'step', data: { action: 1 } });
    expect(await quick.ask({ type: 'step', data: { action: 0 } })).toMatchObject({ type: 'observation' });
    writeFileSync(busyUntil, '');
    expect(await step).toMatchObject({ data: { reward: 0.5, done: false } });
    rmSync(folder, { recursive: true });
  });

  it('are not chosen for an environment that the machine held up once', async () => {
    const held = new Set([2]);
    let resets = 0;
    class HeldUpEnv extends BaseEnv<number, number> {
      readonly observationSpace = spaces.discrete(2);
      readonly actionSpace = spaces.discrete(2);
      reset() {
        resets += 1;
        if (held.has(resets)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60);
        return { observation: 0, info: {} };
      }
      step() {
        return { observation: 0, reward: 0, terminated: false, truncated: false, info: {} };
      }
    }
    register({ id: 'test/HeldUp-v0', module: import.meta.url, entryPoint: () => new HeldUpEnv() });
    const create = async () => {
      resets = 0;
      const served = await ServedEnv.create({ id: 'test/HeldUp-v0' });
      await served.close();
      return served.threaded;
    };
    expect(await create()).toBe(false);
    for (const reset of [1, 3]) held.add(reset);
    expect(await create()).toBe(true);
    unregister('test/HeldUp-v0');
  });

  it('report what the environment threw, and the session plays on after a reset', async () => {
    const url = await start({ envs: [{ id: 'test/Blocking-v0', threads: true }], face: 'native' });
    const client = await RawClient.open(`${url}/ws`);
    await client.ask({ type: 'reset', data: { seed: 1 } });
    expect(await client.ask({ type: 'step', data: { action: 2 } })).toMatchObject({
      type: 'error',
      data: { code: 'EXECUTION_ERROR', message: 'the environment is broken' },
    });
    expect(await client.ask({ type: 'step', data: { action: 0 } })).toMatchObject({
      data: { detail: { code: 'RESET_NEEDED' } },
    });
    await client.ask({ type: 'reset', data: { seed: 1 } });
    expect(await client.ask({ type: 'step', data: { action: 0 } })).toMatchObject({ type: 'observation' });
  });
});

describe('a client that never reads', () => {
  const envs = [{ id: 'vlgym/Blackjack-v1', options: { size: { height: 1000, width: 1000 } } }];

  it('over a WebSocket is disconnected, and the server holds one of its answers', async () => {
    const url = await start({ envs });
    const client = await RawClient.open(`${url}/ws?images=raw`);
    await client.ask({ type: 'reset', data: { seed: 1 } });
    const before = await heldMemory();
    client.freeze();
    let most = 0;
    while (slots() > 0) {
      client.send({ type: 'reset', data: { seed: 1 } });
      most = Math.max(most, (await heldMemory()) - before);
    }
    expect(most).toBeLessThan(64_000_000); // an answer has 4 MB; those of 33 messages would be 132 MB
  });

  const pipelining = async (requests: number) => {
    const socket = connect(Number(new URL(serving!.address).port), '127.0.0.1').on('error', () => {});
    await once(socket, 'connect');
    const line = 'POST /reset?images=raw HTTP/1.1\r\nhost: localhost\r\ncontent-length: 0\r\n\r\n';
    socket.pause().write(line.repeat(requests));
    return socket;
  };

  it('over HTTP gets one answer at a time', async () => {
    await start({ envs });
    const before = await heldMemory();
    const socket = await pipelining(16);
    for (let other = 0; other < 16; other += 1) {
      const answer = await fetch(`${serving!.address}/reset?images=raw`, { method: 'POST' });
      expect((await answer.text()).length).toBeGreaterThan(4_000_000);
    }
    // 16 answers have 64 MB
    expect((await heldMemory()) - before).toBeLessThan(40_000_000);
    socket.destroy();
  });
});

describe('a server that was busy', () => {
  it('reads the request that arrived in the meantime before it ends its connection for being late', async () => {
    await start();
    const port = Number(new URL(serving!.address).port);
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    await once(socket, 'connect');
    socket.write('GET /health HTTP/1.1\r\n');
    await (await fetch(`${serving!.address}/health`)).text(); // accepted after it
    const rest = 'host: localhost\r\n\r\n';
    socket.write(rest); // it is in the kernel by now
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 11_500);
    expect(String((await once(socket, 'data'))[0])).toContain('200 OK');
    socket.destroy();
  }, 60_000);
});

describe('hostile input', () => {
  it('an oversized frame ends its own connection only', async () => {
    const url = await start({ maxMessageBytes: 10_000 });
    const [bad, good] = [await RawClient.open(`${url}/ws`), await RawClient.open(`${url}/ws`)];
    bad.send({ type: 'step', data: { text: 'x'.repeat(20_000) } });
    expect(await bad.next()).toEqual({ closed: 1009 });
    expect(await good.ask({ type: 'reset', data: { seed: 1 } })).toMatchObject({ type: 'observation' });
    const answer = await fetch(`${serving!.urls[0]}/step`, { method: 'POST', body: 'x'.repeat(20_000) });
    expect(answer.status).toBe(413);
  });

  it.each([
    '{"type":"reset","data":{"__proto__":{"polluted":1}}}',
    `${'['.repeat(5000)}${']'.repeat(5000)}`,
    '{"type":{"toString":1}}',
    '{"type":"step","data":{"text":"\\u0000\\ud800"}}',
    '"text"',
    'null',
    '{"type":"reset","data":{"seed":1e400}}',
    '{"type":"reset","data":{"options":[]}}',
    '{"type":"mcp","data":{"jsonrpc":"2.0","method":"__proto__","id":{}}}',
  ])('%s gets an answer or an end, and leaves the server working', async (frame) => {
    const url = await start();
    const client = await RawClient.open(`${url}/ws`);
    const answer = (await client.ask(frame)) as { type?: string };
    expect(['error', 'mcp']).toContain(answer.type);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    const next = await RawClient.open(`${url}/ws`);
    expect(await next.ask({ type: 'reset', data: { seed: 1 } })).toMatchObject({ type: 'observation' });
  });
});

describe('admission', () => {
  const upgrade = (url: string, headers: Record<string, string>) =>
    new Promise<number>((resolve) => {
      const socket = new WebSocket(url, { headers });
      socket.on('unexpected-response', (_request, response) => resolve(response.statusCode!));
      socket.on('open', () => resolve(101));
      socket.on('error', () => {});
    });
  const statusOf = (url: string, headers: Record<string, string>) =>
    new Promise<number>((resolve, reject) => {
      request(url, { headers }, (response) => resolve(response.resume().statusCode!))
        .on('error', reject)
        .end();
    });

  it('refuses a foreign Origin and a foreign Host, for sockets', async () => {
    const url = await start();
    expect(await upgrade(`${url}/ws`, { origin: 'http://evil.example' })).toBe(403);
    expect(await upgrade(`${url}/ws`, { host: 'evil.example' })).toBe(403);
    expect(await upgrade(`${url}/ws`, {})).toBe(101);
  });

  it('asks for the token where there is one, except for the health of the server', async () => {
    const url = await start({ token: 'a-token-of-24-characters' });
    const right = { authorization: 'Bearer a-token-of-24-characters' };
    expect(await upgrade(`${url}/ws`, {})).toBe(401);
    expect(await upgrade(`${url}/ws`, { authorization: 'Bearer wrong' })).toBe(401);
    expect(await upgrade(`${url}/ws`, right)).toBe(101);
    expect(await statusOf(`${serving!.address}/metadata`, {})).toBe(401);
    expect(await statusOf(`${serving!.address}/metadata`, right)).toBe(200);
    expect(await statusOf(`${serving!.address}/health`, {})).toBe(200);
  });
});
