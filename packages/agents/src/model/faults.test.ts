/** A thousand episodes against a server that fails in every way: what is limited, counted, told and stored. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkTrajectory } from '@vlgym/core/trajectory';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { CorridorEnv } from '../../test-support/corridor-env.js';
import { type FaultServer, type FaultServerOptions, faultServer } from '../../test-support/fault-server.js';
import { manualClock } from '../../test-support/manual-clock.js';
import { recorded } from '../../test-support/recorded.js';
import { evaluate, type OpenAICompatibleOptions, openAICompatibleAgent } from '../index.js';
import { countFailures } from '../suite/result.js';

const KEY = 'hunter2-of-no-known-shape';
const MINUTE = 60_000;
const env = () => new CorridorEnv({ length: 4, limit: 6 });
/** Every way to fail, as a share of the requests. */
const SHARES = {
  'rate-limit': 0.02,
  'server-error': 0.03,
  unauthorized: 0.004,
  'bad-request': 0.01,
  'hang-up': 0.02,
  slow: 0.03,
  'cut-stream': 0.03,
  'malformed-json': 0.02,
  'malformed-call': 0.03,
  'giant-answer': 0.004,
  'key-echo': 0.05,
} as const;
/** The causes after all retries. */
const CAUSES = ['MODEL_UNAUTHORIZED', 'MODEL_HTTP_ERROR', 'MODEL_RATE_LIMITED', 'MODEL_FAILED'];
const prices = { inputPerMillion: 1000, outputPerMillion: 3000 };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vlgym-faults-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Nobody waits for a real time limit: each one is noted for its request, and passes where the server is slow. */
const TIME_LIMIT = 77_777;
const timeLimit = new AsyncLocalStorage<() => void>();
const realTimeout = globalThis.setTimeout;

beforeEach(() => {
  const noted = (late: () => void, milliseconds?: number, ...rest: []) =>
    milliseconds === TIME_LIMIT ? void timeLimit.enterWith(late) : realTimeout(late, milliseconds, ...rest);
  vi.stubGlobal('setTimeout', noted);
});

const servers: FaultServer[] = [];
afterEach(async () => {
  vi.unstubAllGlobals();
  for (const server of servers.splice(0)) await server.close();
});

async function serve(options: Partial<FaultServerOptions> = {}, agentOptions: Partial<OpenAICompatibleOptions> = {}) {
  const clock = manualClock();
  const server = await faultServer({ seed: 1, clock, key: KEY, shares: {}, ...options });
  servers.push(server);
  const { baseURL } = server;
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set('x-sent-at', String(clock.now()));
    const isLate = timeLimit.getStore();
    const response = await globalThis.fetch(input, { ...init, headers });
    if (response.headers.has('x-slow')) setImmediate(() => isLate?.());
    return response;
  };
  const common = { fetch, baseURL, model: 'fault', apiKey: KEY, clock, prices, timeoutMs: TIME_LIMIT };
  const agent = openAICompatibleAgent({ ...common, ...agentOptions });
  return { server, agent, clock };
}

/** The most events in any window of 60 s. */
function busiestMinute(events: readonly { readonly time: number; readonly weight: number }[]): number {
  const sorted = events.toSorted((a, b) => a.time - b.time);
  let most = 0;
  let sum = 0;
  let first = 0;
  for (const { time, weight } of sorted) {
    sum += weight;
    for (; sorted[first]!.time <= time - MINUTE; first += 1) sum -= sorted[first]!.weight;
    most = Math.max(most, sum);
  }
  return most;
}

async function filesIn(path: string): Promise<string> {
  const names = (await readdir(path, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  return (await Promise.all(names.map(({ parentPath, name }) => readFile(join(parentPath, name), 'latin1')))).join(
    '\n',
  );
}

describe('a server with faults', { timeout: 300_000 }, () => {
  it('1,000 episodes: limits hold, causes are told, nothing secret is stored, and the rest is played by resuming', async () => {
    const { server, agent } = await serve(
      { stormLength: 12, shares: SHARES },
      {
        limits: { requestsPerMinute: 150, tokensPerMinute: 7500 },
        retries: 2,
        repairTurns: 1,
        actions: 'tools',
        onPart: () => {}, // streamed
        settings: { maxOutputTokens: 64 },
      },
    );
    const path = join(folder, 'thousand');
    const short = () => new CorridorEnv({ length: 2, limit: 3 });
    const play = (resume: boolean) =>
      evaluate({ env: short, agent, episodes: 1000, parallel: 16, record: path, resume });
    const result = await play(false);

    expect([...server.faults.keys()].sort()).toEqual(Object.keys(SHARES).sort());
    const requests = busiestMinute(server.times.map((time) => ({ time, weight: 1 })));
    const tokens = busiestMinute(server.answered.map(({ time, input, output }) => ({ time, weight: input + output })));
    expect(requests).toBeLessThanOrEqual(150);
    expect(tokens).toBeLessThanOrEqual(7500);
    expect(Math.max(requests / 150, tokens / 7500)).toBeGreaterThan(0.9); // and a limit is used

    expect(result.counted + result.excluded).toBe(1000);
    expect(result.excluded).toBeGreaterThan(20);
    const excluded = result.episodes.filter(({ counted }) => !counted);
    expect(excluded.every(({ error, success }) => error !== undefined && !success)).toBe(true);
    const causes = new Set(excluded.map(({ error }) => error!.code));
    for (const code of CAUSES) expect(causes).toContain(code);
    // the table of causes leaves none out
    const told = countFailures(result.episodes).reduce((sum, { count, counted }) => sum + count - counted, 0);
    expect(told).toBe(result.excluded);

    // what the provider billed is what the agent counted; giant answers were billed, too
    const billed = server.answered.reduce((sum, { input, output }) => sum + input + output, 0);
    expect(agent.spent.inputTokens + agent.spent.outputTokens).toBe(billed);
    expect(result.usage.inputTokens + result.usage.outputTokens).toBe(billed);
    expect(result.usage.cost).toBeCloseTo(agent.spent.cost, 9);

    expect(await filesIn(path)).not.toContain(KEY);
    expect(JSON.stringify(result)).not.toContain(KEY);
    for (const trajectory of (await recorded(path)).slice(0, 50)) {
      expect(await checkTrajectory(trajectory)).toMatchObject({ ok: true });
    }

    const again = await play(true);
    expect(again.counted).toBeGreaterThan(result.counted);
  });

  it('the same of answers that are not streamed', async () => {
    const { 'cut-stream': _, 'malformed-call': __, ...shares } = SHARES;
    const { server, agent } = await serve(
      { stormLength: 12, shares: { ...shares, 'cut-body': 0.02 } },
      { retries: 2, settings: { maxOutputTokens: 64 } },
    );
    const path = join(folder, 'whole');
    const result = await evaluate({ env, agent, episodes: 60, parallel: 16, record: path });
    expect(result.counted + result.excluded).toBe(60);
    const billed = server.answered.reduce((sum, { input, output }) => sum + input + output, 0);
    expect(result.usage.inputTokens + result.usage.outputTokens).toBe(billed);
    expect(await filesIn(path)).not.toContain(KEY);
  });

  it.each([1, 16])('a budget of requests holds to the last one, %i episodes in parallel', async (parallel) => {
    const { server, agent } = await serve(
      { shares: { 'server-error': 0.1, 'rate-limit': 0.05 } },
      { budget: { requests: 137 } },
    );
    const result = await evaluate({ env, agent, episodes: 200, parallel });
    expect(server.times).toHaveLength(137);
    expect(result.stopped).toBe('budget');
    const codes = result.episodes.filter(({ counted }) => !counted).map(({ error }) => error!.code);
    expect(codes).toContain('BUDGET_EXCEEDED');
  });

  it.each([1, 16])('a budget of cost is never crossed, %i episodes in parallel', async (parallel) => {
    const { agent } = await serve({}, { budget: { cost: 20 }, settings: { maxOutputTokens: 40 } });
    const result = await evaluate({ env, agent, episodes: 400, parallel });
    expect(result.stopped).toBe('budget');
    expect(agent.spent.cost).toBeLessThanOrEqual(20);
    expect(agent.spent.cost).toBeGreaterThan(15); // the rest is less than the most that one request may cost
  });

  it('a budget of tokens without a known size of answers is crossed by one request at most', async () => {
    const { agent, server } = await serve({}, { budget: { tokens: 3000 } });
    await evaluate({ env, agent, episodes: 400, parallel: 16 });
    const total = agent.spent.inputTokens + agent.spent.outputTokens;
    const largest = Math.max(...server.answered.map(({ input, output }) => input + output));
    expect(total).toBeGreaterThanOrEqual(3000);
    expect(total).toBeLessThan(3000 + largest);
  });

  it('a storm of rate limits stops all lanes together, and the retry budget ends it', async () => {
    const storm = { shares: { 'rate-limit': 1 } };
    const { server, agent } = await serve(storm, { retries: 1000, budget: { retries: 25 } });
    const result = await evaluate({ env, agent, episodes: 10, parallel: 10 });
    expect(result).toMatchObject({ counted: 0, successRate: Number.NaN });
    expect(server.times).toHaveLength(10 + 25);
    expect(result.firstFailure!.error).toMatchObject({
      code: 'MODEL_RATE_LIMITED',
      message: expect.stringContaining('the retry budget is spent'),
    });
    // after the first refusal nobody sends before the pause of 2 s is over
    const [start] = server.times;
    expect(server.times.filter((time) => time > start! && time < start! + 2000)).toEqual([]);
  });

  it('streams: parts arrive as they are written, and a cut stream is repeated', async () => {
    const parts: string[] = [];
    // which request of which lane comes first differs between runs; with 30 repairs none runs out of them
    const { server, agent } = await serve(
      { shares: { 'cut-stream': 0.2, 'malformed-call': 0.1 } },
      { actions: 'tools', repairTurns: 30, retries: 10, onPart: ({ type }) => parts.push(type) },
    );
    const result = await evaluate({ env, agent, episodes: 20, parallel: 4, record: join(folder, 'streams') });
    expect(result).toMatchObject({ counted: 20, fallbackRate: 0 });
    expect(server.faults.get('cut-stream')).toBeGreaterThan(5);
    expect(server.faults.get('malformed-call')).toBeGreaterThan(1);
    expect(parts.filter((type) => type === 'start')).toHaveLength(server.times.length);
    expect(parts).toContain('tool-input');
    const calls = (await recorded(join(folder, 'streams'))).flatMap(({ steps }) =>
      steps.flatMap((s) => s.toolCalls ?? []),
    );
    expect(calls.some(({ error }) => error !== undefined)).toBe(true);
  });
});
