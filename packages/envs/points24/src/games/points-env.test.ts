import { GymError, InvalidActionError, ResetNeededError } from '@vlgym/core';
import { PythonRandom } from '@vlgym/core/random';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSolvable } from '../solver/solve.js';
import { EZPointsEnv, EZPointsV1Env } from './ez-points.js';
import type { PointsEnv } from './points-env.js';
import { Points24Env, Points24V1Env } from './points24.js';

/** Plays entries like `'(7+10)=` by their labels. */
function play(env: PointsEnv, text: string) {
  const labels = env.actionSpace.labels!;
  return (text.match(/1[0-3]|\S/g) ?? []).map((label) => env.step(labels.indexOf(label)));
}

const outcome = ({ reward, terminated, truncated }: { reward: number; terminated: boolean; truncated: boolean }) =>
  `${reward}${terminated ? ' terminated' : ''}${truncated ? ' truncated' : ''}`;

const cards = ['H3', 'S3', 'D8', 'C8'];

describe('Points24-v0, as published', () => {
  it.each([
    ['a formula that makes 24', ['H4', 'S6', 'DA', 'CA'], '4*6*1*1=', '10 terminated'],
    ['joined digits', ['H2', 'S4', 'DA', 'CA'], '24+1-1=', '10 terminated'],
    ['a power', ['H2', 'S3', 'D3', 'CA'], '2**3*3*1=', '10 terminated'],
    ['a floor division', ['HT', 'S2', 'D5', 'CA'], '(10//2)*5-1=', '10 terminated'],
    ['the value without all cards', ['H4', 'S6', 'DA', 'CA'], '4*6=', '-1 terminated'],
    ['a value that doubles miss', cards, '8/(3-8/3)=', '-1 terminated'],
    ['an error', cards, '8/(3-3)+8=', '-1 terminated'],
    ['nothing at all', cards, '=', '-1 terminated'],
    ['a court card as ten', ['HK', 'SQ', 'D4', 'CA'], '10+10+4*1=', '10 terminated'],
  ])('rewards %s', (_, hand, text, expected) => {
    const env = new Points24Env();
    env.reset({ options: { cards: hand } });
    expect(outcome(play(env, text).at(-1)!)).toBe(expected);
  });

  it('penalizes an unavailable number with -1 and a blank in the formula, without a reason', () => {
    const env = new Points24Env();
    env.reset({ options: { cards } });
    const [first, second, third] = play(env, '8 5 3');
    expect([first, second, third].map((step) => step!.reward)).toEqual([0, -1, 0]);
    expect(third!.info).toEqual({ Cards: cards, Numbers: [3, 3, 8, 8], Formula: [8, ' ', 3] });
  });

  it('accepts 21 entries, then ignores the next action, even "=", and truncates', () => {
    const env = new Points24Env();
    env.reset({ options: { cards: ['H4', 'S6', 'DA', 'CA'] } });
    const steps = play(env, `${'('.repeat(21)}=+`);
    expect(steps.slice(0, 21).map(outcome)).toEqual(Array(21).fill('0'));
    expect(steps.slice(21).map(outcome)).toEqual(['-1 truncated', '-1 truncated']);
    expect(steps.at(-1)!.info.Formula).toHaveLength(21);
  });

  it('has 20 actions if court cards count as 11, 12, 13', () => {
    const env = new Points24Env({ treatFaceCardsAs10: false });
    env.reset({ options: { cards: ['HJ', 'SK', 'DA', 'CA'] } });
    expect(env.actionSpace.n).toBe(20);
    expect(outcome(play(env, '11+13*1*1=').at(-1)!)).toBe('10 terminated');
  });
});

describe('EZPoints-v0, as published', () => {
  it('accepts six entries and truncates at the seventh action', () => {
    const env = new EZPointsEnv();
    env.reset({ options: { cards: ['H3', 'S4'] } });
    expect(play(env, '3*9994=').map(outcome)).toEqual(['0', '0', '-1', '-1', '-1', '0', '-1 truncated']);
  });

  it('deals solvable hands', () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const { Numbers } = new EZPointsEnv({ size: { height: 16, width: 16 } }).reset({ seed }).info;
        const [a = 0, b = 0] = Numbers;
        expect([a + b, a * b]).toContain(12);
      }),
    );
  });
});

describe('Points24-v1, after the paper', () => {
  it.each([
    ['a number that is not in the hand', '5', 'number-unavailable'],
    ['a number used up', '8-8*8', 'number-unavailable'],
    ['digits side by side', '38', 'digits-joined'],
    ['a power', '3**', 'operator-doubled'],
    ['a floor division', '3//', 'operator-doubled'],
  ])('answers %s with -1 and leaves the formula alone', (_, text, reason) => {
    const env = new Points24V1Env();
    env.reset({ options: { cards } });
    const steps = play(env, text);
    const [last, before] = [steps.at(-1)!, steps.at(-2)?.info.Formula ?? []];
    expect(outcome(last)).toBe('-1');
    expect(last.info).toEqual({ Cards: cards, Numbers: [3, 3, 8, 8], Formula: before, Illegal: reason });
  });

  it('allows valid arithmetic: two signs, parentheses, an unfinished formula', () => {
    const env = new Points24V1Env();
    env.reset({ options: { cards: ['H2', 'S3', 'D4', 'CA'] } });
    expect(play(env, '-(2--3)*)(=').map(outcome)).toEqual([...Array(9).fill('0'), '0', '-1 terminated']);
  });

  it('truncates after 20 actions, and executes the twentieth', () => {
    const env = new Points24V1Env();
    env.reset({ options: { cards } });
    expect(play(env, '5'.repeat(20)).map(outcome)).toEqual([...Array(19).fill('-1'), '-1 truncated']);
    env.reset({ options: { cards: ['H4', 'S6', 'DA', 'CA'] } });
    expect(outcome(play(env, `${'(('.repeat(3)}4*6*1*1${')'.repeat(6)}=`).at(-1)!)).toBe('10 terminated');
    const short = new Points24V1Env({ maxSteps: 2 });
    short.reset({ options: { cards } });
    expect(play(short, '8=').map(outcome)).toEqual(['0', '-1 terminated']);
  });

  it('deals the hands of -v0, or only solvable ones', () => {
    for (let seed = 0; seed < 50; seed += 1) {
      const published = new Points24Env().reset({ seed }).info;
      expect(new Points24V1Env().reset({ seed }).info).toEqual(published);
      const solvable = new Points24V1Env({ solvableOnly: true }).reset({ seed }).info;
      expect(isSolvable(solvable.Numbers)).toBe(true);
      if (isSolvable(published.Numbers)) expect(solvable).toEqual(published);
    }
  });

  it('plays for other targets', () => {
    const env = new Points24V1Env({ target: 36, solvableOnly: true, faceCardsAsTen: false });
    env.reset({ seed: 3 });
    let reward = 0;
    for (let action = env.oracle(); action !== undefined && reward === 0; action = env.oracle()) {
      ({ reward } = env.step(action));
    }
    expect(reward).toBe(10);
  });

  it('throws an error for an unreachable target instead of dealing forever', () => {
    expect(() => new Points24V1Env({ target: 999_999, solvableOnly: true }).reset({ seed: 0 })).toThrow(
      'No solvable hand found for target 999999',
    );
  });

  it('masks exactly the actions that cost 1', () => {
    const env = new Points24V1Env();
    fc.assert(
      fc.property(fc.nat(), fc.array(fc.nat(16), { maxLength: 19 }), (seed, actions) => {
        env.reset({ seed });
        for (const action of actions) {
          const allowed = env.actionMask()[action];
          const { info, terminated } = env.step(action);
          expect(info.Illegal === undefined).toBe(allowed === 1);
          if (terminated) break;
        }
      }),
    );
  });
});

const size = { height: 28, width: 56 };
const GAMES = [
  ['EZPoints-v0', () => new EZPointsEnv({ size })],
  ['Points24-v0', () => new Points24Env({ size })],
  ['EZPoints-v1', () => new EZPointsV1Env({ size })],
  ['Points24-v1', () => new Points24V1Env({ size })],
] as const;

describe.each(GAMES)('the expert of %s', (_, make) => {
  it('wins from every state with an oracle action, even after random actions', () => {
    fc.assert(
      fc.property(fc.nat(), fc.array(fc.nat(12), { maxLength: 3 }), (seed, beginning) => {
        const env = make();
        env.reset({ seed });
        for (const action of beginning) if (env.step(action).terminated) return;
        if (env.oracle() === undefined) return;
        let step = env.step(env.oracle()!);
        while (!step.terminated && !step.truncated) {
          const action = env.oracle();
          expect(action).toBeDefined();
          step = env.step(action!);
        }
        expect(step.reward).toBe(10);
      }),
      { numRuns: 25 },
    );
  });

  it('ends hopeless hands with "="', () => {
    const env = make();
    const seeds = Array.from({ length: 30 }, (_, seed) => seed);
    for (const seed of seeds) {
      env.reset({ seed });
      const plus = env.actionSpace.labels!.indexOf('*');
      env.step(plus); // no formula can start with `*`
      expect(env.oracle()).toBeUndefined();
      expect(env.actionSpace.labels![env.expert()]).toBe('=');
    }
  });
});

describe.each(GAMES)('%s', (_, make) => {
  it('continues from a snapshot as if nothing had happened, generator included', () => {
    const env = make();
    env.reset({ seed: 5 });
    env.step(2);
    const saved = JSON.parse(JSON.stringify(env.snapshot()));
    const onwards = (game: PointsEnv) => [game.step(10), game.step(3), game.reset(), game.step(0)];
    const expected = onwards(env);
    const other = make();
    other.restore(saved);
    expect(onwards(other)).toEqual(expected);
    env.restore(saved);
    expect(onwards(env)).toEqual(expected);
  });

  it('continues with its own generator without a seed', () => {
    const env = make();
    env.reset({ seed: 9 });
    const next = env.reset().info;
    const other = make();
    other.reset({ seed: 9 });
    new PythonRandom(1).random();
    make().reset({ seed: 1 });
    expect(other.reset().info).toEqual(next);
  });

  it('returns infos that later steps and callers cannot change', () => {
    const env = make();
    const { info } = env.reset({ seed: 0 });
    const copy = structuredClone(info);
    env.step(10);
    expect(info).toEqual(copy);
    info.Numbers.length = 0;
    info.Formula.push('tampered');
    expect(env.step(10).info.Numbers).toEqual(copy.Numbers);
  });

  it('describes its actions for people and has a key for each', () => {
    const env = make();
    expect(env.describeAction(0)).toBe('append 1');
    expect(env.describeAction(env.actionSpace.n - 1)).toBe('end with =');
    expect(Object.values(env.keys).sort((a, b) => a - b)).toEqual([...Array(env.actionSpace.n).keys()]);
    expect(env.keys['0']).toBe(9);
  });

  it('refuses invalid calls with a reason', () => {
    const env = make();
    expect(() => env.step(0)).toThrow(ResetNeededError);
    expect(() => env.render()).toThrow(ResetNeededError);
    env.reset({ seed: 0 });
    for (const action of [-1, 99, 1.5, Number.NaN]) expect(() => env.step(action)).toThrow(InvalidActionError);
    expect(() => env.reset({ options: { cards: ['H1'] } })).toThrow(GymError);
    expect(() => env.restore({ kind: 'chess/1', state: {} })).toThrow('The snapshot is of kind "chess/1"');
    env.close();
    expect(() => env.reset()).toThrow('closed');
  });
});

it('draws the hand as text for terminals', () => {
  const env = new Points24Env({ renderMode: 'ansi' });
  env.reset({ options: { cards: ['HT', 'SQ', 'D4', 'CA'] } });
  play(env, '10+');
  expect(env.render()).toBe(
    [
      '╭────╮ ╭────╮ ╭────╮ ╭────╮',
      '│10♥ │ │ Q♠ │ │ 4♦ │ │ A♣ │',
      '╰────╯ ╰────╯ ╰────╯ ╰────╯',
      'Target 24   Formula: 10 +',
      '',
    ].join('\n'),
  );
});

it.each([
  [() => new Points24Env({ target: 2.5 }), 'target'],
  [() => new Points24V1Env({ maxSteps: 0 }), 'maxSteps'],
  [() => new EZPointsEnv({ size: { height: 300, width: 2 } }), 'size'],
  [() => new EZPointsEnv({ dialogue: 'klingon' as 'rl4vlm-v1' }), 'dialogue'],
])('refuses an option that makes no sense: %#', (make, option) => {
  expect(make).toThrow(`Invalid ${option}`);
});
