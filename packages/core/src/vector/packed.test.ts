import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { copyValue } from '../wrappers/copy-value.js';
import { makeVec } from './make-vec.js';
import { pack, packedSize, unpack } from './packed.js';
import type { AnyVectorEnv } from './vector-env.js';

const typedArray = fc.oneof(
  fc.uint8Array(),
  fc.int16Array(),
  fc.float32Array({ noNaN: true }),
  fc.float64Array({ noNaN: true }),
  fc.bigInt64Array(),
);
const { value: anything } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    typedArray,
    fc.string(),
    fc.integer(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.string(), tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));

const region = (bytes: number) => ({ memory: new SharedArrayBuffer(bytes), offset: 0, length: bytes });

describe('pack and unpack', () => {
  it('return the value, with and without enough shared memory', () => {
    fc.assert(
      fc.property(anything, fc.nat(64), (value, bytes) => {
        for (const room of [region(packedSize(value)), region(8 * bytes), undefined]) {
          const before = copyValue(value);
          const packed = structuredClone(pack(value, room));
          expect(unpack(packed, room?.memory, false)).toEqual(before);
          expect(value).toEqual(before);
        }
      }),
    );
  });

  it('move every byte through shared memory if there is enough of it', () => {
    const value = { picture: new Uint8Array(100), list: [new Float64Array(3)], name: 'x' };
    const { rest } = pack(value, region(packedSize(value)));
    expect(rest).toEqual({ picture: null, list: [null], name: 'x' });
  });

  it('return views if shared, and copies if not', () => {
    const room = region(8);
    const packed = pack(new Uint8Array([1, 2]), room);
    const shared = unpack(packed, room.memory, true) as Uint8Array;
    const owned = unpack(packed, room.memory, false) as Uint8Array;
    new Uint8Array(room.memory)[0] = 9;
    expect([shared[0], owned[0]]).toEqual([9, 1]);
    expect(owned.buffer).toBeInstanceOf(ArrayBuffer);
  });
});

// worker threads load the built package: run `npx tsup` in `packages/core` first (the root `npm test` does)
describe('pictures from worker threads', () => {
  const module = new URL('../testing/fixtures/vector-envs.mjs', import.meta.url).href;
  let envs: AnyVectorEnv;

  afterEach(async () => {
    await envs.close();
  });

  const start = async (vectorization: 'serial' | 'worker', options = {}) => {
    await import(/* @vite-ignore */ module);
    envs = await makeVec('fixture/Picture-v0', { numEnvs: 3, vectorization, workers: 2, ...options });
    return envs;
  };

  const play = async () => {
    const kept = [(await envs.reset({ seed: 1 })).observations];
    const finals: unknown[] = [];
    for (let step = 0; step < 5; step += 1) {
      const { observations, infos } = await envs.step([0, 0, 0]);
      kept.push(observations);
      finals.push(infos.map((info) => info.finalObservation));
    }
    return { kept, finals };
  };

  it.each(['next-step', 'same-step'] as const)(
    'equal those of a serial vector, %s, and stay valid',
    async (autoreset) => {
      await start('serial', { autoreset });
      const expected = await play();
      await envs.close();
      await start('worker', { autoreset });
      expect(await play()).toEqual(expected);
    },
  );

  it('are views that stay valid for two calls if shared', async () => {
    await start('worker', { shareObservations: true });
    const first = (await envs.reset({ seed: 1 })).observations[0].picture.data as Uint8Array;
    expect(first.buffer).toBeInstanceOf(SharedArrayBuffer);
    const second = (await envs.step([0, 0, 0])).observations[0].picture.data as Uint8Array;
    expect([first[0], second[0]]).toEqual([10, 11]);
    await envs.step([0, 0, 0]);
    expect([first[0], second[0]]).toEqual([12, 11]);
  });
});
