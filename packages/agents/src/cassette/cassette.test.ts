/**
 * Cassettes: what was recorded plays again without a model, for both majors of the AI SDK, in any order, with its variety;
 * what is missing and what is stale is named; secrets are never stored.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync, inflateSync } from 'node:zlib';
import { Generator } from '@vlgym/core';
import { encodePng } from '@vlgym/core/images';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { CorridorEnv } from '../../test-support/corridor-env.js';
import { type Entry, scriptedAnswers, toolModel } from '../../test-support/tool-model.js';
import { evaluate, modelAgent, openAICompatibleAgent, toolAgent } from '../index.js';
import type { LanguageModelLike } from '../model/ai-sdk.js';
import { actionTools } from '../model/index.js';
import { keyOf } from './content.js';
import { cassette, cassetteFetch, cassetteMiddleware, cassetteReports, cassetteTools } from './index.js';

const env = () => new CorridorEnv({ length: 3 });
const right = '{"thoughts": "on", "action": "right"}';
const left = '{"thoughts": "back", "action": "left"}';

let home = '';
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'vlgym-cassette-'));
  vi.stubEnv('CI', '');
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(home, { recursive: true, force: true });
});

/** A model that samples: each request has its own answer. */
function samplingModel() {
  const rng = new Generator(4);
  const model = toolModel([]);
  const answers = scriptedAnswers(Array.from({ length: 1000 }, () => (rng.random() < 0.6 ? right : left)));
  model.doGenerate = answers as typeof model.doGenerate;
  return model;
}

const silent: LanguageModelLike = Object.assign(toolModel([]), {
  doGenerate: async () => {
    throw new Error('nobody is there');
  },
});

const rowsOf = ({ episodes }: Awaited<ReturnType<typeof evaluate>>) =>
  episodes.map(({ seed, repeat, success, return: sum, length }) => ({ seed, repeat, success, sum, length }));

describe('a model', () => {
  it('plays again what was recorded, without being asked, in any order and with its variety', async () => {
    const file = join(home, 'sampling.jsonl');
    const seeds = [0, 1, 2, 3, 4, 5, 0, 1, 2]; // repeats ask the same and are answered otherwise
    const options = { env, seeds, maxSteps: 6 };
    const first = await evaluate({ ...options, agent: modelAgent(cassette(file, samplingModel())), parallel: 3 });
    expect(new Set(first.episodes.map(({ success }) => success)).size).toBe(2);
    for (const parallel of [1, 8]) {
      const again = modelAgent(cassette(file, silent, { record: 'none' }));
      const played = await evaluate({ ...options, seeds: seeds.slice(), agent: again, parallel });
      expect(rowsOf(played)).toEqual(rowsOf(first));
      expect(played.usage).toEqual(first.usage);
    }
    const few = await evaluate({
      ...options,
      seeds: [5, 2],
      agent: modelAgent(cassette(file, silent, { record: 'none' })),
    });
    expect(rowsOf(few)).toEqual([rowsOf(first)[5], rowsOf(first)[2]]);
  });

  it('asks only for what is new, and for everything with record: all', async () => {
    const file = join(home, 'modes.jsonl');
    const play = async (record: 'new' | 'all', seeds: readonly number[]) => {
      const model = toolModel([right], true);
      await evaluate({ env, agent: modelAgent(cassette(file, model, { record })), seeds });
      return model.doGenerateCalls.length;
    };
    expect(await play('new', [0, 1])).toBeGreaterThan(0);
    expect(await play('new', [0, 1])).toBe(0);
    const lines = (await readFile(file, 'utf8')).trim().split('\n').length;
    expect(await play('all', [0, 1])).toBe(lines - 1);
  });

  it('a call that is missing ends the evaluation, and names what was not asked for', async () => {
    const file = join(home, 'missing.jsonl');
    await evaluate({ env, agent: modelAgent(cassette(file, toolModel([right], true))), seeds: [0] });
    const longer = () => new CorridorEnv({ length: 9 });
    const agent = modelAgent(cassette(file, silent, { record: 'none' }));
    await expect(evaluate({ env: longer, agent, seeds: [0] })).rejects.toMatchObject({
      code: 'CASSETTE_MISS',
      message: expect.stringMatching(
        /has no answer of test\/tools to: user: You are at .*Not asked for so far: test\/tools, seed 0, user: You are at/,
      ),
      hint: expect.stringContaining("record: 'new'"),
    });
    const report = cassetteReports(file).at(-1)!;
    expect(report).toMatchObject({ played: 0, recorded: 0 });
    expect(report.stale[0]).toMatchObject({
      of: 'test/tools',
      seed: 0,
      about: expect.stringContaining('user: You are at'),
    });
  });

  it('entries of episodes that were not played are not stale: a test may stop early', async () => {
    const file = join(home, 'early.jsonl');
    await evaluate({ env, agent: modelAgent(cassette(file, toolModel([right], true))), seeds: [0, 1, 2] });
    await evaluate({ env, agent: modelAgent(cassette(file, silent, { record: 'none' })), seeds: [0] });
    const report = cassetteReports(file).at(-1)!;
    expect(report.played).toBeGreaterThan(0);
    expect(report.stale).toEqual([]);
  });

  it('stores neither keys nor pictures', async () => {
    const file = join(home, 'secrets.jsonl');
    vi.stubEnv('MAKER_API_KEY', 'of-no-known-shape-1');
    const said = (key: string) => `{"thoughts": "my key is ${key}", "action": "right"}`;
    const model = toolModel(
      [said('of-no-known-shape-1'), said('sk-abcdefgh12345678'), said('given-by-header-2')],
      true,
    );
    const agent = modelAgent(cassette(file, model, { record: 'all' }), {
      settings: { headers: { authorization: 'Bearer given-by-header-2' } },
    });
    await evaluate({ env: () => new CorridorEnv({ length: 9 }), agent, seeds: [0, 1] });
    const text = await readFile(file, 'utf8');
    expect(text).toContain('[redacted]');
    expect(text).not.toMatch(/of-no-known-shape|sk-abc|given-by-header|iVBORw0KGgo|base64/);
    vi.stubEnv('MAKER_API_KEY', '');
  });

  it('refuses a file that it did not write, and drops a torn last line', async () => {
    const file = join(home, 'torn.jsonl');
    await evaluate({ env, agent: modelAgent(cassette(file, toolModel([right], true), { record: 'all' })), seeds: [0] });
    await writeFile(file, `${await readFile(file, 'utf8')}{"key": "ab`);
    await evaluate({ env, agent: modelAgent(cassette(file, silent, { record: 'none' })), seeds: [0] });
    const other = join(home, 'other.jsonl');
    await writeFile(other, '{"id": 1}\n');
    const agent = modelAgent(cassette(other, silent, { record: 'none' }));
    await expect(evaluate({ env, agent, seeds: [0] })).rejects.toMatchObject({ code: 'CASSETTE_INVALID' });
    expect(() => cassette('x', silent, { record: 'sometimes' as 'new' })).toThrow(/Invalid record/);
    expect(() => cassette('x', silent, { recrod: 'new' } as object)).toThrow(/did you mean "record"/);
  });

  it('a request that failed and was sent again has one answer, under the number of the first', async () => {
    const file = join(home, 'retried.jsonl');
    const model = cassette(file, toolModel([new Error('HTTP 500'), right]));
    const call = { prompt: [{ role: 'user', content: [{ type: 'text', text: 'where to?' }] }] } as never;
    await expect(model.doGenerate(call)).rejects.toThrow('HTTP 500');
    await model.doGenerate(call);
    const [, entry] = (await readFile(file, 'utf8')).trim().split('\n');
    expect(JSON.parse(entry!)).toMatchObject({ ask: ':0', about: 'user: where to?' });
  });

  it('answers from the file only where CI is set', async () => {
    const file = join(home, 'ci.jsonl');
    vi.stubEnv('CI', 'true');
    const agent = modelAgent(cassette(file, toolModel([right], true)));
    vi.stubEnv('CI', '');
    await expect(evaluate({ env, agent, seeds: [0] })).rejects.toMatchObject({ code: 'CASSETTE_MISS' });
  });

  it('plays streams, too', async () => {
    const file = join(home, 'stream.jsonl');
    const parts: string[] = [];
    const model = toolModel([right], true);
    await evaluate({ env, agent: modelAgent(cassette(file, model)), seeds: [0] });
    const agent = modelAgent(cassette(file, silent, { record: 'none' }), { onPart: ({ text }) => parts.push(text) });
    expect((await evaluate({ env, agent, seeds: [0] })).successRate).toBe(1);
    expect(parts.join('')).toContain('"action": "right"');
  });
});

describe('tools', () => {
  it('have their results recorded, failures included, in the file of the model', async () => {
    const file = join(home, 'tools.jsonl');
    const calls: string[] = [];
    const look = {
      inputSchema: z.object({ at: z.string() }),
      execute: async ({ at }: { at: string }) => {
        calls.push(at);
        if (at === 'nowhere') throw new Error('there is nothing');
        return { seen: at, bytes: Uint8Array.of(1, 2) };
      },
    };
    const script: Entry[] = [
      [{ tool: 'look', input: { at: 'door' } }],
      [{ tool: 'look', input: { at: 'nowhere' } }],
      [{ tool: 'act', input: { action: 'right' } }],
    ];
    const agentWith = (model: LanguageModelLike, record: 'new' | 'none') =>
      modelAgent(cassette(file, model, { record }), {
        actions: 'tools',
        tools: cassetteTools(file, { look }, { record }),
      });
    const first = await evaluate({ env, agent: agentWith(toolModel(script, true), 'new'), seeds: [0] });
    expect(calls).toEqual(expect.arrayContaining(['door', 'nowhere']));
    calls.length = 0;
    const again = await evaluate({ env, agent: agentWith(silent, 'none'), seeds: [0] });
    expect(calls).toEqual([]);
    expect(rowsOf(again)).toEqual(rowsOf(first));
  });
});

describe.each(['6', '7'])('AI SDK %s', (major) => {
  const open = async (script: readonly Entry[]) => {
    const sdk = major === '6' ? await import('ai') : await import('ai7');
    const { MockLanguageModelV3 } = await import('ai/test');
    const { MockLanguageModelV4 } = await import('ai7/test');
    const doGenerate = scriptedAnswers(script, true);
    const model = major === '6' ? new MockLanguageModelV3({ doGenerate }) : new MockLanguageModelV4({ doGenerate });
    return { sdk: sdk as typeof import('ai'), model: model as unknown as InstanceType<typeof MockLanguageModelV3> };
  };
  const act: Entry[] = [[{ tool: 'act', input: { action: 'right' } }]];

  it('a ToolLoopAgent that owns its model has the cassette as a middleware', async () => {
    const file = join(home, `middleware-${major}.jsonl`);
    const play = async (script: readonly Entry[], record: 'new' | 'none') => {
      const { sdk, model } = await open(script);
      const wrapped = sdk.wrapLanguageModel({ model, middleware: cassetteMiddleware(file, { record }) });
      const agent = toolAgent(({ env }) => new sdk.ToolLoopAgent({ model: wrapped, tools: actionTools(env) }));
      return evaluate({ env, agent, seeds: [0, 1], parallel: 2 });
    };
    const first = await play(act, 'new');
    expect(first.successRate).toBe(1);
    const again = await play([new Error('nobody is there')], 'none');
    expect(rowsOf(again)).toEqual(rowsOf(first));
  });

  it('a missing call ends the evaluation of a ToolLoopAgent, too', async () => {
    const { sdk, model } = await open(act);
    const recorded = cassette(join(home, `none-${major}.jsonl`), model, { record: 'none' });
    const agent = toolAgent(({ env }) => new sdk.ToolLoopAgent({ model: recorded, tools: actionTools(env) }));
    await expect(evaluate({ env, agent, seeds: [0] })).rejects.toMatchObject({ code: 'CASSETTE_MISS' });
  });
});

it('a picture is known by its pixels, however a runtime compresses them, as bytes and as text', () => {
  const image = { data: new Uint8Array(300).map((_, index) => index % 7), height: 10, width: 10, channels: 3 } as const;
  const ours = encodePng(image);
  const [start, end] = [ours.indexOf(0x49, 33), ours.length - 12]; // IDAT to IEND
  const raw = inflateSync(ours.subarray(start + 4, end - 4));
  const theirs = Buffer.concat([
    ours.subarray(0, 33),
    chunk('IDAT', deflateSync(raw, { level: 1 })),
    ours.subarray(end),
  ]);
  expect(Buffer.compare(theirs, ours)).not.toBe(0);
  const key = keyOf({ data: ours });
  expect(keyOf({ data: theirs })).toBe(key);
  const url = (bytes: Uint8Array) => `data:image/png;base64,${Buffer.from(bytes).toString('base64')}`;
  expect(keyOf({ url: url(theirs) })).toBe(keyOf({ url: url(ours) }));
  expect(keyOf({ data: encodePng({ ...image, data: image.data.map((value) => 7 - value) }) })).not.toBe(key);
  expect(keyOf({ data: ours.subarray(0, 40) })).not.toBe(key); // not a picture: its bytes
});

function chunk(type: string, data: Uint8Array): Buffer {
  const [length, crc] = [Buffer.alloc(4), Buffer.alloc(4)];
  const body = Buffer.concat([Buffer.from(type), data]);
  length.writeUInt32BE(data.length);
  crc.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, crc]);
}

function crc32(data: Uint8Array): number {
  let value = 0xffffffff;
  for (const byte of data) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit += 1) value = (value >>> 1) ^ (value & 1 ? 0xedb88320 : 0);
  }
  return (value ^ 0xffffffff) >>> 0;
}

it('any OpenAI-compatible server: a fetch with a cassette', async () => {
  const file = join(home, 'server.jsonl');
  let requests = 0;
  const server: typeof fetch = async () => {
    requests += 1;
    const message = { role: 'assistant', content: right };
    const usage = { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 };
    const body = { id: '1', created: 0, model: 'm', choices: [{ index: 0, message, finish_reason: 'stop' }], usage };
    return Response.json({ ...body, echo: 'key-of-no-shape-7' });
  };
  const play = (record: 'new' | 'none') =>
    evaluate({
      env,
      agent: openAICompatibleAgent({
        ...{ baseURL: 'http://127.0.0.1:9/v1', model: 'm', apiKey: 'key-of-no-shape-7' },
        fetch: cassetteFetch(file, { record, fetch: server }),
      }),
      seeds: [0, 1],
    });
  const first = await play('new');
  const asked = requests;
  expect([first.successRate, asked > 0]).toEqual([1, true]);
  const again = await play('none');
  expect([rowsOf(again), requests]).toEqual([rowsOf(first), asked]);
  expect(await readFile(file, 'utf8')).not.toMatch(/key-of-no-shape|iVBORw0KGgo/);
});

it('what a server refuses is not recorded: with the right key the same call is made', async () => {
  const file = join(home, 'refused.jsonl');
  const server: typeof fetch = async (input) => {
    const { headers } = input as Request;
    const isRight = headers.get('authorization') === 'Bearer right';
    return Response.json({ isRight }, { status: isRight ? 200 : 401, headers: { 'retry-after': '7' } });
  };
  const ask = async (key: string, record: 'new' | 'none' = 'new') => {
    const open = cassetteFetch(file, { record, fetch: server });
    return open('http://127.0.0.1:9/v1/chat', { method: 'POST', body: '{}', headers: { authorization: key } });
  };
  const refused = await ask('Bearer wrong');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([401, '7']);
  expect((await ask('Bearer right')).status).toBe(200);
  expect(await (await ask('', 'none')).json()).toEqual({ isRight: true });
  expect((await readFile(file, 'utf8')).trim().split('\n')).toHaveLength(2);
});
