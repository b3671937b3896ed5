import { checkEnv, make, messageText, splitOf } from '@vlgym/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import '../register.js';
import { SignsEnv, SignsV2Env } from './signs.js';

const size = { height: 84, width: 112 };
const play = (env: SignsEnv, actions: readonly number[]) =>
  actions.map((action) => {
    const { reward, terminated, info } = env.step(action);
    return { reward, terminated, signs: info.Signs };
  });

describe('Signs', () => {
  it.each([2, 3, 4])('meets the contract of every environment with %i cards', async (cards) => {
    await checkEnv(new SignsEnv({ cards, size }));
  });

  it('pays 10 for signs that make the target and -1 for others, and ends after the last sign', () => {
    const env = new SignsEnv({ size });
    const { info } = env.reset({ seed: 3 });
    const [high, low] = info.Numbers as [number, number];
    const values = [high + low, high - low, high * low];
    for (const [action, value] of values.entries()) {
      env.reset({ seed: 3 });
      expect(play(env, [action])).toEqual([
        { reward: value === info.Target ? 10 : -1, terminated: true, signs: ['+-*'[action]] },
      ]);
    }
  });

  it('multiplies before it adds', () => {
    const env = new SignsEnv({ cards: 3, size });
    for (let seed = 0; seed < 400; seed++) {
      const { info } = env.reset({ seed });
      const [a, b, c] = info.Numbers as [number, number, number];
      if (a + b * c !== info.Target) continue;
      expect(play(env, [0, 2]).at(-1)?.reward).toBe(10);
      return;
    }
    throw new Error('no such hand');
  });

  it('has an expert that solves every hand', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 2, max: 4 }), (seed, cards) => {
        const env = new SignsEnv({ cards, size });
        env.reset({ seed });
        let last = 0;
        for (let step = 1; step < cards; step++) last = env.step(env.oracle()!).reward;
        expect(last).toBe(10);
      }),
      { numRuns: 60 },
    );
  });

  it('assigns every hand to one split, with all its targets', () => {
    const keys = (split: 'train' | 'test') => {
      const env = new SignsEnv({ split, size });
      return new Set(Array.from({ length: 120 }, (_, seed) => String(env.reset({ seed }).info.taskKey)));
    };
    const [train, test] = [keys('train'), keys('test')];
    expect([...train].filter((key) => test.has(key))).toEqual([]);
    expect([...test].every((key) => splitOf(key) === 'test')).toBe(true);
    expect(new SignsEnv({ size }).reset({ seed: 1 }).info.taskKey).toMatch(/^signs:\d+,\d+$/);
  });

  it('states in the compact style only what is visible, not which sign is right', () => {
    const env = new SignsEnv({ dialogue: 'compact-v1', size });
    const { observation, info } = env.reset({ seed: 5 });
    const context = { observation, info, history: [] };
    const answers = [0, 1, 2].map((action) => env.dialogue.demonstrate?.(context, action));
    expect(new Set(answers.map((answer) => answer?.replace(/"action": ".*"/, ''))).size).toBe(1);
    expect(answers[2]).toBe(`{"cards": [${info.Numbers.join(', ')}], "action": "*"}`);
    expect(messageText(env.dialogue.prompt(context)[0]!)).toContain(`Make ${info.Target}.`);
  });

  it('continues from a snapshot as if nothing had happened', () => {
    const env = new SignsEnv({ cards: 4, size });
    env.reset({ seed: 9 });
    env.step(0);
    const saved = env.snapshot();
    const first = play(env, [1, 2]);
    env.restore(saved);
    expect(play(env, [1, 2])).toEqual(first);
  });
});

describe('Signs with the target in the picture', () => {
  it.each([
    [2, { height: 300, width: 300 }],
    [2, size],
    [4, { height: 300, width: 300 }],
    [3, size],
  ])('shows targets only there: %i cards, %j', async (cards, size) => {
    await checkEnv(new SignsV2Env({ cards, size }));
    const [open, hidden] = [new SignsEnv({ cards, size }), new SignsV2Env({ cards, size })];
    const pictures = new Map<string, number>();
    for (let seed = 0; seed < 12; seed += 1) {
      const { observation, info } = hidden.reset({ seed });
      expect(open.reset({ seed }).info).toEqual(info);
      pictures.set(Buffer.from(observation.data).toString('base64'), info.Target);
      const text = (env: SignsEnv) =>
        messageText(env.dialogue.prompt({ observation, info: { ...info, Target: 987654 }, history: [] }).at(-1)!);
      expect(text(open)).toContain('987654');
      expect(text(hidden)).not.toContain('987654');
      expect(text(hidden)).toContain('target');
    }
    expect(pictures.size).toBe(12);
  });

  it('draws another picture for another target of the same hand, and for each sign placed', () => {
    const env = new SignsV2Env({ size, cards: 3 });
    env.reset({ seed: 1 });
    const start = env.snapshot() as unknown as { kind: string; state: { row: { target: number } } };
    const drawn = [start.state.row.target, start.state.row.target + 1].map((target) => {
      const snapshot = structuredClone(start);
      snapshot.state.row.target = target;
      env.restore(snapshot);
      return Buffer.from(env.step(0).observation.data).toString('base64');
    });
    expect(drawn[0]).not.toBe(drawn[1]);
  });

  it('is registered as a second version', async () => {
    const env = await make('vlgym/Signs-v2');
    expect(env.unwrapped).toBeInstanceOf(SignsV2Env);
    await env.close();
  });
});
