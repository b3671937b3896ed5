/** `RandomState` agrees with NumPy call by call, and continues from a saved state. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { RandomState, type RandomStateData } from './index.js';

type Call = [name: string, args: never[], answer: unknown];
const golden = JSON.parse(
  readFileSync(new URL('../../../../test/golden/numpy-random-state.json', import.meta.url), 'utf8'),
) as { runs: { seed: number; calls: Call[]; index: number; words: number[]; gauss: number | null }[] };

function answer(state: RandomState, name: string, args: readonly unknown[]): unknown {
  const [first, second, third, fourth] = args as [number, number, number, number[] | null];
  switch (name) {
    case 'randint':
      return state.randint(first, second);
    case 'randints':
      return state.randint(first, second, third);
    case 'choice':
      return state.choice(first, { size: second, replace: Boolean(third), p: fourth ?? undefined });
    case 'permutation':
      return state.permutation(first);
    case 'shuffle': {
      const items = Array.from({ length: first }, (_, index) => index);
      state.shuffle(items);
      return items;
    }
    case 'random':
      return state.random();
    default:
      return name === 'uniform' ? state.uniform(first, second) : state.normal(first, second);
  }
}

describe.each(golden.runs)('seed $seed', ({ seed, calls, index, words, gauss }) => {
  it('answers 250 mixed calls as NumPy does', () => {
    const state = new RandomState(seed);
    for (const [at, [name, args, wanted]] of calls.entries()) {
      const given = answer(state, name, args);
      // Math.log may differ in the last bit
      if (name === 'normal') expect(given, `call ${at}`).toBeCloseTo(wanted as number, 12);
      else expect(given, `call ${at}, ${name}`).toEqual(wanted);
    }
    const saved = state.getState();
    expect([saved.index, saved.words[0], saved.words[623]]).toEqual([index, ...words]);
    if (gauss === null) expect(saved.gauss).toBeNull();
    else expect(saved.gauss).toBeCloseTo(gauss, 12);
  });

  it('continues from a saved state, with the second normal number of a pair', () => {
    const state = new RandomState(seed);
    state.normal();
    const other = new RandomState(0);
    other.setState(JSON.parse(JSON.stringify(state.getState())) as RandomStateData);
    const draw = (from: RandomState) => [from.normal(), from.normal(), from.randint(1000), from.random()];
    expect(draw(other)).toEqual(draw(state));
  });
});

it.each([-1, 0.5, 2 ** 32, Number.NaN, '7'])('refuses the seed %j', (seed) => {
  expect(() => new RandomState(seed as number)).toThrow(expect.objectContaining({ code: 'INVALID_SEED' }));
});

it.each<[string, (state: RandomState) => unknown]>([
  ['an empty range', (state) => state.randint(3, 3)],
  ['a range beyond the safe integers', (state) => state.randint(-(2 ** 53) + 1, 2 ** 53 - 1)],
  ['more different items than there are', (state) => state.choice(3, { size: 4, replace: false })],
  ['a negative deviation', (state) => state.normal(0, -1)],
  ['bounds too far apart', (state) => state.uniform(-1e308, 1e308)],
])('refuses %s and draws nothing', (_, draw) => {
  const state = new RandomState(1);
  expect(() => draw(state)).toThrow(expect.objectContaining({ code: 'INVALID_DRAW' }));
  expect(state.random()).toBe(new RandomState(1).random());
});

it.each([undefined, {}, { gauss: null }, { ...new RandomState(1).getState(), gauss: 'x' }])(
  'refuses %j as a state',
  (state) => {
    expect(() => new RandomState(1).setState(state as RandomStateData)).toThrow(
      expect.objectContaining({ code: 'INVALID_STATE' }),
    );
  },
);
