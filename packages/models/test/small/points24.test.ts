/**
 * The examples of `npm run small -- points24`: a correct written search, and labels that the hand alone does not determine.
 */

import { Generator } from '@vlgym/core';
import { formulaEquals } from '@vlgym/points24';
import { describe, expect, it } from 'vitest';
import { examplesOf, labeled } from '../../scripts/small/batches.js';
import type { Example } from '../../scripts/small/lesson.js';
import { lessons } from '../../scripts/small/lessons.js';
import { entries, judgments, parts } from '../../scripts/small/points24-parts.js';
import {
  allTriples,
  anyFormula,
  attempts,
  judgment,
  type Pair,
  searchFor24,
} from '../../scripts/small/points24-search.js';
import { openLesson, policy } from './lesson.test-helper.js';

describe('the written search for 24', () => {
  const hands: number[][] = [];
  for (let a = 1; a <= 10; a += 1)
    for (let b = a; b <= 10; b += 1)
      for (let c = b; c <= 10; c += 1) for (let d = c; d <= 10; d += 1) hands.push([a, b, c, d]);
  const found = hands.flatMap((hand) => {
    const search = searchFor24(hand);
    return search ? [{ hand, ...search }] : [];
  });

  it('finds a formula for 556 of the 715 hands', () => expect(found).toHaveLength(556));

  it('finds formulas that use the hand and are 24, in at most 19 entries', () => {
    for (const { hand, formula } of found) {
      const numbers = formula.filter((entry) => /\d/.test(entry)).map(Number);
      expect(numbers.sort((x, y) => x - y)).toEqual(hand);
      expect(formulaEquals([formula.join('')], 24), formula.join('')).toBe(true);
      expect(formula.length).toBeLessThan(20);
    }
  });

  it('ends with that formula, after every pair that it tried before', () => {
    const { trace, verdicts } = searchFor24([10, 7, 8, 5])!;
    expect(trace).toBe(
      '10,8,7,5:10-7=3:8,5,3;10+7=17:17,8,5;10*7=70:70,8,5;10-5=5:8,7,5;8-7=1:10,5,1;8*7=56:56,10,5;' +
        '10-8=2:7,5,2!7+5=12,2!12*2=24|12:7+5=(7+5)*2|2:10-8=(7+5)*(10-8)',
    );
    expect(verdicts.map(({ place }) => trace[place])).toEqual([';', ';', ';', ';', ';', ';', '!']);
    expect(verdicts.at(-1)!.values).toEqual([7, 5, 2]);
    for (const { hand, trace, formula } of found) {
      expect(trace.endsWith(`=${formula.join('')}`), hand.join()).toBe(true);
    }
  });

  it('continues from three numbers as from four', () => {
    expect(judgment([8, 5, 3])).toEqual({ given: '8,5,3', verdict: ';' });
    expect(judgment([7, 5, 2])).toEqual({ given: '7,5,2', verdict: '!7+5=12,2!12*2=24|12:7+5=(7+5)*2' });
    // what one of them was made of stands in the formula, as in a search
    const pair = { left: 10, operator: '-', right: 8, value: 2 } as const;
    expect(judgment([7, 5, 2], pair).verdict).toBe('!7+5=12,2!12*2=24|12:7+5=(7+5)*2|2:10-8=(7+5)*(10-8)');
    for (const { hand, trace, verdicts } of found) {
      const { sorted, pairs } = attempts(hand);
      expect(trace.startsWith(`${sorted}:${pairs.slice(0, verdicts.length).join(';')}`), hand.join()).toBe(true);
    }
  });

  it('judges three numbers as often as they occur', () => {
    const { solvable, hopeless, keys } = allTriples();
    expect([solvable.length, hopeless.length, keys.size]).toEqual([393, 1862, 2255]);
    for (const { hand } of found) {
      for (const { values } of searchFor24(hand)!.verdicts) expect(keys).toContain(values.join());
    }
  });
});

describe('labels of points24', () => {
  const drawnOf = async (count: number) => {
    const env = await openLesson(lessons.points24!);
    const drawn: Example[] = [];
    for await (const example of examplesOf(lessons.points24!.mix, env, new Generator(5))) {
      drawn.push(example);
      if (drawn.length === count) break;
    }
    await env.close();
    return drawn;
  };
  const verdictOf = ({ response, labels = [] }: Example) =>
    [...response.matchAll(/(?<=:\d+,\d+,\d+)[;!]/g)].map(({ index }) => ({
      isLabel: labels.some(([start, end]) => start <= index && index < end),
      values: response.slice(response.lastIndexOf(':', index) + 1, index),
    }));

  it('end with the end token, and leave out every verdict of a hand, and those of other searches that no hand needs', async () => {
    const { keys } = allTriples();
    let verdicts = 0;
    for (const example of await drawnOf(120)) {
      if (!example.response.includes('"action"') || example.response.startsWith('{"formula"')) continue;
      expect(labeled(policy, example).labelMask.at(-1)).toBe(1);
      const isHand = typeof example.messages.at(-1)!.content !== 'string';
      for (const { isLabel, values } of verdictOf(example)) {
        verdicts += 1;
        expect(isLabel, values).toBe(!isHand && keys.has(values));
      }
    }
    expect(verdicts).toBeGreaterThan(100);
  });

  it('are verdicts and the steps that follow, where three numbers are judged; pairs before them are of no hand', () => {
    const rng = new Generator(5);
    for (const { response, labels } of Array.from({ length: 10 }, () => judgments(rng))) {
      expect(labels).toHaveLength(12);
      for (const [start, end] of labels!) {
        const [given] = /\d+,\d+,\d+$/.exec(response.slice(0, start))!;
        const before = /(\d+)([-+*/])(\d+)=(\d+):$/.exec(response.slice(0, start - given.length));
        const [, left, operator, right, value] = before ?? [];
        const pair = {
          left: Number(left),
          operator: operator as Pair['operator'],
          right: Number(right),
          value: Number(value),
        };
        const expected = judgment(given.split(',').map(Number), before ? pair : undefined);
        expect(response.slice(start, end)).toBe(expected.verdict);
        if (!before) continue;
        expect(Math.max(pair.left, pair.right)).toBeGreaterThan(10);
        expect(given.split(',')).toContain(value);
      }
    }
  });

  it('are sorted numbers and pairs, where parts of searches are shown; none is a hand', () => {
    const rng = new Generator(5);
    for (const { response, labels } of Array.from({ length: 10 }, () => parts(rng))) {
      const learned = labels!.map((label) => response.slice(...label));
      for (const [, cards, thoughts] of response.matchAll(/"cards": \[([\d, ]+)\], "thoughts": "([^"]+)"/g)) {
        const numbers = cards!.split(', ').map(Number);
        expect(Math.max(...numbers)).toBeGreaterThan(10);
        const { sorted, pairs } = attempts(numbers);
        const shown = thoughts!.slice(sorted.length + 1);
        expect(pairs.join(';')).toContain(shown);
        expect(learned.shift()).toBe(`${sorted}:`);
        const count = Math.min(3, shown.split(';').length);
        const last = learned.splice(0, learned.findIndex((label) => label.includes(',') && label.endsWith(':')) >>> 0);
        expect(last.length).toBeLessThanOrEqual(count);
        expect(shown.endsWith(last.join(';'))).toBe(true);
      }
      expect(learned).toEqual([]);
    }
  });
});

describe('entries', () => {
  it('continue with the formula that the thought before them ends with', () => {
    const rng = new Generator(12);
    for (let i = 0; i < 20; i += 1) {
      const { response, labels } = entries(rng);
      const learned = labels!.map((label) => response.slice(...label));
      for (const [, done, whole, label] of response.matchAll(
        /"formula": "([^"]*)", "thoughts": "[^";]+=([^"=;]+)(;[^"]+", "action": "[^"]+"\})/g,
      )) {
        const next = `${whole}=`.slice(done!.length).match(/^(\d+|\D)/)![0];
        expect(whole!.startsWith(done!)).toBe(true);
        expect(label).toBe(`;${done}>${next}", "action": "${next}"}`);
        expect(learned.shift()).toBe(label);
      }
      expect(learned).toEqual([]);
    }
  });

  it('come after formulas that unfold as in a search', () => {
    const rng = new Generator(13);
    for (let i = 0; i < 50; i += 1) {
      const numbers = Array.from({ length: 4 }, () => rng.integers(1, 11));
      const { unfolding, formula } = anyFormula(numbers, rng);
      const used = formula.filter((entry) => /\d/.test(entry)).map(Number);
      expect(used.sort((x, y) => x - y)).toEqual(numbers.sort((x, y) => x - y));
      // every line replaces one number by what made it
      for (const [, value, made] of unfolding.matchAll(/\|(\d+):([^=]+)=/g)) {
        expect(formulaEquals([made!], Number(value)), unfolding).toBe(true);
      }
    }
  });
});
