import { pythonStrip } from '@vlgym/core/internal';
import { PythonRandom } from '@vlgym/core/random';
import { describe, expect, it } from 'vitest';
import { golden, thirdParty } from '../../test-support/golden.js';
import { ruleAction } from '../agents/rule.js';
import { generateProducts } from '../generator/generated-store.js';
import { pythonDict, pythonFloat, pythonJson, pythonRepr, templateJson } from '../python/text.js';
import { parseAction } from '../shop/action.js';
import { Shop } from '../shop/shop.js';
import { drawnGoals, GoalDrawer } from './draw-goal.js';
import type { Goal } from './goal.js';
import { drawBound, enumeratedBounds } from './prices.js';
import { splitPart, splitRange } from './splits.js';

const { vectors } = golden('python-random');

describe('draws', () => {
  it("follow Python's generator", () => {
    const seeded = (seed: number) => new PythonRandom(seed);
    const shuffled = (n: number) => {
      const list = Array.from({ length: n }, (_, index) => index);
      seeded(233).shuffle(list);
      return list.slice(0, 20);
    };
    for (const n of [5, 10, 79, 499, 1000, 12_087])
      expect(shuffled(n)).toEqual(vectors[`seed233_shuffle_range_${n}_head20`]);
    const [sample, uniform] = [seeded(7), seeded(7)];
    expect(Array.from({ length: 10 }, () => sample.sample([10, 20, 30, 40], 2))).toEqual(
      vectors.seed7_sample2_of_4_x10,
    );
    expect(Array.from({ length: 5 }, () => uniform.uniform(9.99, 24.5))).toEqual(vectors['seed7_uniform_9.99_24.5_x5']);
    expect(seeded(7).sample(1000, 50)).toEqual(vectors.seed7_sample50_of_1000);
    expect(seeded(7).choices('abcdefghijklmnopqrstuvwxyz', { k: 10 }).join('')).toBe(vectors.seed7_choices_lower_k10);
  });

  it('of goals follow the original, including its bug', () => {
    const { weights, draws } = vectors.seed24_random_idx;
    const random = new PythonRandom(24);
    expect(weights.map(() => random.randint(0, 10))).toEqual(weights); // the vector draws its weights first
    const drawer = new GoalDrawer(weights.map((weight: number) => ({ weight })));
    expect(draws.map(() => drawer.index(random))).toEqual(draws);
  });

  it('reach the first goal only with the bug fixed', () => {
    const goals = [{ weight: 1 }, { weight: 1 }, { weight: 1 }];
    const counts = (draw: 'parity' | 'fixed') => {
      const [drawer, random, seen] = [new GoalDrawer(goals, draw), new PythonRandom(0), [0, 0, 0]];
      for (let turn = 0; turn < 3000; turn += 1) seen[drawer.index(random)]! += 1;
      return seen.map((count) => Math.round(count / 1000));
    };
    expect(counts('parity')).toEqual([0, 1, 2]);
    expect(counts('fixed')).toEqual([1, 1, 1]);
  });

  it('bound prices by the next multiples of ten, and not from 980 dollars', () => {
    const random = new PythonRandom(0);
    for (let turn = 0; turn < 50; turn += 1) expect([30, 40, 50]).toContain(drawBound(19.99, random).priceUpper);
    expect(drawBound(970, random)).toEqual({ priceUpper: 990, text: ', and price lower than 990.00 dollars' });
    expect(drawBound(980, random)).toEqual({ priceUpper: 1_000_000, text: '' });
  });

  it.each([
    [19.99, [20, 30, 40, 50]],
    [20, [30, 40, 50, 60]],
    [965, [970, 980, 990]],
    [985, [1e6, 1e6, 1e6, 1e6]],
  ])("enumerate AgentGym's bounds for a price of %d dollars, one goal each", (price, bounds) => {
    expect(enumeratedBounds(price).map(({ priceUpper }) => priceUpper)).toEqual(bounds);
    const product = {
      ...generateProducts({ products: 100 }).find(({ instructions }) => instructions)!,
      pricing: [price],
    };
    const shop = new Shop([product], { goals: 'human', priceBounds: 'enumerated' });
    const first = shop.goals.filter(({ attributes }) => attributes === shop.goals[0]!.attributes);
    expect(first.map(({ priceUpper }) => priceUpper).sort((a, b) => a - b)).toEqual(bounds);
  });
});

it.each([
  ['webshop', 'test', 12_087, [0, 500]],
  ['webshop', 'dev', 12_087, [500, 1500]],
  ['webshop', 'train', 12_087, [1500, 12_087]],
  ['verl-agent', 'train', 6910, [500, 6910]],
  ['agentbench', 'test', 12_087, [0, 200]],
  ['react', 'test', 79, [0, 79]],
  ['react', 'dev', 79, [0, 0]],
  ['webshop', 'all', 79, [0, 79]],
] as const)('the split %s, %s of %i goals', (scheme, part, count, range) => {
  expect(splitRange(scheme, part, count)).toEqual(range);
});

it("the split of RAGEN counts in a list that Python's generator shuffles again", () => {
  const ends = (part: 'test' | 'dev' | 'train') => {
    const { size, at } = splitPart('ragen', part, 2000);
    return [size, at(0), at(size - 1)];
  };
  // random.Random(42).shuffle(list(range(2000)))
  expect([ends('test'), ends('dev'), ends('train')]).toEqual([
    [500, 795, 1150],
    [1000, 1384, 904],
    [500, 1776, 1309],
  ]);
  expect([splitPart('ragen', 'all', 2000).at(7), splitPart('webshop', 'dev', 2000).at(7)]).toEqual([7, 507]);
});

it.each([
  [12, 11, [4, 2, 9, 10, 1, 6, 11, 3, 0, 8, 7]],
  [79, 6, [65, 72, 41, 9, 18, 68]],
])('of %i goals, %i are drawn as by the original', (count, most, expected) => {
  // the original's loop with random.seed(233) before the shuffle, weights of 1
  const random = new PythonRandom(233);
  const goals = Array.from({ length: count }, (_, name) => ({ name, weight: 1 }) as unknown as Goal);
  random.shuffle(goals);
  expect(drawnGoals(goals, most, random).map(({ name }) => name)).toEqual(expected);
});

describe("Python's formatting", () => {
  it.each([
    [9.99, '9.99'],
    [100, '100.0'],
    [1 / 3, '0.3333333333333333'],
    [1e16, '1e+16'],
    [0.00001, '1e-05'],
    [-0, '-0.0'],
  ])('the float %d', (value, text) => expect(pythonFloat(value)).toBe(text));

  it.each([
    ['black', "'black'"],
    ["6' x 9'", '"6\' x 9\'"'],
    ['\'"', "'\\'\"'"],
    ['a\n\\\u00a0\u200b\u{1f600}é', "'a\\n\\\\\\xa0\\u200b\u{1f600}é'"],
  ])('the string %j', (value, text) => expect(pythonRepr(value)).toBe(text));

  it('maps, JSON, and JSON for templates', () => {
    const map = new Map([
      ['size', "6' <x>"],
      ['color', 'café'],
    ]);
    expect(pythonDict(map)).toBe("{'size': \"6' <x>\", 'color': 'café'}");
    expect(pythonJson(map)).toBe('{"size": "6\' <x>", "color": "caf\\u00e9"}');
    expect(templateJson(map)).toBe('{"color": "caf\\u00e9", "size": "6\\u0027 \\u003cx\\u003e"}');
  });

  it('stripped text', () => {
    expect(pythonStrip('\u001c\u0085 \u3000a b\u00a0\n')).toBe('a b');
    expect(pythonStrip('\ufeffa \ufeff ')).toBe('\ufeffa \ufeff');
  });
});

const human = thirdParty('human_goals.json');

describe.skipIf(!human)(
  `the crowd-written instructions${human ? '' : ' (skipped: VLGYM_WEBSHOP_DATA has no human_goals.json)'}`,
  () => {
    it('all make a search that is parsed completely', () => {
      const instructions = JSON.parse(human ?? '[]') as string[];
      expect(instructions).toHaveLength(12_087);
      for (const instruction of instructions) {
        const info = { page: 'index', instruction, availableActions: { hasSearchBar: true, clickables: [] } } as never;
        expect(parseAction(ruleAction(info))).toEqual({
          name: 'search',
          argument: instruction.replace(/[[\]\n]/g, ' ').toLowerCase(),
        });
      }
    });
  },
);
