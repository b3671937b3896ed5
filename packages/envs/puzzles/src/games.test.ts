/** Experts solve, snapshots continue, splits divide, thoughts are judged, and wrong options are refused. */
import { type AnyEnv, make, messageText, promptImages, readResponse, splitOf } from '@vlgym/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FrozenLakeEnv, SokobanEnv, VagenLakeEnv, VagenSokobanEnv } from './index.js';

async function play(env: AnyEnv, seed: number): Promise<number> {
  await env.reset({ seed });
  for (let total = 0, steps = 0; ; steps += 1) {
    const action = env.oracle!();
    if (action === undefined || steps > 200) return Number.NaN;
    const { reward, terminated, truncated } = await env.step(action);
    total += reward;
    if (terminated || truncated) return total;
  }
}

describe('the expert', () => {
  it('solves small rooms with two boxes', async () => {
    for (let seed = 0; seed < 4; seed += 1) {
      expect(await play(new SokobanEnv({ rows: 6, columns: 6, boxes: 2 }), seed)).toBeGreaterThan(5);
    }
  });

  it("solves VAGEN's rooms and lakes: a success, and the pay of each turn", async () => {
    for (let seed = 0; seed < 10; seed += 1) {
      expect(await play(new VagenSokobanEnv(), seed)).toBeGreaterThan(1);
      expect(await play(new VagenLakeEnv(), seed)).toBeGreaterThan(1);
    }
  });

  it('reaches the goal of slippery ice as often as the best policy does, 0.74 in a hundred steps', async () => {
    const env = await make('FrozenLake-v1');
    const totals = [];
    for (let seed = 0; seed < 150; seed += 1) totals.push(await play(env, seed));
    const share = totals.filter((total) => total === 1).length / totals.length;
    expect(share).toBeGreaterThan(0.62);
    expect(share).toBeLessThan(0.86);
  });
});

describe('a snapshot', () => {
  const games: readonly (readonly [string, () => AnyEnv, fc.Arbitrary<unknown>])[] = [
    ['Sokoban', () => new SokobanEnv({ rows: 6, columns: 6, boxes: 1 }), fc.integer({ min: 0, max: 8 })],
    ['FrozenLake', () => new FrozenLakeEnv(), fc.integer({ min: 0, max: 3 })],
    [
      "VAGEN's Sokoban",
      () => new VagenSokobanEnv(),
      fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 3 }),
    ],
    [
      "VAGEN's lake",
      () => new VagenLakeEnv({ isSlippery: true }),
      fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 5 }),
    ],
  ];

  it.each(games)('of %s continues exactly', async (_, create, action) => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(1e6),
        fc.array(action, { maxLength: 8 }),
        fc.array(action, { maxLength: 8 }),
        async (seed, before, after) => {
          const [first, second] = [create(), create()];
          await first.reset({ seed });
          for (const each of before) await first.step(each);
          await second.restore!(JSON.parse(JSON.stringify(await first.snapshot!())));
          for (const each of after) expect(await second.step(each)).toEqual(await first.step(each));
          expect(await second.reset()).toEqual(await first.reset());
        },
      ),
      { numRuns: 6 },
    );
  });

  it.each<[string, object]>([
    ['a box in a wall', { state: '4' }],
    ['two players', { fixed: '0', state: '5' }],
    ['too few cells', { fixed: '00', state: '00' }],
  ])('with %s is refused', (_, damage) => {
    const env = new SokobanEnv({ rows: 6, columns: 6, boxes: 1 });
    env.reset({ seed: 1 });
    const { kind, state } = env.snapshot() as { kind: string; state: { game: Record<string, string> } };
    const damaged = Object.fromEntries(
      Object.entries(damage as Record<string, string>).map(([key, cells]) => [
        key,
        cells.length === 1 ? `${cells}${state.game[key]!.slice(1)}` : cells,
      ]),
    );
    expect(() => env.restore({ kind, state: { ...state, game: { ...state.game, ...damaged } } })).toThrow(
      expect.objectContaining({ code: 'SNAPSHOT_MISMATCH' }),
    );
  });
});

it.each(['Sokoban-v0', 'vagen/Sokoban-v0', 'vagen/FrozenLake-v0'])(
  'the splits of %s never share a task',
  async (id) => {
    const options = id === 'Sokoban-v0' ? { rows: 6, columns: 6, boxes: 1 } : {};
    for (const split of ['train', 'test'] as const) {
      const env = await make(id, { options: { ...options, split } as never });
      for (let seed = 0; seed < 8; seed += 1) {
        const { info } = await env.reset({ seed });
        expect(splitOf((info as { taskKey: string }).taskKey)).toBe(split);
      }
    }
  },
);

describe("VAGEN's words", () => {
  const env = new VagenSokobanEnv();
  const { observation, info } = env.reset({ seed: 2 });
  const judge = (observed: string) =>
    readResponse(
      env.dialogue,
      `<observation>${observed}</observation><think>t</think><answer>Up</answer><prediction>p</prediction>`,
      { observation, info, history: [] },
    ).thoughtCorrect;

  it.each<[string, boolean | undefined]>([
    ['The box is below and same column of the player, and the target is below and right of the player', true],
    ['The box is above and right of the player', false],
    ['I see a room', undefined],
  ])('"%s" is %s', (observed, verdict) => {
    expect(judge(observed)).toBe(verdict);
  });

  it('repeat the conversation, with the actions that were read', () => {
    const text = '<observation>o</observation><think>t</think><answer>Down, Jump</answer><prediction>p</prediction>';
    const { action, formatValid } = env.dialogue.parse(text);
    expect([action, formatValid]).toEqual([[1], false]);
    const messages = env.dialogue.prompt({ observation, info, history: [{ observation, text, action, reward: 0.1 }] });
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
    expect(messageText(messages[3]!)).toBe(
      `After your answer, the extracted valid action is ['down'].\nAfter that, the observation is:\n${observation}\nDecide your next action(s).`,
    );
  });

  it('show the picture between them', () => {
    const pictured = new VagenLakeEnv({ observation: 'image' });
    const begun = pictured.reset({ seed: 0 });
    const messages = pictured.dialogue.prompt({ ...begun, history: [] });
    expect(promptImages(messages)).toHaveLength(1);
    expect(messageText(messages[1]!)).toContain('[Initial Observation]:');
  });
});

it.each<[string, () => unknown, string]>([
  ['rows of a map that differ', () => new FrozenLakeEnv({ desc: ['SF', 'G'] }), 'INVALID_OPTION'],
  ['a map without a start', () => new FrozenLakeEnv({ desc: ['FF', 'FG'] }), 'INVALID_OPTION'],
  ['a folder without tiles', () => new SokobanEnv({ assets: '/nowhere' }), 'ASSETS_MISSING'],
  ['an unknown option', () => new VagenSokobanEnv({ maxAction: 3 } as object), 'UNKNOWN_OPTION'],
  ['a word that is none', () => new VagenSokobanEnv().step([4]), 'INVALID_ACTION'],
])('%s is refused', (_, act, code) => {
  expect(act).toThrow(expect.objectContaining({ code }));
});

it('a turn is cut to its most actions, and pays nothing without one', () => {
  const [cut, long] = [new VagenSokobanEnv(), new VagenSokobanEnv()];
  cut.reset({ seed: 4 });
  long.reset({ seed: 4 });
  expect(long.step([1, 1, 2, 0, 0])).toEqual(cut.step([1, 1, 2]));
  expect(cut.step([]).reward).toBe(0);
});

it('draws at least three looks of a room, all of one size', () => {
  const sizes = [{}, { look: 'tiny' }, { tileSize: 16 }].map((options) => {
    const env = new SokobanEnv({ rows: 6, columns: 6, boxes: 1, ...(options as object) });
    const { height, width } = env.reset({ seed: 0 }).observation as { height: number; width: number };
    return [height, width];
  });
  expect(sizes).toEqual([
    [96, 96],
    [96, 96],
    [96, 96],
  ]);
});
