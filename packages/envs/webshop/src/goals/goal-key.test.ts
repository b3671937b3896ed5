/** Task keys of visits, and splits that never share a task. */
import { type Split, splitOf } from '@vlgym/core';
import { SiteEnv } from '@vlgym/site';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WebShopEnv } from '../env/text-env.js';
import type { Goal } from './goal.js';
import { goalKey } from './goal-key.js';
import { contentPart } from './splits.js';

const CATALOG = { products: 200, seed: 1 };
const content = (split: Split) => new WebShopEnv({ catalog: CATALOG, goals: 'human', splitScheme: 'content', split });
const all = new WebShopEnv({ catalog: CATALOG, goals: 'human' });

const keyOf = (env: WebShopEnv, seed: number) => env.reset({ seed }).info.taskKey!;

const GOAL: Goal = {
  asin: 'B01',
  category: 'fashion',
  query: 'shirt',
  name: 'Shirt',
  productCategory: 'Shirts',
  instruction: 'find me a shirt',
  attributes: ['easy care', 'cotton'],
  priceUpper: 30,
  goalOptions: ['red', 'large'],
  weight: 1,
};

describe('the task of a visit', () => {
  it('consists of product, wishes, and price bound', () => {
    expect(goalKey(GOAL)).toBe('webshop:B01:["cotton","easy care"]["large","red"]30');
    const synthetic = { ...GOAL, goalOptions: new Map([['size', 'large']]) };
    expect(goalKey(synthetic)).toBe('webshop:B01:["cotton","easy care"]["size: large"]30');
    const long = { ...GOAL, attributes: Array.from({ length: 40 }, (_, index) => `attribute ${index}`) };
    expect(goalKey(long)).toMatch(/^webshop:#[0-9a-f]{16}$/);
  });

  it('does not depend on the wording or on the order of wishes', () => {
    const same = { ...GOAL, instruction: 'a shirt, please', attributes: ['cotton', 'easy care'], weight: 3 };
    expect(goalKey(same)).toBe(goalKey(GOAL));
    for (const other of [{ asin: 'B02' }, { attributes: ['cotton'] }, { goalOptions: ['red'] }, { priceUpper: 40 }]) {
      expect(goalKey({ ...GOAL, ...other })).not.toBe(goalKey(GOAL));
    }
  });

  it('is in the info at reset, in every observation mode and for a goal by index', () => {
    for (let seed = 0; seed < 5; seed += 1) {
      const { info } = all.reset({ seed });
      expect(info.taskKey).toBe(goalKey(all.shop.goals[info.goalIndex]!));
      const html = new WebShopEnv({ catalog: CATALOG, goals: 'human', observationMode: 'html' });
      expect(keyOf(html, seed)).toBe(info.taskKey);
      expect(all.reset({ options: { goal: info.goalIndex } }).info.taskKey).toBe(info.taskKey);
      expect(all.step('search[shirt]').info).not.toHaveProperty('taskKey');
    }
  });

  it.each([
    [0, 'webshop:B0IC55MJ69:["hand painted","plastic free"][]530'],
    [1, 'webshop:B0E8XICG7Y:["dishwasher proof"]["purple"]50'],
  ])('is pinned for seed %i', (seed, expected) => expect(keyOf(all, seed)).toBe(expected));
});

describe('the split by content', () => {
  it('never shares a task between training and testing, and omits none', () => {
    const { goals } = all.shop;
    const indices = (['train', 'test'] as const).map((split) => {
      const { size, at } = contentPart(split, goals);
      return Array.from({ length: size }, (_, place) => at(place));
    });
    expect(indices.flat().sort((a, b) => a - b)).toEqual([...goals.keys()]);
    const keys = indices.map((side) => new Set(side.map((index) => goalKey(goals[index]!))));
    expect([...keys[0]!].filter((key) => keys[1]!.has(key))).toEqual([]);
  });

  it('is drawn from deterministically', () => {
    const [train, test] = [content('train'), content('test')];
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        expect([train, test].map((env) => splitOf(keyOf(env, seed)))).toEqual(['train', 'test']);
        expect(keyOf(test, seed)).toBe(keyOf(test, seed));
      }),
      { numRuns: 50 },
    );
  });

  it('gives about a fifth of the goals to testing', () => {
    const keys = [...new Set(all.shop.goals.map(goalKey))];
    const share = keys.filter((key) => splitOf(key) === 'test').length / keys.length;
    expect(Math.abs(share - 0.2)).toBeLessThan(4 * Math.sqrt((0.2 * 0.8) / keys.length));
  });

  it('does not change the published splits', () => {
    const options = { catalog: CATALOG, goals: 'human', split: 'train', splitScheme: 'agentbench' } as const;
    expect(() => new WebShopEnv(options)).toThrow(/too few for the part "train" of "agentbench"/);
    expect(() => new WebShopEnv({ ...options, splitScheme: 'content', split: 'dev' })).toThrow(
      /splitScheme: 'content'/,
    );
    expect(keyOf(new WebShopEnv({ catalog: CATALOG, goals: 'human', splitScheme: 'content' }), 3)).toBe(keyOf(all, 3));
  });
});

describe('tasks on a site', () => {
  const judge = () => ({ reward: 0, done: false });
  const task = (instruction: string) => ({ instruction, start: 'http://localhost:8080/', judge });

  it('are divided by address and instruction, and an empty split is an error', () => {
    const split = splitOf('site:http://localhost:8080/ Open the imprint.');
    const other = split === 'test' ? 'train' : 'test';
    const made = (side: Split) => () => new SiteEnv([task('Open the imprint.')], { split: side, screenshot: false });
    expect(made(split)).not.toThrow();
    expect(made(other)).toThrow(expect.objectContaining({ code: 'EMPTY_SPLIT' }));
  });
});
