import { GymError } from '@vlgym/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluateFormula } from '../formula/evaluate.js';
import { isSolvable, solve } from './solve.js';

const card = fc.integer({ min: 1, max: 13 });

describe('solve', () => {
  it('finds formulas that use every number once and make the target, exactly and as the games compute', () => {
    fc.assert(
      fc.property(
        fc.array(card, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 0, max: 40 }),
        (numbers, target) => {
          for (const { text, entries, value, accepted } of solve(numbers, { target })) {
            expect(entries.join('')).toBe(text);
            expect(entries.filter((entry) => typeof entry === 'number').sort()).toEqual([...numbers].sort());
            expect(exactValue(text)).toEqual([BigInt(target), 1n]);
            const computed = evaluateFormula(entries);
            expect('value' in computed && Number(computed.value)).toBe(value);
            expect(Math.abs(value - target)).toBeLessThan(1e-9);
            expect(accepted).toBe(value === target);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('finds every target that can be reached by combining two numbers at a time', () => {
    fc.assert(
      fc.property(fc.array(card, { minLength: 4, maxLength: 4 }), (numbers) => {
        expect(solve(numbers).length > 0).toBe(canReach(numbers, 24));
      }),
      { numRuns: 40 },
    );
  });

  it('lists each solution once, shortest first', () => {
    expect(solve([1, 2, 3, 4]).map(({ text }) => text)).toEqual(['4*3*2*1', '4*3*2/1', '4*(3+2+1)', '(3+1)*(4+2)']);
    expect(solve([24]).map(({ text }) => text)).toEqual(['24']);
    expect(solve([6, 6, 6, 6]).map(({ text }) => text)).toEqual(['6*6-6-6', '6+6+6+6']);
    expect(solve([1, 1, 1, 1])).toEqual([]);
  });

  it('finds the one hand that fractions solve and doubles do not', () => {
    const [only, ...more] = solve([8, 3, 8, 3]);
    expect(more).toEqual([]);
    expect(only).toMatchObject({ text: '8/(3-8/3)', value: 23.99999999999999, accepted: false });
    expect(isSolvable([3, 3, 8, 8])).toBe(false);
  });

  it('counts 566 of 715 hands as solvable with fractions, 565 as the games compute', () => {
    const hands = multisets(10, 4);
    expect(hands).toHaveLength(715);
    const solved = hands.map((hand) => solve(hand));
    expect(solved.filter((solutions) => solutions.length > 0)).toHaveLength(566);
    expect(solved.filter((solutions) => solutions.some(({ accepted }) => accepted))).toHaveLength(565);
    expect(hands.filter((hand) => isSolvable(hand))).toHaveLength(565);
  });

  it('solves other targets and other numbers of cards', () => {
    expect(solve([10, 2], { target: 12 }).map(({ text }) => text)).toEqual(['10+2']);
    expect(solve([5, 5, 5, 5, 1], { target: 100 }).some(({ text }) => text === '5*1*(5*5-5)')).toBe(true);
    expect(isSolvable([13, 12, 11, 9, 7, 5], { target: 1 })).toBe(true);
  });

  it.each([[[]], [[1, 2, 3, 4, 5, 6, 7]], [[2.5, 2]], [[-1, 25]], [[5000, 5000, 5000]]])('refuses %j', (numbers) => {
    expect(() => solve(numbers)).toThrow(GymError);
    expect(() => solve(numbers)).toThrow('expected');
  });
});

/** Exact value as a reduced fraction of big integers, by an independent recursive-descent parser. */
function exactValue(text: string): [bigint, bigint] {
  let at = 0;
  const reduce = (a: bigint, b: bigint): [bigint, bigint] => {
    let [x, y] = [a < 0n ? -a : a, b < 0n ? -b : b];
    while (y !== 0n) [x, y] = [y, x % y];
    const divisor = b < 0n ? -x : x;
    return [a / divisor, b / divisor];
  };
  const atom = (): [bigint, bigint] => {
    if (text[at] === '(') {
      at += 1;
      const inner = sum();
      at += 1;
      return inner;
    }
    const digits = /^\d+/.exec(text.slice(at))![0];
    at += digits.length;
    return [BigInt(digits), 1n];
  };
  const term = (): [bigint, bigint] => {
    let [a, b] = atom();
    while (text[at] === '*' || text[at] === '/') {
      const times = text[at++] === '*';
      const [c, d] = atom();
      [a, b] = times ? reduce(a * c, b * d) : reduce(a * d, b * c);
    }
    return [a, b];
  };
  const sum = (): [bigint, bigint] => {
    let [a, b] = term();
    while (text[at] === '+' || text[at] === '-') {
      const sign = text[at++] === '+' ? 1n : -1n;
      const [c, d] = term();
      [a, b] = reduce(a * d + sign * c * b, b * d);
    }
    return [a, b];
  };
  return sum();
}

/** The textbook search: replace any two numbers by a result until one is left; doubles with a tolerance. */
function canReach(numbers: readonly number[], target: number): boolean {
  if (numbers.length === 1) return Math.abs(numbers[0]! - target) < 1e-6;
  for (let i = 0; i < numbers.length; i += 1) {
    for (let j = 0; j < numbers.length; j += 1) {
      if (i === j) continue;
      const rest = numbers.filter((_, index) => index !== i && index !== j);
      const [a, b] = [numbers[i]!, numbers[j]!];
      const results = [a + b, a - b, a * b, ...(Math.abs(b) > 1e-9 ? [a / b] : [])];
      if (results.some((result) => canReach([...rest, result], target))) return true;
    }
  }
  return false;
}

function multisets(highest: number, size: number, lowest = 1): number[][] {
  if (size === 0) return [[]];
  return Array.from({ length: highest - lowest + 1 }, (_, index) => lowest + index).flatMap((first) =>
    multisets(highest, size - 1, first).map((rest) => [first, ...rest]),
  );
}
