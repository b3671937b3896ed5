/**
 * Failures of an environment or its thread in a vector: the episode is truncated with a reason, the other environments
 * continue, and the failed one restarts from a computable seed.
 *
 * Worker threads load the built package: run `npx tsup` in `packages/core` first (the root `npm test` does).
 */
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { SeedSequence } from '../random/seed-sequence.js';
import { ScriptedEnv } from '../testing/scripted-env.js';
import { transformReward } from '../wrappers/transform-reward.js';
import { ConcurrentVectorEnv, SerialVectorEnv } from './local-vector-env.js';
import { type MakeVecOptions, makeVec } from './make-vec.js';
import type { AnyVectorEnv } from './vector-env.js';

const module = new URL('../testing/fixtures/vector-envs.mjs', import.meta.url).href;
const kinds = ['serial', 'concurrent', 'worker'] as const;

let act: Record<'count' | 'throw' | 'exit' | 'block' | 'throwLater' | 'hang' | 'badInfo' | 'badReward', number>;
let envs: AnyVectorEnv | undefined;

beforeAll(async () => {
  act = (await import(/* @vite-ignore */ module)).ACTIONS;
});

afterEach(async () => {
  await envs?.close();
  envs = undefined;
});

/** Four environments that count to 3, two per thread, all at count 1. */
async function start(options: Partial<MakeVecOptions>): Promise<AnyVectorEnv> {
  envs = await makeVec('fixture/Fragile-v0', { numEnvs: 4, workers: 2, ...options });
  await envs.reset({ seed: [1, 3, 5, 7] });
  await envs.step([0, 0, 0, 0]);
  return envs;
}

const restartSeed = (seed: number, restarts: number) =>
  new SeedSequence(seed, { spawnKey: [restarts] }).generateState(1)[0]!;

const cut = (truncationReason: string, name: string, message: string) =>
  expect.objectContaining({ truncationReason, error: expect.objectContaining({ name, message }) });

describe.each(kinds)('%s', (vectorization) => {
  it.each([
    ['throws', () => act.throw, 'TypeError', 'thrown on purpose'],
    ['returns a list as reward', () => act.badReward, 'InvalidRewardError', expect.stringContaining('the reward [2]')],
  ])('an environment that %s ends only its own episode', async (_what, action, name, message) => {
    const { step } = await bound({ vectorization });
    expect(await step([action(), 0, 0, 0])).toEqual({
      observations: [1, 2, 2, 2],
      rewards: Float64Array.of(0, 2, 2, 2),
      terminated: Uint8Array.of(0, 0, 0, 0),
      truncated: Uint8Array.of(1, 0, 0, 0),
      infos: [cut('environment-error', name, message), { count: 2 }, { count: 2 }, { count: 2 }],
    });
    expect(await step([0, 0, 0, 0])).toMatchObject({
      observations: [0, 3, 3, 3],
      terminated: Uint8Array.of(0, 1, 1, 1),
      infos: [{ episode: 1, resetSeed: restartSeed(1, 1) }, {}, {}, {}],
    });
  });

  it('an environment that hangs ends only its own episode, by its timer', async () => {
    const { step } = await bound({ vectorization, stepTimeoutMs: 100 });
    expect(await step([0, act.hang, 0, 0])).toMatchObject({
      observations: [2, 1, 2, 2],
      truncated: Uint8Array.of(0, 1, 0, 0),
      infos: [{}, cut('step-timeout', 'StepTimeoutError', expect.stringContaining('100 ms')), {}, {}],
    });
    expect((await step([0, 0, 0, 0])).infos[1]).toEqual({ episode: 1, resetSeed: restartSeed(3, 1) });
  });

  it('same-step: the new episode has the failure inside its info', async () => {
    const { step } = await bound({ vectorization, autoreset: 'same-step' });
    const { observations, truncated, infos } = await step([0, 0, 0, act.throw]);
    expect([observations, [...truncated]]).toEqual([
      [2, 2, 2, 0],
      [0, 0, 0, 1],
    ]);
    expect(infos[3]).toEqual({
      episode: 1,
      resetSeed: restartSeed(7, 1),
      finalObservation: 1,
      finalInfo: cut('environment-error', 'TypeError', 'thrown on purpose'),
    });
    expect((await step([0, 0, 0, 0])).observations).toEqual([3, 3, 3, 1].map((count) => (count === 3 ? 0 : count)));
  });

  it('a second failure starts from another seed', async () => {
    const { step } = await bound({ vectorization });
    const seeds = [];
    for (let failure = 0; failure < 2; failure += 1) {
      await step([act.throw, 0, 0, 0]);
      seeds.push((await step([0, 0, 0, 0])).infos[0]!.resetSeed);
    }
    expect(seeds).toEqual([restartSeed(1, 1), restartSeed(1, 2)]);
  });

  it('an explicit reset that fails reports the environment and the cause, and can be retried', async () => {
    const vector = await start({ vectorization });
    await expect(async () => vector.reset({ options: { fail: true } })).rejects.toMatchObject({
      code: 'VECTOR_ENV_FAILED',
      index: 0,
      cause: expect.objectContaining({ message: 'reset failed on purpose' }),
    });
    expect((await vector.reset({ seed: 1 })).observations).toEqual([0, 0, 0, 0]);
  });
});

describe.each([SerialVectorEnv, ConcurrentVectorEnv])('$name', (Vector) => {
  const step = { observation: 1, terminated: false, truncated: false, info: {} };
  it.each<[what: string, step: () => unknown, code: string]>([
    ['undefined', () => undefined, 'INVALID_STEP'],
    ['a promise of undefined', async () => undefined, 'INVALID_STEP'],
    ['a reward in words', () => ({ ...step, reward: 'one' }), 'INVALID_REWARD'],
    ['a promise of no reward', async () => step, 'INVALID_REWARD'],
  ])('an environment that returns %s ends only its own episode', async (_what, broken, code) => {
    const create = (index: number) => {
      const env = new ScriptedEnv();
      if (index === 1) env.step = broken as typeof env.step;
      return env;
    };
    envs = await Vector.create(create, { numEnvs: 3 });
    await envs.reset();
    expect(await envs.step([0, 0, 0])).toMatchObject({
      observations: [1, 0, 1],
      rewards: Float64Array.of(1, 0, 1),
      truncated: Uint8Array.of(0, 1, 0),
      infos: [{}, { truncationReason: 'environment-error', error: { code } }, {}],
    });
    expect((await envs.step([0, 0, 0])).observations).toEqual([2, 0, 2]);
  });
});

describe('worker', () => {
  it.each([
    ['exits', () => act.exit, 'Error', 'it exited with code 3'],
    ['throws outside of step', () => act.throwLater, 'Error', 'thrown later'],
  ])('a thread whose environment %s ends only the episodes in it', async (_what, action, name, message) => {
    const { step } = await bound({ vectorization: 'worker' });
    const crashed = cut('worker-crashed', name, message);
    expect(await step([0, action(), 0, 0])).toEqual({
      observations: [1, 1, 2, 2],
      rewards: Float64Array.of(0, 0, 2, 2),
      terminated: Uint8Array.of(0, 0, 0, 0),
      truncated: Uint8Array.of(1, 1, 0, 0),
      infos: [crashed, crashed, { count: 2 }, { count: 2 }],
    });
    expect(await step([0, 0, 0, 0])).toMatchObject({
      observations: [0, 0, 3, 3],
      rewards: Float64Array.of(0, 0, 3, 3),
      truncated: Uint8Array.of(0, 0, 0, 0),
      infos: [
        { episode: 1, resetSeed: restartSeed(1, 1) },
        { episode: 1, resetSeed: restartSeed(3, 1) },
        { count: 3 },
        { count: 3 },
      ],
    });
    expect((await step([0, 0, 0, 0])).observations).toEqual([1, 1, 0, 0]);
  });

  it('a thread that blocks is terminated after the time-out', async () => {
    const { step } = await bound({ vectorization: 'worker', stepTimeoutMs: 100 });
    const { truncated, infos } = await step([0, 0, 0, act.block]);
    expect([...truncated]).toEqual([0, 0, 1, 1]);
    expect(infos.map((info) => info.truncationReason)).toEqual([undefined, undefined, 'step-timeout', 'step-timeout']);
    expect((await step([0, 0, 0, 0])).observations).toEqual([3, 3, 0, 0]);
  });

  it('an answer that waits while this thread computes beyond the time limit counts', async () => {
    const { step } = await bound({ vectorization: 'worker', stepTimeoutMs: 100 });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const running = step([0, 0, 0, 0]);
      // as if this thread had computed for so long: the timers of both threads are due before any message is read
      vi.advanceTimersToNextTimer();
      expect([...(await running).truncated]).toEqual([0, 0, 0, 0]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('same-step: a crashed thread restarts with new episodes at once', async () => {
    const { step } = await bound({ vectorization: 'worker', autoreset: 'same-step' });
    const { observations, infos } = await step([act.exit, 0, 0, 0]);
    expect(observations).toEqual([0, 0, 2, 2]);
    expect(infos[1]).toEqual({
      episode: 1,
      resetSeed: restartSeed(3, 1),
      finalObservation: 1,
      finalInfo: cut('worker-crashed', 'Error', 'it exited with code 3'),
    });
  });

  it('disabled: a crashed thread waits for the reset of its environments', async () => {
    const vector = await start({ vectorization: 'worker', autoreset: 'disabled' });
    expect([...(await vector.step([act.exit, 0, 0, 0])).truncated]).toEqual([1, 1, 0, 0]);
    await expect(async () => vector.step([0, 0, 0, 0])).rejects.toMatchObject({ code: 'EPISODE_OVER' });
    const { observations, infos } = await vector.reset({ resetMask: [1, 1, 0, 0] });
    expect(observations).toEqual([0, 0, 2, 2]);
    expect(infos[0]).toEqual({ episode: 1, resetSeed: restartSeed(1, 1) });
  });

  it('a crash in a partial reset is reported at the next step to the environments that were not reset', async () => {
    const vector = await start({ vectorization: 'worker' });
    const mask = [true, false, false, false];
    await expect(async () => vector.reset({ resetMask: mask, options: { exit: true } })).rejects.toMatchObject({
      code: 'WORKER_LOST',
    });
    await vector.reset({ resetMask: mask });
    expect(await vector.step([0, 0, 0, 0])).toMatchObject({
      observations: [1, 1, 2, 2],
      truncated: Uint8Array.of(0, 1, 0, 0),
      infos: [{}, { truncationReason: 'worker-crashed' }, {}, {}],
    });
    expect((await vector.step([0, 0, 0, 0])).observations).toEqual([2, 0, 3, 3]);
  });

  it('a result that cannot be transferred fails only its environment', async () => {
    const { step } = await bound({ vectorization: 'worker' });
    const { truncated, infos } = await step([0, act.badInfo, 0, 0]);
    expect([...truncated]).toEqual([0, 1, 0, 0]);
    expect(infos[1]).toMatchObject({ truncationReason: 'environment-error', error: { name: 'DataCloneError' } });
  });

  it('terminates a busy thread when the vector is closed', async () => {
    const vector = await start({ vectorization: 'worker' });
    const step = expect(vector.step([act.block, 0, 0, 0])).rejects.toMatchObject({ code: 'CLOSED' });
    await vector.close();
    await step;
  });

  it('a thread that never becomes ready is terminated, with a hint', async () => {
    const silent = new URL('data:text/javascript,setInterval(() => {}, 1e6)');
    const options = { numEnvs: 2, vectorization: 'worker', workerUrl: silent, startTimeoutMs: 50 } as const;
    await expect(makeVec('fixture/Fragile-v0', options)).rejects.toMatchObject({
      name: 'WorkerStartTimeoutError',
      code: 'WORKER_START_TIMEOUT',
      hint: expect.stringContaining('startTimeoutMs'),
    });
  });

  it('reports why an environment cannot be made in a thread', async () => {
    const worker = { numEnvs: 2, vectorization: 'worker' } as const;
    await expect(makeVec('fixture/MainThreadOnly-v0', worker)).rejects.toMatchObject({
      code: 'WORKER_REFUSED',
      cause: { name: 'RangeError', message: 'cannot start here' },
    });
    await expect(makeVec('fixture/Fragile-v0', { ...worker, workers: 0 })).rejects.toMatchObject({
      code: 'INVALID_OPTION',
    });
    const registry = await import('../registry/register.js');
    const { CountingEnv } = await import('../testing/counting-env.js');
    registry.register({ id: 'NoModule-v0', entryPoint: () => new CountingEnv() });
    await expect(makeVec('NoModule-v0', worker)).rejects.toMatchObject({ code: 'WORKER_NEEDS_MODULE' });
    registry.unregister('NoModule-v0');
    await expect(
      makeVec('fixture/Fragile-v0', { ...worker, wrappers: [transformReward((reward) => 2 * reward)] }),
    ).rejects.toMatchObject({ code: 'SPEC_JSON', path: 'spec.wrappers[0].options.transform' });
  });
});

async function bound(options: Partial<MakeVecOptions>) {
  const vector = await start(options);
  return { step: async (actions: number[]) => vector.step(actions) };
}
