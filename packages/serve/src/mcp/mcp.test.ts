/** The MCP server with the official client in both protocol eras, and recorded requests (test/golden/mcp). */
import { readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { make } from '@vlgym/core';
import { decodePng } from '@vlgym/core/images';
import { digestObservation } from '@vlgym/core/trajectory';
import '@vlgym/points24';
import { afterEach, describe, expect, it } from 'vitest';
import { McpEpisodes, McpHttpServer, mcpTools, ServedEnv } from './index.js';

type Content = readonly {
  readonly type: string;
  readonly text?: string;
  readonly data?: string;
  readonly mimeType?: string;
}[];
interface CallResult {
  readonly content: Content;
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: boolean;
}

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function start(ids: readonly string[] = ['vlgym/Points24-v1'], maxSessions = 64): Promise<string> {
  const served = await Promise.all(ids.map((id) => ServedEnv.create({ id })));
  const server = new McpHttpServer(new McpEpisodes(served, { maxSessions }));
  open.push(() => server.close());
  return server.listen();
}

async function connect(url: string, era: 'modern' | 'legacy'): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    era === 'modern' ? { versionNegotiation: { mode: 'auto' } } : {},
  );
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  open.push(() => client.close());
  return client;
}

const call = async (client: Pick<Client, 'callTool'>, name: string, args: Record<string, unknown>) =>
  (await client.callTool({ name, arguments: args })) as unknown as CallResult;

const pictureOf = ({ content }: CallResult) => {
  const { data, mimeType } = content.find(({ type }) => type === 'image')!;
  expect(mimeType).toBe('image/png');
  return digestObservation(decodePng(new Uint8Array(Buffer.from(data!, 'base64'))));
};

describe.each(['modern', 'legacy'] as const)('the official client, %s era', (era) => {
  it('plays an episode whose digests equal those without a server', async () => {
    const client = await connect(await start(), era);
    const env = await make('vlgym/Points24-v1');
    const first = await env.reset({ seed: 7 });
    const reset = await call(client, 'reset', { seed: 7 });
    expect(pictureOf(reset)).toBe(digestObservation(first.observation));
    const { episode } = reset.structuredContent!;
    const labels = (env.actionSpace as { labels?: readonly string[] }).labels!;
    for (const action of [15, 3, 11]) {
      const here = await env.step(action);
      const there = await call(client, 'act', { episode, action: labels[action]! });
      expect(pictureOf(there)).toBe(digestObservation(here.observation));
      expect(there.structuredContent).toMatchObject({ reward: here.reward, terminated: here.terminated });
      if (here.terminated || here.truncated) break;
    }
  });

  it('reads mistakes as results with a remedy, and an unknown tool as an error', async () => {
    const client = await connect(await start(), era);
    const unknown = await call(client, 'act', { episode: 'x', action: '+' });
    expect(unknown).toMatchObject({ isError: true, content: [{ type: 'text', text: 'No episode "x"; call reset.' }] });
    const { episode } = (await call(client, 'reset', { seed: 7 })).structuredContent!;
    const wrong = await call(client, 'act', { episode, action: 'jump' });
    expect(wrong.isError).toBe(true);
    expect(wrong.content[0]!.text).toMatch(/^Input validation error: Invalid arguments for tool act: action/);
    await expect(call(client, 'nope', {})).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('Tool nope not found'),
    });
  });

  it('looks again without acting, reads resources and the prompt, and closes', async () => {
    const client = await connect(await start(), era);
    const reset = await call(client, 'reset', { seed: 7 });
    const { episode } = reset.structuredContent!;
    expect(pictureOf(await call(client, 'observe', { episode }))).toBe(pictureOf(reset));
    const { contents } = await client.readResource({ uri: `vlgym://episode/${episode}/observation` });
    expect(contents[0]).toMatchObject({ mimeType: 'image/png', blob: expect.any(String) });
    await call(client, 'act', { episode, action: '(' });
    const trajectory = await client.readResource({ uri: `vlgym://episode/${episode}/trajectory` });
    const lines = (trajectory.contents[0] as { text: string }).text.split('\n').map((line) => JSON.parse(line));
    expect(lines).toMatchObject([
      { schema: expect.any(String), seed: 7 },
      { index: 0, legal: true },
    ]);
    const about = await client.readResource({ uri: 'vlgym://env/Points24-v1' });
    expect(JSON.parse((about.contents[0] as { text: string }).text)).toMatchObject({ id: 'vlgym/Points24-v1' });
    const { messages } = await client.getPrompt({ name: 'play', arguments: { seed: '7' } });
    expect(messages).toEqual([{ role: 'user', content: { type: 'text', text: 'Play seed 7.' } }]);
    await call(client, 'close', { episode });
    expect((await call(client, 'observe', { episode })).isError).toBe(true);
  });
});

describe('episodes', () => {
  it('20 played in turns are those played one after the other', async () => {
    const client = await connect(await start(['vlgym/Blackjack-v1']), 'modern');
    const begin = async (seed: number) => {
      const reset = await call(client, 'reset', { seed });
      return { episode: reset.structuredContent!.episode, log: [pictureOf(reset)] };
    };
    const step = async ({ episode, log }: Awaited<ReturnType<typeof begin>>) => {
      const result = await call(client, 'act', { episode, action: 'hit' });
      log.push(result.isError ? 'over' : pictureOf(result));
    };
    const seeds = Array.from({ length: 20 }, (_, seed) => seed);
    const together = await Promise.all(seeds.map(begin));
    for (let turn = 0; turn < 2; turn += 1) await Promise.all(together.map(step));
    for (const seed of seeds) {
      const alone = await begin(seed);
      for (let turn = 0; turn < 2; turn += 1) await step(alone);
      expect(alone.log).toEqual(together[seed]!.log);
    }
  });

  it('count against the capacity, and free their place when closed', async () => {
    const client = await connect(await start(['vlgym/Blackjack-v1'], 1), 'modern');
    const { episode } = (await call(client, 'reset', { seed: 1 })).structuredContent!;
    const refused = await call(client, 'reset', { seed: 2 });
    expect(refused.isError).toBe(true);
    expect(refused.content[0]!.text).toMatch(/^Server at capacity: 1\/1 .* Hint: close a session/);
    await call(client, 'close', { episode });
    expect((await call(client, 'reset', { seed: 2 })).isError).not.toBe(true);
  });

  it('of several environments are chosen by name', async () => {
    const client = await connect(await start(['vlgym/Blackjack-v1', 'vlgym/EZPoints-v1']), 'modern');
    const { tools } = await client.listTools();
    const reset = tools.find(({ name }) => name === 'reset')!;
    expect((reset.inputSchema.properties as Record<string, { enum?: unknown }>).env!.enum).toEqual([
      'Blackjack-v1',
      'EZPoints-v1',
    ]);
    expect((await call(client, 'reset', { env: 'EZPoints-v1', seed: 1 })).structuredContent!.env).toBe(
      'vlgym/EZPoints-v1',
    );
    expect((await call(client, 'reset', { seed: 1 })).isError).toBe(true);
  });
});

interface Exchange {
  readonly label: string;
  readonly request: { readonly method: string; readonly headers: Record<string, string>; readonly body?: unknown };
  readonly response: { readonly status: number; readonly contentType: string; readonly body: unknown };
}

describe('recorded requests', () => {
  const { exchanges } = JSON.parse(
    readFileSync(new URL('../../../../test/golden/mcp/http-raw.json', import.meta.url), 'utf8'),
  ) as { exchanges: Exchange[] };

  it.each(exchanges.map((each) => [each.label, each] as const))('%s', async (_label, { request, response }) => {
    const url = await start();
    const defaults = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
    const got = await new Promise<{ status: number; type: string; body: string }>((resolve, reject) => {
      const sent = httpRequest(
        url,
        { method: request.method, headers: { ...defaults, ...request.headers } },
        async (answer) => {
          let body = '';
          for await (const piece of answer) body += String(piece);
          resolve({ status: answer.statusCode!, type: answer.headers['content-type'] ?? '', body });
        },
      );
      sent.on('error', reject);
      sent.end(request.body === undefined ? undefined : JSON.stringify(request.body));
    });
    expect({ status: got.status, type: got.type.split(';')[0] }).toEqual({
      status: response.status,
      type: response.contentType,
    });
    const error = (response.body as { error?: object }).error;
    if (error) expect(JSON.parse(got.body)).toEqual(response.body);
    else expect(got.body).toContain('"name":"reset"');
  });
});

describe('mcpTools', () => {
  it('makes the tools of a server an action space with its dialogue', async () => {
    const tools = await mcpTools((await connect(await start(['vlgym/Blackjack-v1']), 'modern')) as never, {
      only: ['reset', 'act'],
    });
    const context = { observation: 'Begin.', info: {}, history: [] };
    expect(JSON.stringify(tools.dialogue.prompt(context))).toContain('- reset: Start an episode');
    const parsed = tools.dialogue.parse('{"thoughts": "go", "name": "reset", "arguments": {"seed": 7}}');
    expect(parsed).toMatchObject({ legal: true, thought: 'go', action: { name: 'reset', arguments: { seed: 7 } } });
    const outcome = await tools.call(parsed.action!);
    expect(outcome.content.map(({ type }) => type)).toEqual(['text', 'image']);
    expect(outcome.structuredContent).toMatchObject({ seed: 7 });
    expect(tools.actionSpace.contains({ name: 'close', arguments: {} })).toBe(false);
    expect(tools.dialogue.parse('{"name": "reset", "arguments": {"seed": -7}}')).toMatchObject({
      legal: false,
      reason: 'unknown-action',
    });
    expect(tools.dialogue.parse('no')).toMatchObject({ legal: false, reason: 'no-action' });
    expect(tools.dialogue.parse(tools.dialogue.demonstrate!(context, parsed.action!)).action).toEqual(parsed.action);
  });
});
