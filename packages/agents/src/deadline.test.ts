import { expect, it, vi } from 'vitest';
import { awaitWithDeadline, type DeadlineOptions, withDeadline } from './deadline.js';

const options = (rest: Partial<DeadlineOptions> = {}): DeadlineOptions => ({
  what: 'The agent',
  code: 'AGENT_TIMEOUT',
  milliseconds: Number.POSITIVE_INFINITY,
  ...rest,
});

/** Unhandled rejections, while `f` runs and until they are reported. */
async function unheardIn(f: () => Promise<unknown>): Promise<unknown[]> {
  const unheard: unknown[] = [];
  const others = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection');
  process.on('unhandledRejection', (reason) => unheard.push(reason));
  try {
    await f();
    await new Promise((resolve) => setImmediate(resolve));
  } finally {
    process.removeAllListeners('unhandledRejection');
    for (const listener of others) process.on('unhandledRejection', listener);
  }
  return unheard;
}

it.each([
  ['awaitWithDeadline', awaitWithDeadline],
  ['withDeadline', withDeadline],
])('%s starts nothing under an aborted signal', async (_name, run) => {
  const work = vi.fn(async () => 1);
  const signal = AbortSignal.abort(new Error('stopped'));
  await expect((async () => run(work, options({ signal })))()).rejects.toThrow('stopped');
  expect(work).not.toHaveBeenCalled();
});

it.each([
  ['awaitWithDeadline', awaitWithDeadline],
  ['withDeadline', withDeadline],
])('%s: work that aborts its own signal and fails later rejects one promise only', async (_name, run) => {
  const unheard = await unheardIn(async () => {
    const controller = new AbortController();
    const work = async () => {
      controller.abort(new Error('stopped'));
      await null;
      throw new Error('a late failure');
    };
    await expect(run(work, options({ signal: controller.signal }))).rejects.toThrow('stopped');
  });
  expect(unheard).toEqual([]);
});

it('a value that is there at once sets no timer, and passes', () => {
  expect(awaitWithDeadline(() => 3, options({ milliseconds: 1 }))).toBe(3);
});

it('names what gave no answer in time', async () => {
  const never = () => new Promise<never>(() => {});
  await expect(awaitWithDeadline(never, options({ milliseconds: 1 }))).rejects.toMatchObject({
    code: 'AGENT_TIMEOUT',
    value: 1,
  });
});

it('a limit beyond the longest timer is not cut to 1 ms', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    let answer = (_value: number) => {};
    const answered = new Promise<number>((resolve) => {
      answer = resolve;
    });
    const result = awaitWithDeadline(() => answered, options({ milliseconds: 3e9 }));
    vi.advanceTimersByTime(60_000);
    answer(3);
    expect(await result).toBe(3);
  } finally {
    vi.useRealTimers();
  }
});
