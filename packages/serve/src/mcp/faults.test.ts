/** Failures that must not occur in an MCP server: leaked episodes, oversized and hostile bodies, an open port. */
import '@vlgym/points24';
import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { McpEpisodes, McpHttpServer, ServedEnv } from './index.js';

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function start(
  sessions: ConstructorParameters<typeof McpEpisodes>[1] = {},
  options: ConstructorParameters<typeof McpHttpServer>[1] = {},
) {
  const episodes = new McpEpisodes([await ServedEnv.create({ id: 'vlgym/Blackjack-v1' })], sessions);
  const server = new McpHttpServer(episodes, options);
  open.push(() => server.close());
  return { episodes, url: await server.listen() };
}

const post = (url: string, body: string, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: 'POST',
    headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json', ...headers },
    body,
  });
const call = (name: string, args: object) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } });
const reset = async (url: string, headers: Record<string, string> = {}) => {
  const answer = await post(url, call('reset', { seed: 1 }), headers);
  return { status: answer.status, text: await answer.text() };
};

describe('the episode of a client that was killed', () => {
  it('frees its place when it was idle for too long, and is gone', async () => {
    const { episodes, url } = await start({ maxSessions: 1, idleSeconds: 0.05 });
    const [handle] = /[0-9a-f]{32}/.exec((await reset(url)).text)!;
    while (episodes.table.active > 0) await setImmediate();
    expect(await (await post(url, call('act', { episode: handle, action: 'stand' }))).text()).toContain('call reset');
    expect((await reset(url)).text).toContain('"seed":1');
  });
});

describe('hostile input', () => {
  it('a body over the limit is refused', async () => {
    const { url } = await start();
    expect((await post(url, `"${'x'.repeat(5 * 1024 * 1024)}"`)).status).toBe(413);
    expect((await reset(url)).status).toBe(200);
  });

  it.each([
    ['half a body', '{'],
    ['null', 'null'],
    ['an empty batch', '[]'],
    ['a text', '"text"'],
    ['lists in lists', `${'['.repeat(5000)}${']'.repeat(5000)}`],
    ['a name of every object', '{"jsonrpc":"2.0","id":{},"method":"__proto__"}'],
    ['a tool of that name', call('constructor', { toString: 1 })],
    ['a seed beyond all numbers', call('reset', { seed: 7 }).replace('7', '1e400')],
    ['a file', '{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"file:///etc/passwd"}}'],
  ])('%s is answered without a failure of the server, which continues', async (_what, body) => {
    const { url } = await start();
    const answer = await post(url, body);
    expect(answer.status).toBeLessThan(500);
    expect(await answer.text()).not.toContain('root:');
    expect((await reset(url)).text).toContain('"seed":1');
  });
});

describe('admission', () => {
  it('opens no port beyond loopback without a token, and asks for the one it has', async () => {
    await expect(start({}, { host: '0.0.0.0' })).rejects.toMatchObject({ code: 'TOKEN_NEEDED' });
    const { url } = await start({}, { token: 'a-token-of-24-characters' });
    expect((await reset(url)).status).toBe(401);
    expect((await reset(url, { authorization: 'Bearer a-token-of-24-characters' })).status).toBe(200);
  });
});
