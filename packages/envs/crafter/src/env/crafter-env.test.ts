/** Snapshots continue, splits divide, thoughts are judged, renders draw nothing from the world, and wrong options are refused. */
import { make, messageText, promptImages, readResponse, splitOf } from '@vlgym/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ACTIONS, CrafterEnv, type CrafterOptions, DIALOGUE_STYLES } from '../index.js';

const SMALL: CrafterOptions = { size: 18, area: [24, 24] };
interface SavedGame {
  readonly materials: string;
  readonly things: readonly object[];
  readonly player: object;
}
const action = fc.integer({ min: 0, max: ACTIONS.length - 1 });

describe('a snapshot', () => {
  it('continues exactly, day and night', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(1e6),
        fc.integer({ min: 0, max: 200 }),
        fc.array(action, { maxLength: 30 }),
        async (seed, waits, after) => {
          const [first, second] = [new CrafterEnv(SMALL), new CrafterEnv(SMALL)];
          first.reset({ seed });
          for (let wait = 0; wait < waits; wait += 1) first.step(ACTIONS.indexOf('noop'));
          second.restore(JSON.parse(JSON.stringify(first.snapshot())));
          for (const each of after) expect(second.step(each)).toEqual(first.step(each));
          expect(second.reset()).toEqual(first.reset());
        },
      ),
      { numRuns: 10 },
    );
  });

  it.each<[string, (game: SavedGame) => object]>([
    ['a cell of no material', (game) => ({ ...game, materials: `z${game.materials.slice(1)}` })],
    ['two things in a cell', (game) => ({ ...game, things: [game.things[0], game.things[0]] })],
    ['a thing in no chunk', (game) => ({ ...game, chunks: [] })],
    ['a thing in another chunk', (game) => ({ ...game, chunks: [[99, [...game.things.keys()]]] })],
    ['a dead generator', (game) => ({ ...game, random: { words: [1], index: 0, gauss: null } })],
    ['too many lives', (game) => ({ ...game, player: { ...game.player, health: 10 } })],
  ])('with %s is refused', (_, damage) => {
    const env = new CrafterEnv(SMALL);
    env.reset({ seed: 1 });
    const { kind, state } = env.snapshot() as { kind: string; state: { game: SavedGame } };
    expect(() => env.restore({ kind, state: { ...state, game: damage(state.game) } })).toThrow(
      expect.objectContaining({ code: 'SNAPSHOT_MISMATCH' }),
    );
  });
});

it('the splits never share a world', async () => {
  for (const split of ['train', 'test'] as const) {
    const env = await make('CrafterReward-v1', { options: { ...SMALL, split } });
    for (let seed = 0; seed < 8; seed += 1) {
      const { info } = await env.reset({ seed });
      expect(splitOf((info as { taskKey: string }).taskKey)).toBe(split);
    }
  }
});

it('renders the picture of the observation at night, and leaves the world alone', () => {
  const [shown, plain] = [new CrafterEnv({ ...SMALL, renderMode: 'rgb_array' }), new CrafterEnv(SMALL)];
  shown.reset({ seed: 3 });
  plain.reset({ seed: 3 });
  for (let step = 0; step < 260; step += 1) {
    const { observation } = shown.step(0);
    expect(plain.step(0).observation).toEqual(observation);
    if (step % 20 === 0) expect(shown.render()).toEqual(observation);
  }
});

it.each(['world', 'own'] as const)(
  'night noise of the generator "%s" joins or parts worlds of two sizes',
  (nightNoise) => {
    const play = (size: number) => {
      const env = new CrafterEnv({ area: [32, 32], size, nightNoise, observation: 'image' });
      env.reset({ seed: 5 });
      for (let step = 0; step < 250; step += 1) env.step(0);
      return Buffer.from(env.game.world.everything()).toString('hex');
    };
    expect(play(18) === play(36)).toBe(nightNoise === 'own');
  },
);

it('a text without a picture sees the same world', () => {
  const worlds = (['image', 'text', 'both'] as const).map((observation) => {
    const env = new CrafterEnv({ ...SMALL, observation });
    env.reset({ seed: 6 });
    for (let step = 0; step < 250; step += 1) env.step(step % 5);
    return Buffer.from(env.game.world.everything()).toString('hex');
  });
  expect(new Set(worlds).size).toBe(1);
});

describe.each(DIALOGUE_STYLES)('%s', (dialogue) => {
  it.each(['image', 'text', 'both'] as const)('shows %s and understands its own demonstrations', (observation) => {
    const env = new CrafterEnv({ ...SMALL, dialogue, observation });
    const context = { ...env.reset({ seed: 2 }), history: [] };
    const messages = env.dialogue.prompt(context);
    expect(promptImages(messages)).toHaveLength(observation === 'text' ? 0 : 1);
    expect(messages.map(messageText).join('\n').includes('Your status:\n- health: 9/9')).toBe(observation !== 'image');
    const read = ACTIONS.map((_, at) => env.dialogue.parse(env.dialogue.demonstrate!(context, at), context));
    expect(read.map((each) => [each.action, each.formatValid])).toEqual(ACTIONS.map((_, at) => [at, true]));
  });
});

describe('a thought', () => {
  const env = new CrafterEnv(SMALL);
  const context = { ...env.reset({ seed: 2 }), history: [] };
  const judge = (thoughts: string) =>
    readResponse(env.dialogue, JSON.stringify({ thoughts, action: 'do' }), context).thoughtCorrect;

  it.each<[string, boolean | undefined]>([
    [`In front of me is ${context.info.facing}.`, true],
    ['In front of me is a diamond, so I collect it.', false],
    ['I look around.', undefined],
  ])('"%s" is %s', (thought, verdict) => {
    expect(judge(thought)).toBe(verdict);
  });
});

it('BALROG waits for an answer that names no action, and says so in the next prompt', () => {
  const env = new CrafterEnv({ area: [24, 24], size: 18 }, 'balrog/Crafter-v0');
  const { observation, info } = env.reset({ seed: 0 });
  const read = env.dialogue.parse('walk west!');
  expect([read.action, read.formatValid]).toEqual([0, false]);
  const history = [{ observation, text: 'walk west!', action: 0, reward: 0 }];
  const messages = env.dialogue.prompt({ observation, info, history });
  expect(messages.map(({ role }) => role)).toEqual(['user', 'user', 'assistant', 'user']);
  expect(messageText(messages[3]!)).toContain('Defaulted to action: Noop\n\nObservation:\n');
});

it('lends one buffer to all pictures', () => {
  const env = new CrafterEnv(SMALL);
  const frame = new Uint8Array(18 * 18 * 3);
  env.drawInto(frame);
  const { data } = env.reset({ seed: 1 }).observation as { data: Uint8Array };
  expect(data).toBe(frame);
  expect(() => env.drawInto(new Uint8Array(3))).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }));
});

it.each<[string, () => unknown, string]>([
  ['a tiny picture', () => new CrafterEnv({ size: 9 }), 'INVALID_OPTION'],
  ['a narrow map', () => new CrafterEnv({ area: [4, 64] }), 'INVALID_OPTION'],
  ['an unknown option', () => new CrafterEnv({ lenght: 3 } as object), 'UNKNOWN_OPTION'],
  ['a step before a reset', () => new CrafterEnv().step(0), 'RESET_NEEDED'],
  [
    'an action that is none',
    () => {
      const env = new CrafterEnv(SMALL);
      env.reset({ seed: 1 });
      env.step(17);
    },
    'INVALID_ACTION',
  ],
])('%s is refused', (_, act, code) => {
  expect(act).toThrow(expect.objectContaining({ code }));
});
