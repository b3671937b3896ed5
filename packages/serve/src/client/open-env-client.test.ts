/** Our client against our server, as any `Env`, and against servers that vanish, answer late or talk nonsense. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { checkEnv, GymError, make, makeFromUntrustedSpec } from '@vlgym/core';
import { isImage } from '@vlgym/core/images';
import { digestObservation } from '@vlgym/core/trajectory';
import '@vlgym/points24';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { WebSocketServer } from 'ws';
import { countEndpoint } from '../../test-support/count-endpoint.js';
import { OpenEnvServer } from '../openenv/server.js';
import { type Serving, serve } from '../serve.js';
import { RemoteLostError } from './open-env-socket.js';
import { withPictures } from './remote-space.js';

const golden = JSON.parse(
  readFileSync(new URL('../../../../test/golden/openenv/http-simulation.json', import.meta.url), 'utf8'),
) as { exchanges: { request: { path: string }; response: { json: object } }[] };
const schemas = golden.exchanges.find(({ request }) => request.path === '/schema')!.response.json;

const realTimeout = globalThis.setTimeout;
const open: { close(): unknown }[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const each of open.splice(0).reverse()) await each.close();
});
const keep = <T extends { close(): unknown }>(each: T): T => {
  open.push(each);
  return each;
};

describe('a vlgym server', () => {
  it('has the spaces, the episodes and the digests of the environment itself', async () => {
    const serving: Serving = keep(await serve({ envs: ['vlgym/Blackjack-v1'] }));
    const remote = keep(await make(`openenv:${serving.address}`));
    const local = keep(await make('vlgym/Blackjack-v1'));
    expect(remote.actionSpace.toJSON()).toEqual(local.actionSpace.toJSON());
    expect(remote.observationSpace.toJSON()).toEqual(local.observationSpace.toJSON());
    for (const seed of [1, 2, 3]) {
      let [there, here] = [await remote.reset({ seed }), await local.reset({ seed })];
      expect(digestObservation(there.observation)).toBe(digestObservation(here.observation));
      for (let ended = false; !ended; ) {
        const [left, right] = [await remote.step(0), await local.step(0)];
        expect({ ...left, observation: digestObservation(left.observation), info: 0 }).toEqual({
          ...right,
          observation: digestObservation(right.observation),
          info: 0,
        });
        [there, here] = [left, right];
        ended = right.terminated || right.truncated;
      }
      expect(there.info).toEqual(JSON.parse(JSON.stringify(here.info)));
    }
  });

  it('meets the contract of every environment', async () => {
    const serving = keep(await serve({ envs: ['vlgym/NumberLine-v1'] }));
    await checkEnv(() => make(`openenv:${serving.address}`));
  });
});

describe('snapshots', () => {
  it('continue exactly, also in another session, and without the connection that they are from', async () => {
    const serving = keep(await serve({ envs: ['vlgym/NumberLine-v1'], snapshots: true }));
    const connect = async () => keep(await make(`openenv:${serving.address}`, { options: { snapshot: 'try' } }));
    const [one, two] = [await connect(), await connect()];
    await one.reset({ seed: 7 });
    await one.step(1);
    const saved = JSON.parse(JSON.stringify(await one.snapshot!()));
    const once = await one.step(0);
    await one.step(0);
    await one.restore!(saved);
    // the episode continues under another id
    const { env, last, history } = saved.state.env.state;
    expect(await one.snapshot!()).toMatchObject({ state: { env: { state: { env, last, history } } } });
    expect(await one.step(0)).toEqual(once);
    await one.close();
    await two.reset({ seed: 1 });
    await two.restore!(saved);
    expect(await two.step(0)).toEqual(once);
    await expect(async () => two.restore!({ kind: 'other', state: {} })).rejects.toThrow('The snapshot is of kind');
    await expect(async () => two.restore!({ ...saved, state: { kind: 'x' } })).rejects.toThrow(GymError);
  });

  it('are absent if the server sends none', async () => {
    const serving = keep(await serve({ envs: ['vlgym/NumberLine-v1'] }));
    const env = keep(await make(`openenv:${serving.address}`, { options: { snapshot: 'try' } }));
    expect(env.unwrapped.snapshot).toBeUndefined();
  });
});

describe('another server', () => {
  it('has the action space of its schema, and its observations as data', async () => {
    const server = keep(new OpenEnvServer([countEndpoint({ ...schemas })]));
    const env = keep(await make(`openenv:${await server.listen()}`));
    expect(env.actionSpace.contains({ value: 3 })).toBe(true);
    expect(env.actionSpace.contains({ value: 10 })).toBe(false);
    const { observation } = await env.reset({ seed: 7, options: { level: 'hard' } });
    expect(observation).toEqual({ text: 'Reach 12', total: 0 });
    expect(await env.step({ value: 5 })).toMatchObject({ observation: { total: 5 }, reward: 0, terminated: false });
    expect(await env.step({ value: 7 })).toMatchObject({ reward: 1, terminated: true, truncated: false });
    await env.reset();
    await expect(env.step({ value: 9 })).rejects.toMatchObject({ code: 'REMOTE_ERROR', value: 'EXECUTION_ERROR' });
    expect(await env.step({ value: 1 })).toMatchObject({ observation: { total: 1 } });
  });

  it('sends pictures in several forms', () => {
    const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const read = withPictures({
      screenshot: png,
      text: png,
      other: { url: `data:image/png;base64,${png}` },
      frame: [[[1, 2, 3]], [[4, 5, 6]]],
      numbers: [[1, 2, 3]],
    }) as Record<string, unknown>;
    expect(isImage(read.screenshot)).toBe(true);
    expect(read.text).toBe(png);
    expect(isImage((read.other as { url: unknown }).url)).toBe(true);
    expect(read.frame).toMatchObject({ height: 2, width: 1, channels: 3 });
    expect(read.numbers).toEqual([[1, 2, 3]]);
  });
});

describe('faults', () => {
  it('a server that has gone is an error, and the next reset connects to its successor', async () => {
    const first = await serve({ envs: ['vlgym/NumberLine-v1'] });
    const env = keep(await make(`openenv:${first.address}`));
    await env.reset({ seed: 1 });
    await first.close();
    await expect(env.step(1)).rejects.toMatchObject({ code: 'REMOTE_LOST' });
    await expect(env.reset({ seed: 1 })).rejects.toMatchObject({ code: 'REMOTE_LOST' });
    keep(await serve({ envs: ['vlgym/NumberLine-v1'], port: Number(new URL(first.address).port) }));
    expect((await env.reset({ seed: 1 })).info).toBeDefined();
  });

  /** Answers every reset, and steps as the test says. */
  async function slowServer(onStep: (answer: () => void) => void): Promise<string> {
    const http = createServer((request, response) => {
      const isSchema = request.url!.startsWith('/schema');
      response.end(JSON.stringify(isSchema ? schemas : { name: 'late', description: '' }));
    });
    const sockets = new WebSocketServer({ server: http });
    sockets.on('connection', (socket) =>
      socket.on('message', (data) => {
        const { type } = JSON.parse(String(data)) as { type: string };
        const observation = { metadata: {}, text: 'here', total: 0 };
        const answer = () =>
          socket.send(JSON.stringify({ type: 'observation', data: { observation, reward: null, done: false } }));
        if (type === 'reset') answer();
        if (type === 'step') onStep(answer);
      }),
    );
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    keep({
      close: () => {
        sockets.close();
        http.closeAllConnections();
        http.close();
      },
    });
    return `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  }

  it('a server that does not answer ends the episode as truncated, never with a stale answer', async () => {
    // time passes only where the test says so: what is answered is in time on any machine
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const url = await slowServer(() => vi.advanceTimersByTime(50));
    const env = keep(await make(`openenv:${url}`, { options: { messageTimeoutMs: 50 } }));
    await env.reset({ seed: 1 });
    expect(await env.step({ value: 1 })).toMatchObject({
      truncated: true,
      terminated: false,
      info: { truncationReason: 'environment-error', error: { code: 'REMOTE_LOST' } },
    });
    expect((await env.reset({ seed: 2 })).observation).toEqual({ text: 'here', total: 0 });
  });

  it('an answer that came in time counts, where the program itself was busy until its time was over', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    // as in a program that computes until then: its timers come before its next look at the network
    const url = await slowServer((answer) => {
      answer();
      realTimeout(() => vi.advanceTimersByTime(50), 1);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
    });
    const env = keep(await make(`openenv:${url}`, { options: { messageTimeoutMs: 50 } }));
    await env.reset({ seed: 1 });
    expect(await env.step({ value: 1 })).toMatchObject({ truncated: false, observation: { text: 'here' } });
  });

  it('a closed port is a clear error', async () => {
    await expect(make('openenv:http://127.0.0.1:9')).rejects.toBeInstanceOf(RemoteLostError);
    await expect(make('openenv:ftp://x')).rejects.toMatchObject({ code: 'INVALID_OPTION' });
  });

  it('a file of somebody else cannot name a server', async () => {
    await expect(makeFromUntrustedSpec({ id: 'openenv:http://evil.example' })).rejects.toMatchObject({
      code: 'UNTRUSTED_SPEC',
    });
  });
});
