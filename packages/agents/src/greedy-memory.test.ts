import type { AnswerConstraint, ChatMessage } from '@vlgym/core';
import { Generator } from '@vlgym/core';
import { describe, expect, it } from 'vitest';
import { echoModel } from '../test-support/echo-model.js';
import { rememberGreedy } from './greedy-memory.js';
import type { TokenModel } from './token-model.js';

const GREEDY = { temperature: 0, rng: new Generator(0) };

const words = (text: string): ChatMessage[] => [{ role: 'user', content: text }];

/** A picture of one pixel. */
const picture = (red: number): ChatMessage[] => [
  {
    role: 'user',
    content: [{ type: 'image', image: { width: 1, height: 1, channels: 3, data: Uint8Array.of(red, 0, 0) } }],
  },
];

/** The echo model, with weights that change. */
function learning() {
  const echo = echoModel();
  const state = { version: 0 };
  const model: TokenModel = Object.defineProperty({ ...echo }, 'version', { get: () => state.version });
  return { echo, model, state };
}

describe('rememberGreedy', () => {
  it('computes equal prompts once, in one batch and over calls', async () => {
    const { echo, model } = learning();
    const memory = rememberGreedy(model);
    const first = await memory.generate([words('a'), words('b'), words('a')], GREEDY);
    const second = await memory.generate([words('b'), words('c')], GREEDY);
    expect(echo.prompts).toEqual([words('a'), words('b'), words('c')]);
    expect(first[2]).toEqual(first[0]);
    expect(second[0]).toEqual(first[1]);
    expect(memory).toMatchObject({ asked: 5, computed: 3 });
  });

  it('does not ask the model when it knows every answer', async () => {
    const { echo, model } = learning();
    const memory = rememberGreedy(model);
    await memory.generate([words('a')], GREEDY);
    await memory.generate([words('a')], GREEDY);
    expect(echo.batches).toEqual([1]);
  });

  it.each([
    ['a pixel', [picture(0), picture(1)]],
    ['a picture instead of words', [picture(0), words('0')]],
    ['a message', [words('a'), [...words('a'), ...words('a')]]],
    ['the role of a message', [words('a'), [{ role: 'system', content: 'a' } as const]]],
  ])('knows prompts apart by %s', async (_name, prompts) => {
    const memory = rememberGreedy(echoModel());
    await memory.generate(prompts, GREEDY);
    expect(memory.computed).toBe(2);
  });

  it('knows other limits of an answer apart', async () => {
    const memory = rememberGreedy(echoModel());
    await memory.generate([words('a')], { ...GREEDY, maxNewTokens: 4 });
    await memory.generate([words('a')], { ...GREEDY, maxNewTokens: 8 });
    expect(memory.computed).toBe(2);
  });

  it('forgets once the weights have changed, also for an answer that is under way', async () => {
    const { echo, model, state } = learning();
    const memory = rememberGreedy(model);
    const old = memory.generate([words('a')], GREEDY);
    state.version = 1;
    await memory.generate([words('a')], GREEDY);
    await old;
    await memory.generate([words('a')], GREEDY);
    expect(echo.batches).toEqual([1, 1]);
  });

  it.each([
    ['sampled', { temperature: 1 }],
    ['sampled by default', { temperature: undefined }],
    ['constrained', { temperature: 0, constraints: [{}, {}] as unknown as AnswerConstraint[] }],
  ])('computes every answer that is %s', async (_name, sampling) => {
    const echo = echoModel();
    const memory = rememberGreedy(echo);
    await memory.generate([words('a'), words('a')], { ...sampling, rng: new Generator(0) });
    expect(echo.batches).toEqual([2]);
    expect(memory).toMatchObject({ asked: 0, computed: 0 });
  });

  it('remembers nothing of a batch that has failed', async () => {
    const echo = echoModel();
    let fails = true;
    const memory = rememberGreedy({
      ...echo,
      generate: (prompts, options) => (fails ? Promise.reject(new Error('out')) : echo.generate(prompts, options)),
    });
    await expect(memory.generate([words('a')], GREEDY)).rejects.toThrow('out');
    fails = false;
    await expect(memory.generate([words('a')], GREEDY)).resolves.toHaveLength(1);
  });
});
