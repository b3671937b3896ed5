/**
 * The results of every vector environment around the end of an episode: exact tables for each mode and each class.
 *
 * The tables are those of `tests/vector/test_vector_env.py` of Gymnasium: three environments that count to 2, 3 and 3,
 * with the count as observation and reward. Worker threads load the built package: run `npx tsup` in `packages/core`
 * first (the root `npm test` does).
 */
import { afterEach, describe, expect, it } from 'vitest';
import { makeVec } from './make-vec.js';
import type { AnyVectorEnv, AutoresetMode } from './vector-env.js';

const module = new URL('../testing/fixtures/vector-envs.mjs', import.meta.url).href;
const kinds = ['serial', 'concurrent', 'worker'] as const;

let envs: AnyVectorEnv;

async function start(vectorization: (typeof kinds)[number], autoreset: AutoresetMode): Promise<AnyVectorEnv> {
  await import(/* @vite-ignore */ module);
  envs = await makeVec('fixture/Fragile-v0', { numEnvs: 3, vectorization, autoreset, workers: 2 });
  return envs;
}

afterEach(async () => {
  await envs.close();
});

/** Observations, rewards, terminated of one step. */
async function row(): Promise<unknown[]> {
  const { observations, rewards, terminated, truncated } = await envs.step([0, 0, 0]);
  expect(truncated).toEqual(new Uint8Array(3));
  return [observations, [...rewards], [...terminated]];
}

describe.each(kinds)('%s', (kind) => {
  it('next-step: the step after the end returns the reset, whatever the action', async () => {
    await start(kind, 'next-step');
    expect(envs.metadata.autoresetMode).toBe('next-step');
    expect(await envs.reset({ seed: [0, 1, 3] })).toEqual({
      observations: [0, 0, 0],
      infos: [{ episode: 1 }, { episode: 1 }, { episode: 1 }],
    });
    expect(await row()).toEqual([
      [1, 1, 1],
      [1, 1, 1],
      [0, 0, 0],
    ]);
    expect(await row()).toEqual([
      [2, 2, 2],
      [2, 2, 2],
      [1, 0, 0],
    ]);
    expect(await row()).toEqual([
      [0, 3, 3],
      [0, 3, 3],
      [0, 1, 1],
    ]);
    expect(await row()).toEqual([
      [1, 0, 0],
      [1, 0, 0],
      [0, 0, 0],
    ]);
    expect(await row()).toEqual([
      [2, 1, 1],
      [2, 1, 1],
      [1, 0, 0],
    ]);
  });

  it('same-step: the end is inside the info of the new episode', async () => {
    await start(kind, 'same-step');
    await envs.reset({ seed: [0, 1, 3] });
    expect(await row()).toEqual([
      [1, 1, 1],
      [1, 1, 1],
      [0, 0, 0],
    ]);
    expect(await envs.step([0, 0, 0])).toEqual({
      observations: [0, 2, 2],
      rewards: Float64Array.of(2, 2, 2),
      terminated: Uint8Array.of(1, 0, 0),
      truncated: Uint8Array.of(0, 0, 0),
      infos: [{ episode: 2, finalObservation: 2, finalInfo: { count: 2 } }, { count: 2 }, { count: 2 }],
    });
    expect(await row()).toEqual([
      [1, 0, 0],
      [1, 3, 3],
      [0, 1, 1],
    ]);
    expect(await row()).toEqual([
      [0, 1, 1],
      [2, 1, 1],
      [1, 0, 0],
    ]);
    expect(await row()).toEqual([
      [1, 2, 2],
      [1, 2, 2],
      [0, 0, 0],
    ]);
  });

  it('disabled: the caller resets only the environments that have ended', async () => {
    await start(kind, 'disabled');
    await envs.reset({ seed: [0, 1, 3] });
    expect(await row()).toEqual([
      [1, 1, 1],
      [1, 1, 1],
      [0, 0, 0],
    ]);
    expect(await row()).toEqual([
      [2, 2, 2],
      [2, 2, 2],
      [1, 0, 0],
    ]);
    await expect(async () => envs.step([0, 0, 0])).rejects.toMatchObject({ code: 'EPISODE_OVER' });
    expect(await envs.reset({ resetMask: [true, false, false] })).toEqual({
      observations: [0, 2, 2],
      infos: [{ episode: 2 }, {}, {}],
    });
    expect(await row()).toEqual([
      [1, 3, 3],
      [1, 3, 3],
      [0, 1, 1],
    ]);
    expect((await envs.reset({ resetMask: Uint8Array.of(0, 1, 1) })).observations).toEqual([1, 0, 0]);
    expect(await row()).toEqual([
      [2, 1, 1],
      [2, 1, 1],
      [1, 0, 0],
    ]);
  });

  it('seeds with s, s + 1, … from one integer', async () => {
    await start(kind, 'disabled');
    await envs.reset({ seed: 4 });
    await row();
    expect(await row()).toEqual([
      [2, 2, 2],
      [2, 2, 2],
      [1, 0, 1],
    ]);
  });

  it('continues exactly from a snapshot of its own class and of a serial vector', async () => {
    await start('serial', 'next-step');
    const toTheMiddle = async () => {
      await envs.reset({ seed: [0, 1, 3] });
      await row();
      await row();
      return JSON.parse(JSON.stringify(await envs.snapshot()));
    };
    const foreign = await toTheMiddle();
    await envs.close();
    await start(kind, 'next-step');
    const vector = await toTheMiddle();
    const onwards = [await row(), await row(), await row()];
    for (const snapshot of [vector, foreign]) {
      await envs.restore(snapshot);
      expect([await row(), await row(), await row()]).toEqual(onwards);
    }
  });

  it('has masks and frames of all environments', async () => {
    await start(kind, 'next-step');
    await envs.reset({ seed: [0, 1, 3] });
    await envs.step([0, 0, 0]);
    expect(envs.actionMasks().map((mask) => mask?.at(-1))).toEqual([1, 1, 1]);
    expect(await envs.render()).toEqual(['at 1', 'at 1', 'at 1']);
  });

  it.each([
    ['too few actions', () => envs.step([0, 0]), 'VECTOR_ARGUMENT'],
    ['an action outside the space', () => envs.step([0, 99, 0]), 'INVALID_ACTION'],
    ['too many seeds', () => envs.reset({ seed: [1, 2, 3, 4] }), 'VECTOR_ARGUMENT'],
    ['a mask that selects nothing', () => envs.reset({ resetMask: [false, false, false] }), 'VECTOR_ARGUMENT'],
    ['a mask of the wrong length', () => envs.reset({ resetMask: [true] }), 'VECTOR_ARGUMENT'],
    ['a snapshot of another vector', () => envs.restore({ kind: 'vector/1', slots: [] }), 'VECTOR_ARGUMENT'],
  ])('refuses %s before any environment changes', async (_what, call, code) => {
    await start(kind, 'next-step');
    await envs.reset({ seed: [0, 1, 3] });
    await expect(async () => call()).rejects.toMatchObject({ code });
    expect(await row()).toEqual([
      [1, 1, 1],
      [1, 1, 1],
      [0, 0, 0],
    ]);
  });

  it('refuses calls before reset, during another call and after close', async () => {
    await start(kind, 'next-step');
    await expect(async () => envs.step([0, 0, 0])).rejects.toMatchObject({ code: 'RESET_NEEDED' });
    await expect(async () => envs.reset({ resetMask: [true, false, true] })).rejects.toMatchObject({
      code: 'RESET_NEEDED',
    });
    const first = envs.reset();
    if (kind !== 'serial') await expect(async () => envs.reset()).rejects.toMatchObject({ code: 'VECTOR_ARGUMENT' });
    await first;
    await envs.close();
    await envs.close();
    await expect(async () => envs.step([0, 0, 0])).rejects.toMatchObject({ code: 'CLOSED' });
  });
});

describe('serial', () => {
  it('steps synchronous environments without promises', async () => {
    await start('serial', 'next-step');
    expect(envs.reset({ seed: 0 })).toMatchObject({ observations: [0, 0, 0] });
    expect(envs.step([0, 0, 0])).toMatchObject({ observations: [1, 1, 1] });
  });
});
