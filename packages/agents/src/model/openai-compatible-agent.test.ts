import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { corridorContext } from '../../test-support/context.js';
import { CorridorEnv } from '../../test-support/corridor-env.js';
import { manualClock } from '../../test-support/manual-clock.js';
import { evaluate, type OpenAICompatibleOptions, openAICompatibleAgent } from '../index.js';

type Reply = (response: ServerResponse) => unknown;

const cleanups: (() => void)[] = [];
afterEach(() => {
  vi.unstubAllGlobals();
  for (const cleanup of cleanups.splice(0)) cleanup();
});

/** This time limit passes when a server that never answers has the request, however late that is. */
const TIME_LIMIT = 77_777;
let letTimePass: () => void;
const realTimeout = globalThis.setTimeout;

function holdTime(): void {
  vi.stubGlobal('setTimeout', (late: () => void, milliseconds?: number, ...rest: []) => {
    if (milliseconds !== TIME_LIMIT) return realTimeout(late, milliseconds, ...rest);
    letTimePass = late;
  });
}

/** A real server on this machine that replies from a list; the last reply is repeated. */
async function serve(replies: Reply[], options: Partial<OpenAICompatibleOptions> = {}) {
  const requests: { url: string; authorization: string | undefined; body: unknown }[] = [];
  const clock = manualClock();
  const server = createServer(async (request, response) => {
    const body = await read(request);
    const reply = replies[Math.min(requests.length, replies.length - 1)]!;
    requests.push({ url: request.url!, authorization: request.headers.authorization, body: JSON.parse(body) });
    reply(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const agent = openAICompatibleAgent({
    baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    model: 'tiny-vl',
    apiKey: 'secret-key',
    clock,
    ...options,
  });
  return { agent, requests, pauses: clock.pauses };
}

async function read(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request) body += chunk;
  return body;
}

const says =
  (content: string): Reply =>
  (response) =>
    response.setHeader('content-type', 'application/json').end(
      JSON.stringify({
        id: '1',
        object: 'chat.completion',
        created: 0,
        model: 'tiny-vl',
        choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 20, completion_tokens: 8, total_tokens: 28 },
      }),
    );
const fails =
  (status: number, headers = {}): Reply =>
  (response) =>
    response.writeHead(status, headers).end(JSON.stringify({ error: { message: 'no', type: 'x' } }));
const garbage: Reply = (response) => response.setHeader('content-type', 'application/json').end('{"choices": [');
const silence: Reply = () => letTimePass();
const hangsUp: Reply = (response) => response.destroy();

describe('a server that repeats the key', () => {
  const key = 'hunter2-of-no-known-shape';
  const repeats: Reply = (response) =>
    response
      .writeHead(400)
      .end(
        JSON.stringify({ error: { message: `Incorrect API key provided: ${key}, or sk-abcdefghijklmnop`, type: 'x' } }),
      );

  it.each([
    ['as the key', { apiKey: key }],
    ['as a header', { headers: { Authorization: `Bearer ${key}` } }],
    ['as a header of every request', { settings: { headers: { 'x-api-key': key } } }],
  ])('does not leak it: the key is neither stored nor returned, if given %s', async (_, options) => {
    const folder = await mkdtemp(join(tmpdir(), 'vlgym-secrets-'));
    try {
      const { agent } = await serve([repeats], { retries: 0, ...options });
      const result = await evaluate({ env: () => new CorridorEnv(), agent, episodes: 2, record: folder });
      expect(result.episodes[0]!.error).toMatchObject({
        code: 'MODEL_HTTP_ERROR',
        message: 'HTTP 400: Incorrect API key provided: [redacted], or [redacted]',
      });
      const stored = await readFile(join(folder, 'episodes.jsonl'), 'utf8');
      for (const text of [stored, JSON.stringify(result)]) expect(text).not.toMatch(/hunter2|sk-abc/);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('does not leak it in an answer', async () => {
    const { agent } = await serve([says(`{"thoughts": "I was called with ${key}", "action": "right"}`)], {
      apiKey: key,
    });
    expect(await agent.act(corridorContext(1))).toMatchObject({ action: 1, text: expect.not.stringContaining(key) });
  });
});

describe('a setup that cannot work', () => {
  it('stops the evaluation at the first request: a wrong key', async () => {
    const { agent, requests } = await serve([fails(401)]);
    await expect(evaluate({ env: () => new CorridorEnv(), agent, episodes: 50 })).rejects.toMatchObject({
      code: 'MODEL_UNAUTHORIZED',
      hint: expect.stringContaining('API key'),
    });
    expect(requests).toHaveLength(1);
  });

  it('says what to start where no server listens', async () => {
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
    const baseURL = `http://127.0.0.1:${(closed.address() as AddressInfo).port}/v1`;
    await new Promise((resolve) => closed.close(resolve));
    const agent = openAICompatibleAgent({ baseURL, model: 'tiny-vl' });
    await expect(evaluate({ env: () => new CorridorEnv(), agent, parallel: 4 })).rejects.toMatchObject({
      code: 'MODEL_UNREACHABLE',
      hint: `start an OpenAI-compatible server at ${baseURL} first, for example \`vllm serve tiny-vl\` or \`ollama serve\``,
    });
  });
});

describe('openAICompatibleAgent, against a server', () => {
  it('plays a turn: picture as a data URL, key in the header, tokens counted', async () => {
    const { agent, requests } = await serve([says('{"thoughts": "go", "action": "right"}')]);
    expect(await agent.act(corridorContext(1))).toMatchObject({
      action: 1,
      usage: { requests: 1, inputTokens: 20, outputTokens: 8 },
    });
    expect(requests).toMatchObject([
      {
        url: '/v1/chat/completions',
        authorization: 'Bearer secret-key',
        body: {
          model: 'tiny-vl',
          messages: [
            { role: 'system' },
            {
              role: 'user',
              content: [
                { type: 'image_url', image_url: { url: expect.stringMatching(/^data:image\/png;base64,/) } },
                { type: 'text' },
              ],
            },
          ],
        },
      },
    ]);
  });

  it('turns a server that hangs up into data once it has answered', async () => {
    const { agent, requests } = await serve([says('{"action": "left"}'), hangsUp], { retries: 1 });
    expect(await agent.act(corridorContext(3))).toMatchObject({ action: 0 });
    expect(await agent.act(corridorContext(3))).toMatchObject({ error: { code: 'MODEL_UNREACHABLE' } });
    expect(requests).toHaveLength(3);
  });

  it('waits for the pause of a rate limit, then succeeds', async () => {
    const { agent, pauses } = await serve([fails(429, { 'retry-after': '3' }), garbage, says('{"action": "left"}')]);
    expect(await agent.act(corridorContext(3))).toMatchObject({ action: 0 });
    expect(pauses).toEqual([3000, 2000]);
  });

  it.each([
    ['never answers', silence, 'MODEL_TIMEOUT', 2],
    ['answers garbage', garbage, 'MODEL_ANSWER_INVALID', 2],
    ['is broken', fails(500), 'MODEL_HTTP_ERROR', 2],
    ['refuses the request', fails(400), 'MODEL_HTTP_ERROR', 1],
  ])('turns a server that %s into data', async (_name, reply, code, requestCount) => {
    holdTime();
    const { agent, requests } = await serve([reply], { timeoutMs: TIME_LIMIT, retries: 1 });
    const turn = await agent.act(corridorContext(1));
    expect(turn.error).toMatchObject({ boundary: 'model', code });
    expect(JSON.stringify(turn)).not.toContain('secret-key');
    expect(requests).toHaveLength(requestCount);
  });
});
