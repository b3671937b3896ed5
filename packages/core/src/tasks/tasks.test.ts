import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkEnv } from '../checks/check-env.js';
import { ScriptedEnv } from '../testing/scripted-env.js';
import { recordEpisode } from '../trajectory/recorder.js';
import { checkedSplit, drawInSplit, EmptySplitError, splitOf } from './split.js';
import { contentDigest, taskKey, taskKeyOf } from './task-key.js';

const sha256 = (text: string) => createHash('sha256').update(text).digest();

describe('task keys', () => {
  it('have the digest of SHA-256, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
        expect(contentDigest(text)).toBe(sha256(text).toString('hex', 0, 8));
      }),
    );
    for (const length of [0, 54, 55, 56, 63, 64, 65, 119, 120, 5000]) {
      const text = 'x'.repeat(length);
      expect(contentDigest(text)).toBe(sha256(text).toString('hex', 0, 8));
    }
  });

  it('are readable if short, and never longer than 200 characters', () => {
    expect(taskKey('ezpoints', '2,6->12')).toBe('ezpoints:2,6->12');
    const [long, other] = [taskKey('maze', 'a'.repeat(300)), taskKey('maze', `${'a'.repeat(299)}b`)];
    expect(long).toMatch(/^maze:#[0-9a-f]{16}$/);
    expect(other).not.toBe(long);
  });

  it('are read from an info that has a valid one', () => {
    expect(taskKeyOf({ taskKey: 'a:b' })).toBe('a:b');
    for (const info of [undefined, {}, { taskKey: '' }, { taskKey: 7 }, { taskKey: 'x'.repeat(201) }]) {
      expect(taskKeyOf(info)).toBeUndefined();
    }
  });

  it.each([[''], ['x'.repeat(201)], [7], [null]])('are refused by the contract when they are %j', async (key) => {
    const env = () => new ScriptedEnv({ reset: () => ({ info: { taskKey: key } }) });
    await expect(checkEnv(env)).rejects.toThrow(/TASK_KEY_INVALID.*1 to 200 characters/s);
  });

  it('are refused by the contract when equal seeds give different ones', async () => {
    let episodes = 0;
    const env = () => new ScriptedEnv({ reset: () => ({ info: { taskKey: `episode:${episodes++}` } }) });
    await expect(checkEnv(env)).rejects.toThrow(/RESET_NOT_REPEATABLE.*taskKey/s);
  });

  it('are recorded at the start of an episode', async () => {
    const env = new ScriptedEnv();
    const start = async (info: Record<string, unknown>) =>
      (await recordEpisode({ env, first: { observation: 0, info }, seed: 1 })).header;
    expect(await start({ taskKey: 'ezpoints:2,6->12' })).toMatchObject({ taskKey: 'ezpoints:2,6->12' });
    expect((await start({})).taskKey).toBeUndefined();
  });
});

describe('splits', () => {
  it('follow the first 32 bits of the SHA-256 of the key', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 200 }), (key) => {
        expect(splitOf(key)).toBe(sha256(key).readUInt32BE(0) / 2 ** 32 < 0.2 ? 'test' : 'train');
      }),
    );
  });

  // pinned: another hash would move tasks of published results from one side to the other
  it('never move a task to the other side', () => {
    const sides = ['ezpoints:4,8->12', 'ezpoints:2,6->12', 'points24:1,1,1,1->24'].map((key) => splitOf(key));
    expect(sides).toEqual(['test', 'train', 'train']);
  });

  it('give a fifth of many keys to the test side', () => {
    const keys = Array.from({ length: 10_000 }, (_, index) => `numbers:${index}`);
    const share = keys.filter((key) => splitOf(key) === 'test').length / keys.length;
    expect(Math.abs(share - 0.2)).toBeLessThan(4 * Math.sqrt((0.2 * 0.8) / keys.length));
  });

  it('are drawn by redrawing until the task belongs, and not at all without a split', () => {
    const drawer = () => {
      let next = 0;
      return () => next++;
    };
    const keyOf = (task: number) => `numbers:${task}`;
    expect(drawInSplit(undefined, drawer(), keyOf)).toBe(0);
    for (const split of ['train', 'test'] as const) {
      const task = drawInSplit(split, drawer(), keyOf);
      expect(splitOf(keyOf(task))).toBe(split);
      for (let before = 0; before < task; before += 1) expect(splitOf(keyOf(before))).not.toBe(split);
    }
  });

  it('are refused with a hint if they are empty', () => {
    const draw = () => drawInSplit('test', () => 'ezpoints:2,6->12', String, 100);
    expect(draw).toThrow(EmptySplitError);
    expect(draw).toThrow(expect.objectContaining({ code: 'EMPTY_SPLIT', hint: expect.stringContaining('`split`') }));
  });

  it('are only `train` or `test`', () => {
    expect([undefined, 'train', 'test'].map(checkedSplit)).toEqual([undefined, 'train', 'test']);
    for (const value of ['valid', '', null, 0]) expect(() => checkedSplit(value)).toThrow(/Invalid split/);
  });
});
