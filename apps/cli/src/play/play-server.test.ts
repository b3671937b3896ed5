/** Access to the page's server: claims about raw HTTP requests that it accepts or refuses. */
import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import '../environments.js';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { playOnPage } from './on-page.js';
import { PlayServer } from './play-server.js';
import type { Table } from './table.js';

const stop = new AbortController();
let address = '';
let over: Promise<void>;

beforeAll(async () => {
  address = await new Promise<string>((onListening, reject) => {
    const id = 'vlgym/NumberLine-v1';
    over = playOnPage({ id, seed: 1, envOptions: {}, stdout: process.stdout, signal: stop.signal, onListening });
    over.catch(reject);
  });
});

afterAll(async () => {
  stop.abort();
  await over;
});

interface Call {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Buffer;
}

function call({ path = 'state', method = 'GET', headers = {}, body }: Call) {
  return new Promise<{ status: number; headers: OutgoingHttpHeaders; text: string }>((resolve, reject) => {
    const sent = request(new URL(path, address), { method, headers, agent: false }, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('end', () => {
        const text = Buffer.concat(pieces).toString('latin1');
        resolve({ status: response.statusCode!, headers: response.headers, text });
      });
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

const json = { 'content-type': 'application/json' };
const own = () => ({ ...json, origin: new URL(address).origin });
const move = JSON.stringify({ turn: 1, text: '+' });

describe('the server of the page', () => {
  it('keeps 64 connections at most, and answers again once they are closed', async () => {
    const { hostname, port } = new URL(address);
    const sockets: Socket[] = [];
    let refused = 0;
    for (let count = 0; count < 80; count += 1) {
      const socket = connect(Number(port), hostname);
      sockets.push(socket);
      socket.on('error', () => {});
      socket.once('close', () => (refused += 1));
      await new Promise<void>((resolve) => socket.once('connect', resolve));
    }
    while (refused < 16) await setImmediate();
    expect(refused).toBeLessThan(40);
    for (const socket of sockets) socket.destroy();
    const status = async () => (await call({ path: '' }).catch(() => undefined))?.status;
    while ((await status()) !== 200) await setImmediate();
  });

  it('gives the page with a policy that lets nothing from outside in', async () => {
    const { status, headers, text } = await call({ path: '' });
    expect(status).toBe(200);
    expect(text).toContain('<!doctype html>');
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'nonce-[\w-]+';/);
    expect(headers['content-security-policy']).not.toContain('unsafe');
    expect(headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'cross-origin-resource-policy': 'same-origin' });
    expect(headers).not.toHaveProperty('access-control-allow-origin');
  });

  it.each<[what: string, status: number, of: () => Call]>([
    ['a wrong token', 403, () => ({ path: '/wrong-token/state' })],
    ['no token', 403, () => ({ path: '/' })],
    ['another name for this machine', 403, () => ({ headers: { host: 'evil.example:80' } })],
    ['another origin', 403, () => ({ headers: { origin: 'https://evil.example' } })],
    ['another site, as the browser says', 403, () => ({ headers: { 'sec-fetch-site': 'cross-site' } })],
    [
      'a move of another origin',
      403,
      () => ({ path: 'move', method: 'POST', headers: { ...json, origin: 'null' }, body: move }),
    ],
    ['a move of no origin', 403, () => ({ path: 'move', method: 'POST', headers: json, body: move })],
    [
      'a form',
      415,
      () => ({ path: 'move', method: 'POST', headers: { ...own(), 'content-type': 'text/plain' }, body: move }),
    ],
    ['a long body', 413, () => ({ path: 'move', method: 'POST', headers: own(), body: Buffer.alloc(200_000, 32) })],
    ['no JSON', 400, () => ({ path: 'move', method: 'POST', headers: own(), body: '{' })],
    ['a move without words', 400, () => ({ path: 'move', method: 'POST', headers: own(), body: '{"turn":1}' })],
    ['a seed that is none', 400, () => ({ path: 'restart', method: 'POST', headers: own(), body: '{"seed":-1}' })],
    ['another path', 404, () => ({ path: 'other' })],
    ['a deeper path', 404, () => ({ path: 'state/more' })],
  ])('refuses %s', async (_, status, of) => {
    expect((await call(of())).status).toBe(status);
  });

  it('opens from a link on another page, but not inside of one', async () => {
    const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    expect((await call({ path: '', headers: link })).status).toBe(200);
    expect((await call({ path: '', headers: { ...link, 'sec-fetch-dest': 'iframe' } })).status).toBe(403);
  });

  it('executes a move once: the same one again comes late and changes nothing', async () => {
    const post = () => call({ path: 'move', method: 'POST', headers: own(), body: move });
    const step = ({ text }: { text: string }) => /"turn":(\d+).*?"step":(\d+)/.exec(text)!.slice(1).map(Number);
    expect(step(await call({}))).toEqual([1, 0]);
    expect(step(await post())).toEqual([2, 1]);
    expect(step(await post())).toEqual([2, 1]);
  });
});

describe('the end of a page', () => {
  afterEach(() => void vi.useRealTimers());

  it('is one that nobody asks for again in two seconds; one that is drawn slowly is waited for', async () => {
    let isOver = false;
    const server = new PlayServer({} as Table, { onClosed: () => (isOver = true) });
    const home = await server.listen();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    /** Opens a page; what it returns closes it, and ends when the server knows. */
    const open = async () => {
      const waiting = vi.getTimerCount();
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        request(new URL('open', home), { agent: false }, resolve).once('error', reject).end();
      });
      while (waiting > 0 && vi.getTimerCount() === waiting) await setImmediate();
      return async () => {
        response.destroy();
        while (vi.getTimerCount() === 0) await setImmediate();
      };
    };
    const reload = async () => {
      const page = await new Promise<IncomingMessage>((resolve, reject) => {
        request(home, { agent: false }, resolve).once('error', reject).end();
      });
      page.resume();
    };

    const close = await open();
    await reload(); // browsers ask for the new page before they leave the old one
    await close();
    vi.advanceTimersByTime(29_999);
    expect(isOver).toBe(false);
    const closeAgain = await open();
    expect(vi.getTimerCount()).toBe(0);
    await closeAgain();
    vi.advanceTimersByTime(1999);
    expect(isOver).toBe(false);
    vi.advanceTimersByTime(1);
    expect(isOver).toBe(true);
    await server.close();
  });
});
