/** The task keys of each game, and splits that never share a task. */
import { type AnyEnv, make, makeVec, splitOf } from '@vlgym/core';
import { history, recordEpisodeStatistics, timeLimit } from '@vlgym/core/wrappers';
import '../register.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSolvable } from '../solver/solve.js';
import { BlackjackEnv, BlackjackV1Env } from './blackjack.js';
import { EZPointsEnv, EZPointsV1Env } from './ez-points.js';
import { NumberLineEnv } from './number-line.js';
import type { CardGameOptions } from './options.js';
import { Points24Env, Points24V1Env } from './points24.js';
import { handKey } from './task-keys.js';

const SIZE = { height: 16, width: 16 };

type Game = (options?: CardGameOptions) => AnyEnv;

const GAMES: readonly (readonly [name: string, make: Game])[] = [
  ['NumberLine', (options) => new NumberLineEnv({ size: SIZE, ...options })],
  ['EZPoints-v0', (options) => new EZPointsEnv({ size: SIZE, ...options })],
  ['EZPoints-v1', (options) => new EZPointsV1Env({ size: SIZE, ...options })],
  ['Points24-v0', (options) => new Points24Env({ size: SIZE, ...options })],
  ['Points24-v1', (options) => new Points24V1Env({ size: SIZE, solvableOnly: true, ...options })],
  ['Blackjack-v0', (options) => new BlackjackEnv({ size: SIZE, ...options })],
  ['Blackjack-v1', (options) => new BlackjackV1Env({ size: SIZE, ...options })],
];

/** Games after their first reset. */
const infoOf = (env: AnyEnv, seed?: number) =>
  (env.reset(seed === undefined ? {} : { seed }) as { info: Record<string, unknown> }).info;
const keyOf = (env: AnyEnv, seed?: number) => infoOf(env, seed).taskKey as string;
const keys = (env: AnyEnv, episodes: number) => {
  const first = keyOf(env, 0);
  return new Set([first, ...Array.from({ length: episodes - 1 }, () => keyOf(env))]);
};

describe('the task of an episode', () => {
  it.each<[name: string, env: AnyEnv, kind: string, contents: readonly string[]]>([
    ['NumberLine', new NumberLineEnv(), 'numberline', ['3->4', '1->4', '0->1', '1->4']],
    ['EZPoints', new EZPointsV1Env(), 'ezpoints', ['4,8->12', '3,4->12', '2,6->12', '5,7->12']],
    [
      'EZPoints with a target',
      new EZPointsV1Env({ target: 20 }),
      'ezpoints',
      ['4,8->20', '3,4->20', '2,6->20', '5,7->20'],
    ],
    ['Points24', new Points24V1Env(), 'points24', ['1,7,7,10->24', '3,10,10,10->24', '1,2,2,6->24', '3,4,9,10->24']],
    [
      'Points24 with court cards as 11, 12, 13',
      new Points24V1Env({ faceCardsAsTen: false }),
      'points24',
      ['1,7,7,13->24', '3,10,13,13->24', '1,2,2,6->24', '3,4,9,10->24'],
    ],
    ['Blackjack', new BlackjackEnv(), 'blackjack', ['1,1/10', '2,10/7', '5,10/10', '1,10/10']],
  ])('of %s is known for seeds 0 to 3', (_, env, kind, contents) => {
    expect([0, 1, 2, 3].map((seed) => keyOf(env, seed))).toEqual(contents.map((content) => `${kind}:${content}`));
  });

  it('of a chosen hand does not depend on order, suits or the split', () => {
    const env = new Points24V1Env({ size: SIZE, split: 'train' });
    const choose = (...cards: string[]) => env.reset({ options: { cards } }).info.taskKey;
    expect(choose('H8', 'S3', 'D3', 'C8')).toBe('points24:3,3,8,8->24');
    expect(choose('S3', 'H8', 'H8', 'S3')).toBe('points24:3,3,8,8->24');
    expect(choose('ST', 'HJ', 'DQ', 'SA')).toBe('points24:1,10,10,10->24');
    const test = numbersUpTo(9).find((numbers) => splitOf(handKey('points24', numbers, 24)) === 'test')!;
    expect(choose(...test.map((number) => `H${number === 1 ? 'A' : number}`))).toBe(handKey('points24', test, 24));
  });

  it.each(GAMES)('of %s does not depend on size, dialogue or rendering', (_, make) => {
    const other = make({ size: { height: 40, width: 60 }, renderMode: 'ansi', actionOnly: true });
    const env = make();
    for (let seed = 0; seed < 20; seed += 1) expect(keyOf(other, seed)).toBe(keyOf(env, seed));
  });
});

describe.each(GAMES)('the splits of %s', (_, make) => {
  it('never share a task', () => {
    const [train, test] = [keys(make({ split: 'train' }), 300), keys(make({ split: 'test' }), 300)];
    expect([...train].filter((key) => test.has(key) || splitOf(key) !== 'train')).toEqual([]);
    expect([...test].filter((key) => splitOf(key) !== 'test')).toEqual([]);
  });

  it('together play every episode of the game without a split, in the same order', () => {
    for (const split of ['train', 'test'] as const) {
      const [some, all] = [make({ split }), make()];
      const wanted: unknown[] = [];
      for (let info = infoOf(all, 7); wanted.length < 5; info = infoOf(all)) {
        if (splitOf(info.taskKey as string) === split) wanted.push(info);
      }
      expect([infoOf(some, 7), ...Array.from({ length: 4 }, () => infoOf(some))]).toEqual(wanted);
    }
  });

  it('contain only their own tasks, and repeat an episode from its seed', () => {
    fc.assert(
      fc.property(fc.nat(), fc.constantFrom('train' as const, 'test' as const), (seed, split) => {
        const info = infoOf(make({ split }), seed);
        expect(splitOf(info.taskKey as string)).toBe(split);
        expect(infoOf(make({ split }), seed)).toEqual(info);
      }),
      { numRuns: 20 },
    );
  });

  it('are `train` and `test`', () => {
    expect(() => make({ split: 'valid' as 'train' })).toThrow('Invalid split: "valid".');
  });
});

describe('the number of tasks', () => {
  const sides = (keys: readonly string[]) => {
    const test = keys.filter((key) => splitOf(key) === 'test').length;
    return [keys.length - test, test];
  };

  it('is in docs/splits.md', () => {
    const hands = numbersUpTo(10);
    const solvable = hands.filter((numbers) => isSolvable(numbers, { target: 24 }));
    const keysOf = (some: readonly (readonly number[])[]) => some.map((numbers) => handKey('points24', numbers, 24));
    expect(sides(keysOf(hands))).toEqual([561, 154]);
    // 3, 3, 8, 8 needs thirds, which are not exact in floating point: 8 / (3 - 8 / 3) is not 24.
    expect(sides(keysOf(solvable))).toEqual([443, 122]);
    expect(sides([...keys(new EZPointsEnv({ size: SIZE }), 2000)])).toEqual([6, 1]);
    expect(sides([...keys(new NumberLineEnv({ size: SIZE }), 2000)])).toEqual([25, 5]);
    expect(sides([...keys(new BlackjackEnv({ size: SIZE }), 15_000)])).toEqual([444, 106]);
  });

  it('of one split can be 0, which throws an error', () => {
    const env = new NumberLineEnv({ size: SIZE, maxPosition: 1, split: 'test' });
    expect(() => env.reset({ seed: 0 })).toThrow(expect.objectContaining({ code: 'EMPTY_SPLIT' }));
  });
});

describe('the key of a task', () => {
  it('passes through wrappers', async () => {
    const env = (await make('vlgym/EZPoints-v1')).pipe(timeLimit(5), recordEpisodeStatistics(), history(2));
    expect((await env.reset({ seed: 0 })).info.taskKey).toBe('ezpoints:4,8->12');
  });

  it.each(['next-step', 'same-step', 'disabled'] as const)(
    'comes with each reset of a vector, %s',
    async (autoreset) => {
      const options = { size: SIZE, split: 'train' } as const;
      const envs = await makeVec('vlgym/Blackjack-v1', { numEnvs: 3, autoreset, options });
      const { infos } = await envs.reset({ seed: 5 });
      const found = infos.map(({ taskKey }) => taskKey as string);
      for (let step = 0; step < 12 && autoreset !== 'disabled'; step += 1) {
        const stand = await envs.step([0, 0, 0]);
        found.push(...stand.infos.flatMap(({ taskKey }) => (taskKey as string | undefined) ?? []));
      }
      await envs.close();
      expect(found.length).toBe({ 'next-step': 21, 'same-step': 39, disabled: 3 }[autoreset]);
      expect(found.filter((key) => splitOf(key) !== 'train')).toEqual([]);
    },
  );
});

/** Every multiset of four numbers from 1 to `highest`. */
function numbersUpTo(highest: number): number[][] {
  const hands: number[][] = [];
  for (let a = 1; a <= highest; a += 1) {
    for (let b = a; b <= highest; b += 1) {
      for (let c = b; c <= highest; c += 1) for (let d = c; d <= highest; d += 1) hands.push([a, b, c, d]);
    }
  }
  return hands;
}
