/** Laws of every level: snapshots, splits, buffers, errors. */
import { make, splitOf } from '@vlgym/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import '../index.js';
import { createMiniGrid } from '../index.js';

describe('a snapshot', () => {
  it('continues exactly, also where steps draw from the generator', () => {
    const ids = ['MiniGrid-Dynamic-Obstacles-6x6-v0', 'BabyAI-BossLevel-v0', 'BabyAI-PutNextS4N1-v0'] as const;
    const actions = fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 60 });
    fc.assert(
      fc.property(fc.constantFrom(...ids), fc.nat(), actions, actions, (id, seed, before, after) => {
        const [first, second] = [createMiniGrid(id), createMiniGrid(id)];
        first.reset({ seed });
        for (const action of before) first.step(action);
        second.restore(JSON.parse(JSON.stringify(first.snapshot())));
        expect(after.map((action) => second.step(action))).toEqual(after.map((action) => first.step(action)));
        expect(second.reset()).toEqual(first.reset());
      }),
      { numRuns: 30 },
    );
  });

  it.each([
    ['another level', { level: 'MiniGrid-Empty-5x5-v0' }],
    ['an action that does not exist', { actions: '0127' }],
    ['a damaged generator', { start: { state: '0' } }],
    ['actions without a beginning, as a number', { actions: 12 }],
  ])('of %s is refused, and changes nothing', (_, damage) => {
    const env = createMiniGrid('MiniGrid-DoorKey-6x6-v0');
    env.reset({ seed: 1 });
    env.step(2);
    const { kind, state } = env.snapshot();
    const damaged = { kind, state: { ...(state as object), ...damage } };
    expect(() => env.restore(damaged)).toThrow(expect.objectContaining({ code: 'SNAPSHOT_MISMATCH' }));
    expect(env.snapshot()).toEqual({ kind, state });
  });
});

describe('the split', () => {
  it.each(['train', 'test'] as const)('%s has only its own tasks, in the order of all', (split) => {
    const [some, all] = [
      createMiniGrid('BabyAI-GoToLocalS5N2-v0', { split }),
      createMiniGrid('BabyAI-GoToLocalS5N2-v0'),
    ];
    const keys: (string | undefined)[] = [];
    for (let seed: number | undefined = 3; keys.length < 5; seed = undefined) {
      const { taskKey } = all.reset(seed === undefined ? {} : { seed }).info;
      if (splitOf(taskKey!) === split) keys.push(taskKey);
    }
    const found = keys.map((_, at) => some.reset(at === 0 ? { seed: 3 } : {}).info.taskKey);
    expect(found).toEqual(keys);
  });

  it('of a level with one world is empty on one side', () => {
    const codes = (['train', 'test'] as const).map((split) => {
      try {
        createMiniGrid('MiniGrid-Empty-8x8-v0', { split }).reset({ seed: 0 });
        return 'played';
      } catch (reason) {
        return (reason as { code: string }).code;
      }
    });
    expect(codes.sort()).toEqual(['EMPTY_SPLIT', 'played']);
  });
});

it('draws into a buffer of the caller, and keeps the last picture of an episode apart', () => {
  const env = createMiniGrid('MiniGrid-Empty-5x5-v0', { observation: 'image', maxSteps: 2 });
  const frame = new Uint8Array(56 * 56 * 3);
  env.drawInto(frame, { copyLast: true });
  expect(env.reset({ seed: 0 }).observation.data).toBe(frame);
  expect(env.step(0).observation.data).toBe(frame);
  const last = env.step(0).observation.data;
  expect(last).not.toBe(frame);
  env.drawInto(undefined);
  expect(env.reset({ seed: 0 }).observation.data).not.toBe(frame);
  expect(() => env.drawInto(new Uint8Array(3))).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }));
});

it('renders two letters per cell', async () => {
  const env = await make('MiniGrid-DoorKey-5x5-v0', { renderMode: 'ansi' });
  await env.reset({ seed: 0 });
  expect(await env.render()).toBe(
    [
      'WGWGWGWGWG',
      'WG  LY  WG',
      'WGKYWG  WG',
      'WG<<WGGGWG',
      'WGWGWGWGWG',
      'use the key to open the door and then get to the goal',
      '',
    ].join('\n'),
  );
});

it.each([7, -1, 0.5, '2', undefined])('refuses the action %j', (action) => {
  const env = createMiniGrid('MiniGrid-Empty-5x5-v0');
  env.reset({ seed: 0 });
  expect(() => env.step(action as number)).toThrow(expect.objectContaining({ code: 'INVALID_ACTION' }));
});

it('takes actions beyond three as the original does where only three are offered: as a turn to the left', () => {
  const [first, second] = [0, 5].map((action) => {
    const env = createMiniGrid('MiniGrid-Dynamic-Obstacles-5x5-v0');
    env.reset({ seed: 4 });
    return env.step(action);
  });
  expect(second).toEqual(first);
});

it.each([
  [{ viewSize: 4 }, 'INVALID_OPTION'],
  [{ tileSize: 0 }, 'INVALID_OPTION'],
  [{ tilesize: 8 }, 'UNKNOWN_OPTION'],
  [{ kind: 'goto' }, 'UNKNOWN_OPTION'],
])('refuses the options %j', (options, code) => {
  expect(() => createMiniGrid('MiniGrid-Empty-5x5-v0', options as object)).toThrow(expect.objectContaining({ code }));
});

it('names a level that is nearly right', () => {
  expect(() => createMiniGrid('MiniGrid-DoorKey-9x9-v0' as never)).toThrow('did you mean "MiniGrid-DoorKey-');
});
