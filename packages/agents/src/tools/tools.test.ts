import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AnyEnv, type Dialogue, parseResponse, spaces } from '@vlgym/core';
import { replay } from '@vlgym/core/trajectory';
import { WebShopEnv } from '@vlgym/webshop';
import { generateText, ToolLoopAgent, tool } from 'ai';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { corridorContext } from '../../test-support/context.js';
import { CorridorEnv } from '../../test-support/corridor-env.js';
import { manualClock } from '../../test-support/manual-clock.js';
import { recorded } from '../../test-support/recorded.js';
import { type Entry, toolModel } from '../../test-support/tool-model.js';
import { type AnyAgent, evaluate, type ModelAgentOptions, modelAgent, speakingAgent, toolAgent } from '../index.js';
import { actionTools } from '../model/index.js';

const call = (action: string, thoughts?: string) => [
  { tool: 'act', input: { action, ...(thoughts === undefined ? {} : { thoughts }) } },
];
const search = tool({
  description: 'Look something up.',
  inputSchema: z.object({ query: z.string() }),
  execute: async ({ query }) => `nothing about ${query}`,
});
const agentOf = (script: Entry[], options: ModelAgentOptions = {}) => {
  const model = toolModel(script);
  return { model, agent: modelAgent(model, { actions: 'tools', clock: manualClock(), ...options }) };
};

describe('actionTools', () => {
  it('make a tool of an action space that generateText takes', async () => {
    const model = toolModel([call('right')]);
    const { toolCalls } = await generateText({ model, prompt: 'Go.', tools: actionTools(new CorridorEnv()) });
    expect(toolCalls).toMatchObject([{ toolName: 'act', input: { action: 'right' } }]);
    expect(model.doGenerateCalls[0]!.tools).toMatchObject([
      {
        name: 'act',
        inputSchema: {
          properties: { action: { type: 'string', enum: ['left', 'right'] }, thoughts: { type: 'string' } },
          required: ['action'],
        },
      },
    ]);
  });

  it('are those of a dialogue that has tools', () => {
    const env = new WebShopEnv({ catalog: { products: 100 }, dialogue: 'tools-v1' });
    expect(Object.keys(actionTools(env))).toEqual(['search_action', 'click_action']);
    expect(Object.keys(actionTools(new WebShopEnv({ catalog: { products: 100 } })))).toEqual(['act']);
  });
});

describe('modelAgent with tools', () => {
  it('reads a call as the action: thought, legality, usage, finish reason, sampling, latency', async () => {
    const { agent } = agentOf([[{ reasoning: 'It is there.' }, ...call('right', 'go right')]], {
      settings: { temperature: 0.5 },
    });
    expect(await agent.act(corridorContext(1))).toMatchObject({
      action: 1,
      text: '{"thoughts":"go right","action":"right"}',
      parsed: { thought: 'go right', legal: true, formatValid: true },
      toolCalls: [{ id: 'call-1-1', name: 'act', input: { action: 'right' } }],
      reasoning: 'It is there.',
      finishReason: 'tool-calls',
      sampling: { temperature: 0.5 },
      latencyMs: 0,
      usage: { requests: 1, inputTokens: 10, outputTokens: 5, cachedInputTokens: 6, reasoningTokens: 2 },
    });
  });

  it('runs its own tools before the action, as many as it calls', async () => {
    const { agent, model } = agentOf([[{ tool: 'search', input: { query: 'door' } }], call('right')], {
      tools: { search },
    });
    const turn = await agent.act(corridorContext(1));
    expect(turn).toMatchObject({
      action: 1,
      toolCalls: [{ name: 'search', output: 'nothing about door' }, { name: 'act' }],
      usage: { requests: 2, inputTokens: 20 },
    });
    expect(JSON.stringify(model.doGenerateCalls[1]!.prompt)).toContain('nothing about door');
  });

  it('takes the first of two actions, and says so', async () => {
    const { agent } = agentOf([[...call('right'), ...call('left')]]);
    const { action, toolCalls } = await agent.act(corridorContext(1));
    expect(action).toBe(1);
    expect(toolCalls).toMatchObject([{ name: 'act' }, { error: expect.stringContaining('one action') }]);
  });

  it.each([
    ['in a code fence', [{ tool: 'act', input: '```json\n{"action": "right",}\n```' }]],
    ['under a name in another case', [{ tool: 'Act', input: { action: 'right' } }]],
    ['encoded twice', [{ tool: 'act', input: JSON.stringify('{"action": "right"}') }]],
  ])('repairs a call %s without another request', async (_, entry) => {
    const { agent } = agentOf([entry]);
    expect(await agent.act(corridorContext(1))).toMatchObject({ action: 1, usage: { requests: 1 } });
  });

  it.each([
    ['that is not JSON', [{ tool: 'act', input: '{"action": ' }]],
    ['of an unknown tool', [{ tool: 'fly', input: {} }]],
    ['without its argument', [{ tool: 'act', input: {} }]],
  ])('tells the model about a call %s, as often as `repairTurns` allows', async (_, entry) => {
    const { agent } = agentOf([entry, call('right')], { repairTurns: 1 });
    expect(await agent.act(corridorContext(1))).toMatchObject({
      action: 1,
      toolCalls: [{ error: expect.any(String) }, { name: 'act' }],
      usage: { requests: 2 },
    });
    const turn = await agentOf([entry]).agent.act(corridorContext(1));
    expect(turn).toMatchObject({ toolCalls: [{ error: expect.any(String) }], usage: { requests: 1 } });
    expect(turn).not.toHaveProperty('action');
  });

  it('answers an impossible action with the hint as the result of its call', async () => {
    const { agent, model } = agentOf([call('up'), call('right')], { repairTurns: 1 });
    expect(await agent.act(corridorContext(1))).toMatchObject({ action: 1, usage: { requests: 2 } });
    expect(model.doGenerateCalls[1]!.prompt.at(-1)).toMatchObject({
      role: 'tool',
      content: [{ output: { value: expect.stringContaining('"up" is not one of the actions') } }],
    });
  });

  it('reads text where the model writes its answer instead', async () => {
    const { agent } = agentOf(['{"thoughts": "hm", "action": "left"}']);
    expect(await agent.act(corridorContext(3))).toMatchObject({ action: 0, parsed: { thought: 'hm' } });
  });
});

describe('toolAgent', () => {
  it('plays a ToolLoopAgent as it is, each episode with notes of its own', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'vlgym-tool-agent-'));
    try {
      const model = toolModel([[{ tool: 'note', input: { text: 'right again' } }], call('right')], true);
      const notes: string[][] = [];
      const agent = toolAgent(({ env }) => {
        const own: string[] = [];
        notes.push(own);
        const note = tool({
          inputSchema: z.object({ text: z.string() }),
          execute: async ({ text }) => own.push(text),
        });
        return new ToolLoopAgent({ model, instructions: 'Walk.', tools: { ...actionTools(env), note } });
      });
      const env = () => new CorridorEnv();
      const { successRate, episodes, usage } = await evaluate({ env, agent, episodes: 4, record: folder });
      expect(successRate).toBe(1);
      expect(notes.map(({ length }) => length)).toEqual(episodes.map(({ length }) => length));
      expect(usage.requests).toBe(2 * episodes.reduce((sum, { length }) => sum + length, 0));
      const [trajectory] = await recorded(folder);
      expect(trajectory!.steps[0]).toMatchObject({
        response: '{"thoughts":"","action":"right"}',
        toolCalls: [{ name: 'note', input: { text: 'right again' }, output: 1 }, { name: 'act' }],
        finishReason: 'tool-calls',
      });
      expect(await replay(trajectory!, { env: new CorridorEnv() })).toMatchObject({ ok: true });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('shops by calling tools', async () => {
    const env = () => new WebShopEnv({ catalog: { products: 100 }, dialogue: 'tools-v1' });
    const script = [
      [{ tool: 'search_action', input: { keywords: 'shoe' } }],
      [{ tool: 'click_action', input: { value: 'back to search' } }],
    ];
    const agent = toolAgent(
      (episode) => new ToolLoopAgent({ model: toolModel(script, true), tools: actionTools(episode.env) }),
    );
    const { legalRate, formatRate, fallbackRate } = await evaluate({ env, agent, seeds: [1], maxSteps: 4 });
    expect({ legalRate, formatRate, fallbackRate }).toEqual({ legalRate: 1, formatRate: 1, fallbackRate: 0 });
  });

  it('turns a failing model into data', async () => {
    const error = Object.assign(new Error('no'), { statusCode: 400, isRetryable: false });
    const agent = toolAgent(new ToolLoopAgent({ model: toolModel([error]), maxRetries: 0 }));
    expect(await agent.act(corridorContext(1))).toMatchObject({
      error: { boundary: 'model', code: 'MODEL_HTTP_ERROR' },
    });
  });
});

describe('a wrong action', () => {
  const shop = () => new WebShopEnv({ catalog: { products: 100 }, dialogue: 'tags-v1' });
  const rate = async (env: () => AnyEnv, agent: AnyAgent) =>
    (await evaluate({ env, agent, seeds: [1], maxSteps: 1 })).legalRate;
  const called = (action: string) => agentOf([call(action)]).agent;

  it.each([
    ['a click, by tags', 'click[no such product]', 'click[no such product]', 0],
    ['a search, by tags', 'search[red shoes]', 'search[red shoes]', 1],
  ])('is as legal by a tool call as in words: %s', async (_, tool, written, legal) => {
    expect(await rate(shop, called(tool))).toBe(legal);
    expect(
      await rate(
        shop,
        speakingAgent(() => `<think>?</think><action>${written}</action>`),
      ),
    ).toBe(legal);
  });

  const choosing = (dialogue: Partial<Dialogue>) => () =>
    Object.assign(new CorridorEnv(), {
      actionSpace: spaces.text({ maxLength: 20 }),
      dialogue: { version: 'test/words-v1', prompt: () => [{ role: 'user', content: 'Go.' }], ...dialogue },
    }) as AnyEnv;
  const parse = (text: string) => parseResponse(text, { format: 'tags', actions: ['go'] }) as never;

  it('is judged by the actions that a dialogue lists', async () => {
    const listed = choosing({ parse, choices: () => ['go'] });
    expect(await rate(listed, called('fly'))).toBe(0);
  });

  it('is judged by the verdict of a dialogue that has read its call', async () => {
    const strict = choosing({ parse: (text) => parseResponse(text, { actions: ['go'] }) as never });
    expect(await rate(strict, called('fly'))).toBe(0);
    expect(
      await rate(
        strict,
        speakingAgent(() => '{"action": "fly"}'),
      ),
    ).toBe(0);
  });

  it('is the word of a tool where the dialogue has other words for the same actions', async () => {
    const words = { actions: ['back', 'on'], isAvailable: (index: number) => index === 1 };
    const env = () =>
      Object.assign(new CorridorEnv(), {
        dialogue: {
          version: 'test/words-v2',
          prompt: () => [{ role: 'user', content: 'Go.' }],
          parse: (text: string) => parseResponse(text, words),
          demonstrate: (_: unknown, action: number) => JSON.stringify({ action: words.actions[action] }),
        },
      }) as AnyEnv;
    expect(await rate(env, called('right'))).toBe(1);
    expect(await rate(env, called('left'))).toBe(0);
  });
});
