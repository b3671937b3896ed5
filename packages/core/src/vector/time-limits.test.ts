/** Time limits of vectors: which are refused, and that the longest ones are not cut to 1 ms. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ScriptedEnv } from '../testing/scripted-env.js';
import { ConcurrentVectorEnv, SerialVectorEnv } from './local-vector-env.js';
import { TimeLimits } from './worker-vector-options.js';

afterEach(() => {
  vi.useRealTimers();
});

const invalid = [0, -1, Number.NaN, Number.NEGATIVE_INFINITY, '100'] as number[];
const refused = (option: string) => expect.objectContaining({ code: 'INVALID_OPTION', option });

describe.each([SerialVectorEnv, ConcurrentVectorEnv])('$name', (Vector) => {
  it.each(invalid)('refuses a limit of %s before it makes an environment', async (stepTimeoutMs) => {
    const create = vi.fn(() => new ScriptedEnv());
    await expect(Vector.create(create, { numEnvs: 2, stepTimeoutMs })).rejects.toThrow(refused('stepTimeoutMs'));
    expect(create).not.toHaveBeenCalled();
  });

  it.each([3e9, Number.POSITIVE_INFINITY])('waits for a step within %s ms', async (stepTimeoutMs) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const create = () => new ScriptedEnv({ step: () => answered.then(() => ({})) });
    const envs = await Vector.create(create, { numEnvs: 1, stepTimeoutMs });
    await envs.reset();
    const running = envs.step([0]);
    vi.advanceTimersByTime(60_000);
    answer();
    expect(await running).toMatchObject({ observations: [1], truncated: Uint8Array.of(0) });
  });
});

describe('threads', () => {
  it.each(['stepTimeoutMs', 'resetTimeoutMs', 'startTimeoutMs'])('refuse an invalid %s', (option) => {
    for (const limit of invalid) {
      expect(() => new TimeLimits({ numEnvs: 1, [option]: limit })).toThrow(refused(option));
    }
    expect(() => new TimeLimits({ numEnvs: 1, [option]: Number.POSITIVE_INFINITY })).not.toThrow();
  });
});
