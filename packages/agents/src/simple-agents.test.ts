import { Generator, spaces } from '@vlgym/core';
import { describe, expect, it } from 'vitest';
import { corridorContext } from '../test-support/context.js';
import { CorridorEnv } from '../test-support/corridor-env.js';
import { echoModel } from '../test-support/echo-model.js';
import {
  actionText,
  blindAgent,
  oracleAgent,
  policyAgent,
  randomAgent,
  readAction,
  scriptedAgent,
  speakingAgent,
} from './index.js';
import { rowGenerators } from './model/index.js';

/** A corridor at its left wall, where only "right" is allowed. */
function atTheWall() {
  const context = corridorContext(0);
  while (context.info.position > 0) Object.assign(context, context.env.step(0));
  return context;
}

describe('randomAgent', () => {
  it('takes allowed actions only', async () => {
    const context = atTheWall();
    for (let turn = 0; turn < 20; turn += 1) expect(await randomAgent().act(context)).toMatchObject({ action: 1 });
  });

  it('draws only from the generator of the episode', async () => {
    const play = async (seed: number) => {
      const context = corridorContext(2, { rng: new Generator(seed) });
      context.env.actionSpace.seed(99 + seed);
      const turns = [];
      for (let turn = 0; turn < 30; turn += 1) turns.push((await randomAgent().act(context)).action);
      return turns;
    };
    expect(await play(1)).toEqual(await play(1));
    expect(await play(1)).not.toEqual(await play(2));
  });

  it('says nothing: no text, no thought that it never had', async () => {
    for (const agent of [randomAgent(), scriptedAgent([1])]) {
      const turn = await agent.act(corridorContext(1));
      expect(turn).toMatchObject({ text: '' });
      expect(turn).not.toHaveProperty('parsed');
    }
  });

  it('draws from the choices of a dialogue that lists them', async () => {
    const context = corridorContext(1);
    const env = Object.assign(new CorridorEnv(), { dialogue: { ...context.env.dialogue!, choices: () => [1] } });
    for (let turn = 0; turn < 20; turn += 1) {
      expect(await randomAgent<never, number>().act({ ...context, env } as never)).toMatchObject({ action: 1 });
    }
  });
});

describe('oracleAgent', () => {
  it('plays the expert', async () => {
    expect(await oracleAgent().act(corridorContext())).toMatchObject({ action: 1 });
  });

  it("gives the environment's own demonstration, with its thought", async () => {
    const { parsed } = await oracleAgent().act(corridorContext());
    expect(parsed).toMatchObject({ action: 1, thought: 'go right', legal: true, formatValid: true });
  });

  it('plays on at random where the expert has no action', async () => {
    const context = atTheWall();
    Object.assign(context.env, { oracle: () => undefined });
    expect(await oracleAgent().act(context)).toMatchObject({ action: 1 });
  });

  it('refuses an environment without an expert', () => {
    const context = corridorContext();
    Object.assign(context.env, { oracle: undefined });
    expect(() => oracleAgent().act(context)).toThrow(expect.objectContaining({ code: 'NO_ORACLE' }));
  });
});

describe('scripted agents', () => {
  it('play a list by step, then stop', async () => {
    const agent = scriptedAgent([0, 1]);
    const act = (stepIndex: number) => agent.act(corridorContext(0, { stepIndex }));
    expect([await act(0), await act(1), await act(2)]).toMatchObject([
      { action: 0 },
      { action: 1 },
      { text: '', error: { boundary: 'agent', code: 'SCRIPT_OVER' } },
    ]);
  });

  it('play the result of a function of the context', async () => {
    const agent = scriptedAgent(async ({ stepIndex }) => stepIndex % 2);
    expect(await agent.act(corridorContext(0, { stepIndex: 3 }))).toMatchObject({ action: 1 });
  });

  it("give responses that the dialogue parses like a model's", async () => {
    const agent = speakingAgent(['{"action": "left"}', 'hm']);
    expect(await agent.act(corridorContext(3))).toMatchObject({ action: 0, parsed: { legal: true } });
    const silent = await agent.act(corridorContext(3, { stepIndex: 1 }));
    expect(silent).toMatchObject({ text: 'hm', parsed: { reason: 'no-action-marker' } });
    expect(silent).not.toHaveProperty('action');
  });

  it('refuses an environment without a dialogue', async () => {
    const context = corridorContext();
    Object.assign(context.env, { dialogue: undefined });
    await expect(speakingAgent(['left']).act(context)).rejects.toMatchObject({ code: 'NO_DIALOGUE' });
  });
});

describe('blindAgent', () => {
  it('draws each action as often as it was taken, from the generator of the episode', async () => {
    const agent = blindAgent([0, 1, 1, 1]);
    const play = async (seed: number) => {
      const context = corridorContext(2, { rng: new Generator(seed) });
      return Promise.all(Array.from({ length: 1000 }, async () => (await agent.act(context)).action as number));
    };
    const taken = await play(1);
    const ones = taken.filter((action) => action === 1).length;
    expect(ones).toBeGreaterThan(700);
    expect(ones).toBeLessThan(800);
    expect(await play(1)).toEqual(taken);
    expect(await play(2)).not.toEqual(taken);
  });

  it('reads actions as recordings have them, and refuses those of another environment', async () => {
    const context = corridorContext(2);
    const actionSpace = spaces.box({ low: -1, high: 1, shape: [2] });
    Object.assign(context.env, { actionSpace });
    const action = Float32Array.of(0.5, -0.5);
    expect(await blindAgent([actionSpace.encode(action)]).act(context)).toMatchObject({ action });
    await expect(async () => blindAgent([1]).act(context)).rejects.toMatchObject({ code: 'INVALID_OPTION', value: 1 });
  });

  it('is another agent with other actions, and none without', async () => {
    expect(await blindAgent([0]).identity!()).not.toEqual(await blindAgent([1]).identity!());
    expect(() => blindAgent([])).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }));
  });
});

describe('policyAgent', () => {
  it('keeps what a trainer needs: completion, version, value, usage', async () => {
    const turn = await policyAgent(echoModel()).act(corridorContext(1));
    expect(turn).toMatchObject({ policyVersion: 7, value: 0.5, parsed: { formatValid: true } });
    expect(turn.completion!.tokenIds.length).toBe(turn.text.length + 1);
    expect(turn.usage).toMatchObject({ requests: 1, outputTokens: turn.text.length + 1 });
  });

  it('takes the turns of many episodes in one call, each with its own generator', async () => {
    const contexts = () => [1, 2, 3, 4, 5].map((seed) => corridorContext(seed));
    const model = echoModel();
    const together = await policyAgent(model).actBatch(contexts());
    const apart = await Promise.all(contexts().map((context) => policyAgent(echoModel()).act(context)));
    expect(together).toEqual(apart);
    expect(model.batches).toEqual([5]);
  });

  it("uses the caller's prompt if there is one", async () => {
    const model = echoModel();
    const messages = [{ role: 'user', content: 'only this' }] as const;
    await policyAgent(model).act(corridorContext(1, { messages }));
    expect(model.prompts).toEqual([messages]);
  });
});

describe('rowGenerators', () => {
  it('shares one generator among all rows, or gives each its own', () => {
    const [a, b] = [new Generator(1), new Generator(2)];
    expect(rowGenerators(a, 3)).toEqual([a, a, a]);
    expect(rowGenerators([a, b], 2)).toEqual([a, b]);
    expect(() => rowGenerators([a, b], 3)).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }));
  });
});

const moves = spaces.sequence(spaces.discrete(2, { labels: ['left', 'up'] }));
const pair = spaces.box({ low: 0, high: 1, shape: [2], dtype: 'uint8' });

describe('actions as text', () => {
  it.each([
    [spaces.discrete(2, { labels: ['-', '+'] }), '+', 1],
    [spaces.discrete(2, { labels: ['stand', 'hit'] }), ' HIT ', 1],
    [spaces.discrete(2, { labels: ['stand', 'hit'] }), '0', 0],
    [spaces.discrete(3, { start: 5 }), '7', 7],
    [spaces.discrete(3, { start: -1 }), '-1', -1],
    [spaces.text({ maxLength: 20 }), 'go north', 'go north'],
    [pair, '[0, 1]', Uint8Array.of(0, 1)],
    [moves, 'up, Up, left', [1, 1, 0]],
    [moves, 'left up', [0, 1]],
    [moves, '[1]', [1]],
    [moves, '[]', []],
  ])('are parsed from what a person types: %#', (space, typed, action) => {
    expect(readAction<unknown>(space, typed)).toEqual(action);
    expect(readAction<unknown>(space, actionText<never>(space as never, action as never))).toEqual(action);
  });

  it.each([
    [spaces.discrete(2, { labels: ['-', '+'] }), '2'],
    [spaces.discrete(3), '1.5'],
    [spaces.text({ maxLength: 3 }), 'too long'],
    [pair, '[0'],
    [moves, 'left, north'],
  ])('are refused if they are not in the space: %#', (space, typed) => {
    expect(() => readAction<unknown>(space, typed)).toThrow(expect.objectContaining({ code: 'INVALID_ACTION' }));
  });
});
