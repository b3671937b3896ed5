import { describe, expect, it } from 'vitest';
import { SerialQueue } from './serial-queue.js';
import { settleAll } from './settle-all.js';

const later = async (ticks: number) => {
  for (let tick = 0; tick < ticks; tick += 1) await null;
};

describe('SerialQueue', () => {
  it('runs one piece at a time in the order of the calls, also after a failure', async () => {
    const queue = new SerialQueue();
    const log: string[] = [];
    const work = (name: string, ticks: number, fails = false) =>
      queue.run(async () => {
        log.push(`${name} starts`);
        await later(ticks);
        log.push(`${name} ends`);
        if (fails) throw new Error(name);
        return name;
      });
    const results = await Promise.allSettled([work('slow', 9), work('broken', 3, true), work('quick', 0)]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(log).toEqual(['slow', 'broken', 'quick'].flatMap((name) => [`${name} starts`, `${name} ends`]));
  });

  it('is idle after all work so far, failed or not', async () => {
    const queue = new SerialQueue();
    let ended = false;
    const failure = queue.run(async () => {
      await later(5);
      ended = true;
      throw new Error('on purpose');
    });
    failure.catch(() => {});
    await queue.idle();
    expect(ended).toBe(true);
  });
});

describe('settleAll', () => {
  it('returns the values in order', async () => {
    expect(await settleAll([later(3).then(() => 1), 2])).toEqual([1, 2]);
  });

  it('throws the first failure in order, after all have ended (work kept running behind the caller)', async () => {
    let ended = false;
    const slow = later(9).then(() => {
      ended = true;
      throw new Error('first in order');
    });
    await expect(settleAll([slow, Promise.reject(new Error('first in time'))])).rejects.toThrow('first in order');
    expect(ended).toBe(true);
  });
});
