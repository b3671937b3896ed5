/** The same claims with both majors of the AI SDK that the peer range allows: strings of the gateway, tools, pictures. */
import type { AnyEnv } from '@vlgym/core';
import { WebShopEnv } from '@vlgym/webshop';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { corridorContext } from '../../test-support/context.js';
import { CorridorEnv } from '../../test-support/corridor-env.js';
import { type GatewayStub, gatewayStub } from '../../test-support/gateway-stub.js';
import { manualClock } from '../../test-support/manual-clock.js';
import { type Entry, scriptedAnswers } from '../../test-support/tool-model.js';
import { evaluate, modelAgent, toolAgent } from '../index.js';
import { actionTools } from './index.js';
import { streamOf } from './meter.js';

const KEY = 'vck_of-no-known-shape';
const RIGHT = '{"thoughts": "on", "action": "right"}';
const env = () => new CorridorEnv({ length: 3 });
const call = (action: string) => [{ tool: 'act', input: { action } }];

const note = { inputSchema: z.object({ text: z.string() }), execute: async ({ text }: Note) => `kept ${text}` };

it('tools of both versions have the type of the option', async () => {
  const [six, seven] = [await import('ai'), await import('ai7')];
  const note = { inputSchema: z.object({ text: z.string() }), execute: async ({ text }: Note) => text };
  const model = { specificationVersion: 'v3', provider: 'p', modelId: 'm', doGenerate: () => {} };
  // the compiler checks these lines
  modelAgent(model, { tools: { note: six.tool({ ...note, description: 'Keeps a note.' }) } });
  modelAgent(model, { tools: { note: seven.tool({ ...note, description: 'Keeps a note.' }) } });
  modelAgent(model, { tools: () => ({ note: seven.tool({ ...note, description: () => 'Keeps a note.' }) }) });
});

interface Note {
  readonly text: string;
}

/** A mock model of each major, and an agent of the SDK that has it. */
const versions = [
  {
    major: '6',
    specification: '3',
    open: async (script: readonly Entry[], repeat = false) => {
      const { MockLanguageModelV3 } = await import('ai/test');
      const { ToolLoopAgent } = await import('ai');
      const model = new MockLanguageModelV3({ doGenerate: scriptedAnswers(script, repeat) });
      return { model, shopper: (env: AnyEnv) => new ToolLoopAgent({ model, tools: { ...actionTools(env), note } }) };
    },
  },
  {
    major: '7',
    specification: '4',
    open: async (script: readonly Entry[], repeat = false) => {
      const { MockLanguageModelV4 } = await import('ai7/test');
      const { ToolLoopAgent } = await import('ai7');
      const model = new MockLanguageModelV4({ doGenerate: scriptedAnswers(script, repeat) });
      return { model, shopper: (env: AnyEnv) => new ToolLoopAgent({ model, tools: { ...actionTools(env), note } }) };
    },
  },
];

describe.each(versions)('AI SDK $major', ({ major, specification, open }) => {
  beforeAll(() => {
    if (major === '7') vi.doMock('ai', () => import('ai7'));
  });
  afterAll(() => vi.doUnmock('ai'));

  let stub: GatewayStub | undefined;
  async function serve(status?: (request: number) => number): Promise<GatewayStub> {
    stub = await gatewayStub(RIGHT, status);
    vi.stubGlobal('fetch', stub.fetch);
    vi.stubEnv('AI_GATEWAY_API_KEY', KEY);
    return stub;
  }
  afterEach(async () => {
    vi.unstubAllGlobals();
    vi.unstubAllEnvs();
    await stub?.close();
  });

  it("a string names a model of the SDK's gateway: address, key, id, picture, tokens", async () => {
    const { requests } = await serve();
    const agent = modelAgent('maker/model-1', { prices: { inputPerMillion: 1e6, outputPerMillion: 0 } });
    const { successRate, usage, firstFailure } = await evaluate({ env, agent, episodes: 2 });
    expect(firstFailure).toBeUndefined();
    expect(successRate).toBe(1);
    expect(usage).toMatchObject({ requests: requests.length, inputTokens: 40 * requests.length });
    const [{ path, headers, body }] = requests as [GatewayStub['requests'][number]];
    expect(path).toMatch(/^\/v\d\/ai\/language-model$/);
    expect(headers).toMatchObject({
      authorization: `Bearer ${KEY}`,
      'ai-language-model-id': 'maker/model-1',
      'ai-language-model-specification-version': specification,
      'ai-language-model-streaming': 'false',
    });
    expect(JSON.stringify(body.prompt)).toMatch(/"image\/png","data":.*iVBORw0KGgo/); // PNG in base64
  });

  it('a wrong key ends the evaluation at its first request, and is not repeated in the error', async () => {
    const { requests } = await serve(() => 401);
    const failure = await evaluate({ env, agent: modelAgent('maker/model-1'), episodes: 5, parallel: 1 }).catch(
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({ code: 'MODEL_UNAUTHORIZED', hint: expect.stringContaining('API key') });
    expect(String(failure)).not.toContain(KEY);
    expect(requests).toHaveLength(1);
  });

  it('a rate limit of the gateway is waited for', async () => {
    const { requests } = await serve((request) => (request === 1 ? 429 : 200));
    const agent = modelAgent('maker/model-1', { clock: manualClock() });
    expect(await agent.act(corridorContext(1))).toMatchObject({ action: 1 });
    expect(requests).toHaveLength(2);
  });

  it('a repair turn: results of tools stay in the prompt, and refused calls in the record', async () => {
    const { model } = await open([[{ tool: 'note', input: { text: 'x1' } }], call('up'), call('right')]);
    const agent = modelAgent(model, { actions: 'tools', tools: { note }, repairTurns: 1, clock: manualClock() });
    expect(await agent.act(corridorContext(1))).toMatchObject({
      action: 1,
      usage: { requests: 3 },
      toolCalls: [
        { name: 'note', output: 'kept x1' },
        { name: 'act', input: { action: 'up' }, error: expect.stringContaining('not one of the actions') },
        { name: 'act', input: { action: 'right' } },
      ],
    });
    expect(JSON.stringify(model.doGenerateCalls[2]!.prompt)).toContain('kept x1');
  });

  it('memory: the conversation of the episode is sent again, by both kinds of agents', async () => {
    for (const kind of ['modelAgent', 'toolAgent']) {
      const { model, shopper } = await open([[{ tool: 'note', input: { text: 'x1' } }], call('right')], true);
      const agent =
        kind === 'modelAgent'
          ? modelAgent(model, { actions: 'tools', tools: { note }, memory: 'episode' })
          : toolAgent((episode) => shopper(episode.env), { memory: 'episode' });
      const long = () => new CorridorEnv({ length: 60, limit: 90 });
      const { firstFailure } = await evaluate({ env: long, agent, seeds: [0], maxSteps: 2 });
      expect(firstFailure).toBeUndefined();
      const prompts = model.doGenerateCalls.map(({ prompt }) => JSON.stringify(prompt));
      // the second turn: what was asked, the note and its result, the action, and the new prompt
      expect([kind, prompts.length, prompts[2]!.split('kept x1').length]).toEqual([kind, 4, 2]);
      expect(prompts[2]!.split('You are at').length).toBe(3);
    }
  });

  it('answers are streamed where somebody listens', async () => {
    const { model } = await open([]);
    const answer = scriptedAnswers([RIGHT], true);
    Object.assign(model, { doStream: async () => ({ stream: streamOf(await answer()) }) });
    const parts: string[] = [];
    const agent = modelAgent(model, { onPart: ({ type, text }) => parts.push(`${type} ${text}`) });
    expect(await agent.act(corridorContext(1))).toMatchObject({ action: 1, text: RIGHT });
    expect(parts).toEqual(['start ', `text ${RIGHT}`]);
  });

  it('a ToolLoopAgent shops with the tools of the shop and a note of its own', async () => {
    const shop = () => new WebShopEnv({ catalog: { products: 100 }, dialogue: 'tools-v1' });
    const { shopper } = await open(
      [
        [{ tool: 'note', input: { text: 'compare prices' } }],
        [{ tool: 'search_action', input: { keywords: 'shoe' } }],
        [{ tool: 'click_action', input: { value: 'back to search' } }],
      ],
      true,
    );
    const agent = toolAgent((episode) => shopper(episode.env));
    const { legalRate, fallbackRate, usage } = await evaluate({ env: shop, agent, seeds: [1], maxSteps: 4 });
    expect({ legalRate, fallbackRate, requests: usage.requests }).toEqual({
      legalRate: 1,
      fallbackRate: 0,
      requests: 6,
    });
  });
});
