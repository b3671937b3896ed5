/** Levels, steps, texts and pictures agree with recorded runs of baba-is-ai under BALROG's wrapper. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { checkEnv } from '@vlgym/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  BABA_ACTIONS,
  BABA_INSTRUCTION,
  BABA_LEVELS,
  BabaEnv,
  type BabaLevel,
  type BabaOptions,
  type BabaTextAndImage,
} from '../index.js';
import { describeRules } from './describe.js';
import { BabaGame } from './game.js';
import { Grid } from './grid.js';
import { Rules } from './rules.js';
import { item, type Thing, type Word, wordBlock } from './things.js';

interface Episode {
  task: BabaLevel;
  seed: number;
  text: string;
  image: string;
  steps: [action: (typeof BABA_ACTIONS)[number], reward: number, done: boolean, text: string, frame: string][];
  progression: number;
}
const file = (name: string) => readFileSync(new URL(`../../../../../test/golden/${name}`, import.meta.url));
const golden = JSON.parse(gunzipSync(file('balrog-baba.json.gz')).toString()) as Episode[];

const shown = ({ observation }: { readonly observation: unknown }, digits: number) => {
  const { text, image } = observation as BabaTextAndImage;
  return [text, createHash('sha256').update(image.data).digest('hex').slice(0, digits)];
};

it.each(golden)('$task, seed $seed', ({ task, seed, ...wanted }) => {
  const env = new BabaEnv({ level: task, broken: 'as-published' });
  expect(shown(env.reset({ seed }), 16)).toEqual([wanted.text, wanted.image]);
  let progression = 0;
  for (const [action, reward, done, text, frame] of wanted.steps) {
    const step = env.step(BABA_ACTIONS.indexOf(action));
    expect([step.reward, step.terminated, ...shown(step, 8)]).toEqual([reward, done, text, frame]);
    progression = step.info.progression;
  }
  expect(progression).toBe(wanted.progression);
});

it('has the levels and the words of BALROG', () => {
  expect([...BABA_LEVELS].sort()).toEqual([...new Set(golden.map(({ task }) => task))].sort());
  const { balrog } = JSON.parse(file('transfer/prompts.json').toString()) as { balrog: { babaisai: string } };
  expect(BABA_INSTRUCTION).toBe(balrog.babaisai);
});

it('describes the new level after a step that leaves nobody "you"', () => {
  const env = new BabaEnv({ level: 'env/two_room-make_you', observation: 'text' });
  env.reset({ seed: 0 });
  const [first] = golden.filter(({ task }) => task === 'env/two_room-make_you');
  const texts = first!.steps.slice(0, 4).map(([action]) => env.step(BABA_ACTIONS.indexOf(action)).observation);
  expect(texts[3]).toMatch(/^\[\.\.\.\] IS YOU rule was broken, environment reset\n\nActive rules:\nwall is stop\n/);
  expect(texts[3]).not.toContain('0x0');
});

it('ends after a hundred steps, also if the level was started again on the way', () => {
  const env = new BabaEnv();
  env.reset({ seed: 0 });
  const steps = Array.from({ length: 100 }, () => env.step(0));
  expect(steps.map(({ truncated }) => truncated).indexOf(true)).toBe(99);
  expect(steps[99]!.info.success).toBe(false);
});

describe('the expert', () => {
  const win = (level: BabaLevel, seed: number) => {
    const env = new BabaEnv({ level, observation: 'text' });
    env.reset({ seed });
    for (let steps = 1; ; steps += 1) {
      const action = env.oracle();
      if (action === undefined) return undefined;
      const { reward, terminated, truncated } = env.step(action);
      if (terminated || truncated) return { reward, steps };
    }
  };

  it.each(BABA_LEVELS.filter((level) => !level.startsWith('env/two_room')))('wins %s', (level) => {
    for (let seed = 0; seed < 2; seed += 1) {
      const { reward, steps } = win(level, seed)!;
      expect(reward).toBe(1 - 0.9 * (steps / 100));
    }
  });

  it('walks to what wins in two rooms', () => {
    for (let seed = 0; seed < 5; seed += 1) expect(win('env/two_room-goto_win', seed)!.reward).toBeGreaterThan(0.7);
  });
});

describe('rules', () => {
  const row = (...words: readonly (Word | Thing | undefined)[]) => {
    const grid = new Grid(words.length, 3);
    for (const [x, word] of words.entries()) {
      if (word !== undefined) grid.put([x, 1], typeof word === 'string' ? wordBlock(word) : word);
    }
    return grid;
  };

  it.each<[string, readonly (Word | Thing | undefined)[], readonly string[]]>([
    ['three words', ['baba', 'is', 'you'], ['baba is you']],
    ['a word under nothing', ['is', 'you', 'baba'], []],
    ['a gap', ['baba', undefined, 'is', 'you'], []],
    ['a thing in place of its word', [item('key'), 'is', 'win'], []],
    ['two that share a word', ['key', 'is', 'win', 'is', 'stop'], ['key is win']],
    ['one thing is another', ['key', 'is', 'door'], []],
  ])('%s', (_, words, wanted) => {
    expect(describeRules(new Rules(row(...words)).all)).toEqual(wanted);
  });

  it('turn what is seen into something else, and keep what lies below', () => {
    const grid = row(item('baba'), undefined, 'key', 'is', 'door', undefined, item('key', 'red'));
    for (const [x, word] of (['baba', 'is', 'you'] as const).entries()) grid.put([x, 2], wordBlock(word));
    const game = new BabaGame(grid, { steps: 0, direction: 0, at: [0, 1] });
    game.advance(BABA_ACTIONS.indexOf('right'));
    expect(grid.stacks[grid.at(6, 1)]).toMatchObject([{ name: 'key' }, { name: 'door', color: 'red' }]);
  });
});

const OPTIONS: readonly BabaOptions[] = [
  { observation: 'image' },
  { observation: 'text', dialogue: 'balrog-cot-v1', level: 'env/two_room-goto_win' },
  { split: 'test', level: 'env/make_win-distr_obj_rule', broken: 'as-published' },
];

it.each(OPTIONS)('meets the contract of every environment with %j', async (options) => {
  expect((await checkEnv(() => new BabaEnv(options), { steps: 6 })).findings).toEqual([]);
});

it('continues from a snapshot in any level', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...BABA_LEVELS),
      fc.nat(1000),
      fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 30 }),
      fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 30 }),
      (level, seed, before, after) => {
        const [env, other] = [new BabaEnv({ level, observation: 'text' }), new BabaEnv({ level, observation: 'text' })];
        env.reset({ seed });
        for (const action of before) if (env.step(action).terminated) return;
        other.restore(JSON.parse(JSON.stringify(env.snapshot())));
        for (const action of after) expect(other.step(action)).toEqual(env.step(action));
      },
    ),
    { numRuns: 60 },
  );
});

it('refuses a damaged snapshot', () => {
  const env = new BabaEnv();
  env.reset({ seed: 0 });
  const { kind, state } = env.snapshot() as { kind: string; state: { game: { stacks: unknown[][] } } };
  state.game.stacks[9] = ['border'];
  expect(() => env.restore({ kind, state })).toThrow(/border/);
});
