import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EnvSnapshot } from './env.js';
import { GymError } from './errors.js';
import { CountingEnv } from './testing/counting-env.js';
import { SerialVectorEnv } from './vector/local-vector-env.js';
import { earlyEnd } from './wrappers/early-end.js';
import { illegalAction } from './wrappers/illegal-action.js';
import { frameStack } from './wrappers/observation/frame-stack.js';
import { history } from './wrappers/observation/history.js';
import { orderEnforcing } from './wrappers/order-enforcing.js';
import { recordEpisodeStatistics } from './wrappers/recording/record-episode-statistics.js';
import { timeLimit } from './wrappers/time-limit.js';

/** A synchronous environment. */
interface PlainEnv {
  reset(options?: { readonly seed?: number }): object;
  step(action: number): object;
  snapshot(): EnvSnapshot;
  restore(snapshot: EnvSnapshot): void;
}

/** Every wrapper that has state, in the middle of an episode. */
function stack(): PlainEnv {
  const env = new CountingEnv().pipe(
    orderEnforcing(),
    timeLimit(50),
    earlyEnd({ repeatedActions: 40 }),
    illegalAction(),
    recordEpisodeStatistics(),
    history(2),
    frameStack(2),
  ) as unknown as PlainEnv;
  env.reset({ seed: 3 });
  env.step(0);
  return env;
}

const json = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
const mismatch = expect.objectContaining({ code: 'SNAPSHOT_MISMATCH' });

describe('a snapshot from outside (snapshots were trusted)', () => {
  it.each([null, undefined, 42, 'x', [], {}, { kind: 'counting/1' }, { kind: 'counting/1', state: null }])(
    'restore(%j) is refused with an error, and changes nothing',
    (garbage) => {
      for (const env of [new CountingEnv(), stack()]) {
        if (env instanceof CountingEnv) env.reset({ seed: 1 });
        const before = json(env.snapshot());
        expect(() => env.restore(garbage as never)).toThrow(mismatch);
        expect(json(env.snapshot())).toEqual(before);
      }
    },
  );

  it('reports the invalid part, its value, and what was expected', () => {
    const env = new CountingEnv();
    const { kind, state } = env.snapshot();
    const restore = () => env.restore({ kind, state: { ...(state as object), count: -1e308 } });
    expect(restore).toThrow(/invalid part: count is -1e\+308/);
    expect(restore).toThrow(expect.objectContaining({ expected: 'an integer from 0 to 99', value: -1e308 }));
  });

  it('of a wrapper without `own` is refused (it was accepted, and good ones were refused afterwards)', () => {
    const env = new CountingEnv().pipe(orderEnforcing()) as unknown as PlainEnv;
    env.reset({ seed: 1 });
    const good = json(env.snapshot()) as { kind: string; state: { own: unknown; env: EnvSnapshot } };
    expect(() => env.restore({ kind: good.kind, state: { env: good.state.env } })).toThrow(mismatch);
    env.restore(good);
    expect(json(env.snapshot())).toEqual(good);
  });

  it('is refused as a whole: an outer wrapper does not keep its part if the environment refuses its part', () => {
    const env = stack();
    const good = json(env.snapshot());
    const damaged = json(good) as { state: { env: { state: { env: object } } } };
    let layer = damaged.state as unknown as { own?: unknown; env: { kind: string; state: unknown } };
    while (layer.env.kind !== 'counting/1') layer = layer.env.state as typeof layer;
    layer.env.state = { count: 'x' };
    (damaged.state as unknown as { own: unknown }).own = [7, 7];
    expect(() => env.restore(damaged as never)).toThrow(mismatch);
    expect(json(env.snapshot())).toEqual(good);
  });

  it('with any part replaced by any value is refused with an error or harmless', () => {
    const env = stack();
    const good = json(env.snapshot());
    const paths = pathsOf(good);
    fc.assert(
      fc.property(fc.constantFrom(...paths), fc.jsonValue(), (path, value) => {
        const damaged = json(good);
        const holder = path.slice(0, -1).reduce<object>((at, key) => Reflect.get(at, key), damaged);
        Reflect.set(holder, path.at(-1)!, value);
        try {
          env.restore(damaged);
          env.step(1);
        } catch (error) {
          expect(GymError.isInstance(error), String(error)).toBe(true);
        }
        env.restore(good);
        expect(json(env.snapshot())).toEqual(good);
      }),
      { numRuns: 400 },
    );
  });
});

describe('a snapshot of a vector', () => {
  const started = async () => {
    const envs = await SerialVectorEnv.create(() => new CountingEnv(), { numEnvs: 3 });
    await envs.reset({ seed: 5 });
    await envs.step([1, 0, 1]);
    return envs;
  };

  it('is restored in all environments or in none', async () => {
    const envs = await started();
    const before = json(await envs.snapshot());
    const other = await started();
    await other.step([1, 1, 1]);
    const damaged = json(await other.snapshot()) as unknown as { slots: { env: { state: { count: number } } }[] };
    damaged.slots[2]!.env.state.count = -1e308;
    await expect(async () => envs.restore(damaged as never)).rejects.toThrow(mismatch);
    expect(json(await envs.snapshot())).toEqual(before);
    await envs.restore(before);
    expect((await envs.step([1, 1, 1])).observations).toHaveLength(3);
  });

  it.each([null, 42, {}, { kind: 'vector/1', slots: 'x' }, { kind: 'vector/1', slots: [null, null, null] }])(
    'restore(%j) is refused with an error',
    async (garbage) => {
      const envs = await started();
      const before = json(await envs.snapshot());
      await expect(async () => envs.restore(garbage as never)).rejects.toThrow(GymError);
      expect(json(await envs.snapshot())).toEqual(before);
    },
  );

  it('with an observation outside the space is refused', async () => {
    const envs = await started();
    const snapshot = json(await envs.snapshot());
    const slots = snapshot.slots.map((slot) => ({ ...slot, observation: 1e9 }));
    await expect(async () => envs.restore({ ...snapshot, slots })).rejects.toThrow(mismatch);
  });
});

function pathsOf(value: unknown, path: readonly string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.keys(value).flatMap((key) => {
    const inner = [...path, key];
    return [inner, ...pathsOf(Reflect.get(value, key), inner)];
  });
}
