import { decodePng } from '@vlgym/core/images';
import { MockLanguageModelV3 } from 'ai/test';
import { describe, expect, it } from 'vitest';
import { corridorContext } from '../../test-support/context.js';
import { manualClock } from '../../test-support/manual-clock.js';
import { type ModelAgentOptions, modelAgent } from '../index.js';

type Answer = Awaited<ReturnType<MockLanguageModelV3['doGenerate']>>;

const answer = (text: string, input = 10, output = 5): Answer => ({
  content: [{ type: 'text', text }],
  finishReason: { unified: 'stop', raw: 'stop' },
  usage: {
    inputTokens: { total: input, noCache: input, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: output, text: output, reasoning: 0 },
  },
  warnings: [],
});

/** A model with a list of answers and errors; pauses are recorded instead of waited for. */
function scripted(script: (string | Error)[], options: ModelAgentOptions = {}) {
  const clock = manualClock();
  let turn = 0;
  const model = new MockLanguageModelV3({
    provider: 'test',
    modelId: 'mock',
    doGenerate: async () => {
      const entry = script[turn++];
      if (entry === undefined) throw new Error('asked too often');
      if (entry instanceof Error) throw entry;
      return answer(entry);
    },
  });
  return { model, pauses: clock.pauses, agent: modelAgent(model, { clock, ...options }) };
}

const apiError = (statusCode: number, responseHeaders = {}) =>
  Object.assign(new Error(`status ${statusCode}`), {
    statusCode,
    responseHeaders,
    isRetryable: statusCode === 429 || statusCode >= 500,
  });

/** As the AI SDK reports a connection that nobody takes. */
const refused = () =>
  Object.assign(new Error('Cannot connect to API: connect ECONNREFUSED 127.0.0.1:8000'), {
    isRetryable: true,
    cause: Object.assign(new Error('fetch failed'), { cause: Object.assign(new Error(), { code: 'ECONNREFUSED' }) }),
  });

describe('modelAgent', () => {
  it('sends the prompt with its pictures as PNG, and parses the answer', async () => {
    const { agent, model } = scripted(['{"thoughts": "go", "action": "right"}'], { settings: { temperature: 0.2 } });
    const context = corridorContext(1);
    const turn = await agent.act(context);
    expect(agent.name).toBe('test/mock');
    expect(turn).toMatchObject({
      action: 1,
      parsed: { thought: 'go', formatValid: true },
      usage: { requests: 1, inputTokens: 10, outputTokens: 5, cost: 0 },
    });

    const [call] = model.doGenerateCalls;
    expect(call).toMatchObject({
      temperature: 0.2,
      prompt: [{ role: 'system', content: 'You walk along a corridor.' }, { role: 'user' }],
    });
    const [picture, words] = call!.prompt[1]!.content as unknown as [
      { mediaType: string; data: Uint8Array },
      { text: string },
    ];
    expect(picture.mediaType).toBe('image/png');
    expect(decodePng(picture.data)).toEqual(context.observation);
    expect(words.text).toContain(`You are at ${context.info.position}`);
  });

  it('retries after temporary failures, with growing pauses', async () => {
    const { agent, pauses } = scripted([
      apiError(500),
      apiError(429, { 'retry-after': '7' }),
      apiError(503, { 'retry-after-ms': '30' }),
      '{"action": "left"}',
    ]);
    expect(await agent.act(corridorContext(3))).toMatchObject({ action: 0 });
    expect(pauses).toEqual([1000, 7000, 30]);
  });

  it.each([
    ['a permanent rate limit', Array(4).fill(apiError(429)), 'MODEL_RATE_LIMITED', 3],
    ['a broken server', Array(4).fill(apiError(500)), 'MODEL_HTTP_ERROR', 3],
    ['an unreadable answer', Array(4).fill(apiError(200)), 'MODEL_ANSWER_INVALID', 3],
    ['a refused request, at once', [apiError(400)], 'MODEL_HTTP_ERROR', 0],
    ['anything else, at once', [new Error('no such model')], 'MODEL_FAILED', 0],
  ])('turns %s into data', async (_name, script, code, pauseCount) => {
    const { agent, pauses } = scripted(script);
    const turn = await agent.act(corridorContext());
    expect(turn).toMatchObject({ text: '', error: { boundary: 'model', code } });
    expect(turn.error).not.toHaveProperty('retryable');
    expect(pauses).toHaveLength(pauseCount);
  });

  it('does not wait for a model that never answers', async () => {
    const model = new MockLanguageModelV3({ doGenerate: () => new Promise<never>(() => {}) });
    const agent = modelAgent(model, { timeoutMs: 10, retries: 1, clock: manualClock() });
    expect(await agent.act(corridorContext())).toMatchObject({ error: { code: 'MODEL_TIMEOUT' } });
    expect(model.doGenerateCalls).toHaveLength(2);
  });

  it('rejects when the caller aborts', async () => {
    const controller = new AbortController();
    const model = new MockLanguageModelV3({
      doGenerate: () => new Promise<never>(() => controller.abort(new Error('enough'))),
    });
    await expect(modelAgent(model).act(corridorContext(0, { signal: controller.signal }))).rejects.toThrow('enough');
  });

  it('tells the model the error, and counts every attempt', async () => {
    const { agent, model } = scripted(['I go right', '{"action": "up"}', '{"action": "right"}'], {
      repairTurns: 2,
      prices: { inputPerMillion: 3, outputPerMillion: 15 },
    });
    const turn = await agent.act(corridorContext(1));
    expect(turn).toMatchObject({
      action: 1,
      text: '{"action": "right"}',
      usage: { requests: 3, inputTokens: 30, outputTokens: 15 },
    });
    expect(turn.usage!.cost).toBeCloseTo((30 * 3 + 15 * 15) / 1e6, 12);
    const said = model.doGenerateCalls[2]!.prompt.slice(2).map(({ role, content }) => [
      role,
      (content as { text: string }[])[0]!.text,
    ]);
    expect(said).toMatchObject([
      ['assistant', 'I go right'],
      ['user', expect.stringContaining('has no "action" entry')],
      ['assistant', '{"action": "up"}'],
      ['user', expect.stringContaining('"up" is not one of the actions')],
    ]);
  });

  it('returns the last answer when repairs fail', async () => {
    const { agent } = scripted(['', 'still nothing'], { repairTurns: 1 });
    const turn = await agent.act(corridorContext(1));
    expect(turn).toMatchObject({ text: 'still nothing', parsed: { legal: false } });
    expect(turn).not.toHaveProperty('action');
  });

  it('stops when the budget is exhausted', async () => {
    const { agent } = scripted(Array(9).fill('{"action": "right"}'), { budget: { tokens: 30 } });
    const turns = [
      await agent.act(corridorContext(1)),
      await agent.act(corridorContext(2)),
      await agent.act(corridorContext(3)),
    ];
    expect(turns.map(({ error }) => error?.code)).toEqual([undefined, undefined, 'BUDGET_EXCEEDED']);
    expect(turns[2]!.error!.message).toMatch(/^Token budget exhausted: 30 of 30 spent\.\n/);
    expect(agent.spent).toEqual({ requests: 2, inputTokens: 20, outputTokens: 10, cost: 0 });
  });

  it.each([
    ['a wrong key', apiError(401), 'MODEL_UNAUTHORIZED'],
    ['a key that may not', apiError(403), 'MODEL_UNAUTHORIZED'],
    ['an unknown model', apiError(404), 'MODEL_NOT_FOUND'],
    ['no key', Object.assign(new Error('key is missing'), { name: 'AI_LoadAPIKeyError' }), 'MODEL_UNAUTHORIZED'],
    ['no server', refused(), 'MODEL_UNREACHABLE'],
    ['a server that never answers', Object.assign(new Error('reset'), { isRetryable: true }), 'MODEL_UNREACHABLE'],
  ])('rejects for %s before the first answer; later it is data', async (_name, error, code) => {
    const { agent, pauses } = scripted([error, '{"action": "left"}', error], { retries: 0 });
    await expect(agent.act(corridorContext(3))).rejects.toMatchObject({ code, hint: expect.stringMatching(/check/) });
    expect(pauses).toEqual([]);
    expect(await agent.act(corridorContext(3))).toMatchObject({ action: 0 });
    expect(await agent.act(corridorContext(3))).toMatchObject({ error: { boundary: 'model', code } });
  });

  it.each([['gpt-5'], [undefined], [{ specificationVersion: 'v1', modelId: 'old', doGenerate() {} }]])(
    'refuses %j as a model',
    (value) => {
      expect(() => modelAgent(value as never)).toThrow(expect.objectContaining({ code: 'INVALID_MODEL' }));
    },
  );

  it('refuses a negative number of retries', () => {
    expect(() => modelAgent(new MockLanguageModelV3(), { retries: -1 })).toThrow(/Invalid retries: -1/);
  });
});
