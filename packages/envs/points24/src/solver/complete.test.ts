import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formulaEquals } from '../formula/evaluate.js';
import type { FormulaEntry } from '../formula/values.js';
import { type CompletionTask, completeFormula, searchEnding } from './complete.js';
import { isSolvable } from './solve.js';

const points24 = { target: 24, signs: '+-*/()=', room: 20 };

function complete(formula: FormulaEntry[], remaining: number[], options: Partial<CompletionTask> = {}) {
  return completeFormula({ formula, remaining, ...points24, ...options })?.join('');
}

describe('completeFormula', () => {
  it.each([
    ['starts from nothing', [], [5, 5, 5, 1], '5*(5-1/5)'],
    ['has nothing to add to what is complete', [4, '*', 6], [], ''],
    ['continues inside a bracket', ['(', 10, '*', 10, '-'], [4, 4], '4)/4'],
    ['continues after a sign', [5, '*', '-', 1, '+'], [10, 10, 9], '10+10+9'],
    ['accepts joined digits that stand already', [2, 4, '+'], [1, 1], '1-1'],
    ['accepts a power that stands already', [2, '*', '*'], [3, 3, 1], '3*3*1'],
    ['accepts a floor division that stands already', [7, '/', '/', 2, '*'], [8, 1], '8*1'],
    ['accepts the blanks of illegal moves', [' ', 4, ' ', '*'], [6], '6'],
    ['closes what was opened', ['(', '(', 4], [6], '*6))'],
  ] as [string, FormulaEntry[], number[], string][])('%s: %j with %j', (_, formula, remaining, expected) => {
    expect(complete(formula, remaining)).toBe(expected);
  });

  it.each([
    ['a hand without a solution', [], [1, 1, 1, 1]],
    ['a solution that doubles miss', [], [3, 3, 8, 8]],
    ['a bracket that was never opened', [4, ')'], [6]],
    ['two operators', [4, '*', '/'], [6]],
    ['a number after a bracket', ['(', 4, ')', 6], [24]],
    ['a call', [4, '('], [6]],
    ['a division by zero', [4, '/', '(', 2, '-', 2, ')'], [6]],
    ['a complex number', ['(', 1, '-', 3, ')', '*', '*', '(', 1, '/', 2, ')'], [24]],
    ['the value without all numbers', [4, '*', 6], [3]],
  ] as [string, FormulaEntry[], number[]][])('gives up on %s', (_, formula, remaining) => {
    expect(complete(formula, remaining)).toBeUndefined();
  });

  it('refuses more numbers than it can search', () => {
    expect(() => complete([], [1, 2, 3, 4, 5, 6])).toThrow('at most 5 numbers');
    expect(complete([], [5, 5, 5, 5, 1], { target: 100 })).toBe('5*1*(5*5-5)');
  });

  it('respects the limit of entries', () => {
    expect(complete([], [4, 6], { room: 3 })).toBe('6*4');
    expect(complete([], [4, 6], { room: 2 })).toBeUndefined();
  });

  it('uses only the signs of the game', () => {
    expect(complete([], [3, 9], { target: 12, signs: '+*=' })).toBe('9+3');
    expect(complete([], [3, 9], { target: 6, signs: '+*=' })).toBeUndefined();
    expect(complete([], [3, 9], { target: 6 })).toBe('9-3');
  });

  it('finds an ending for exactly the hands with an accepted solution', () => {
    const hand = fc.array(fc.integer({ min: 1, max: 13 }), { minLength: 4, maxLength: 4 });
    fc.assert(
      fc.property(hand, (numbers) => {
        expect(complete([], numbers) !== undefined).toBe(isSolvable(numbers));
      }),
      { numRuns: 60 },
    );
  });

  it('makes the target from every prefix it completes, and finds the same ending when it searches again along it', () => {
    const hand = fc.array(fc.integer({ min: 1, max: 10 }), { minLength: 4, maxLength: 4 });
    const start = fc.array(fc.constantFrom('(', '-', '+'), { maxLength: 3 });
    fc.assert(
      fc.property(hand, start, (numbers, formula) => {
        const rest = completeFormula({ formula, remaining: numbers, ...points24 });
        if (!rest) return;
        const whole: FormulaEntry[] = [...formula, ...rest];
        expect(formulaEquals(whole, 24)).toBe(true);
        for (let length = formula.length; length <= whole.length; length += 1) {
          const before = whole.slice(0, length);
          const remaining = whole.slice(length).filter((entry) => typeof entry === 'number');
          const sorted = remaining.sort((a, b) => b - a);
          expect(searchEnding({ formula: before, remaining: sorted, ...points24 })).toEqual(whole.slice(length));
        }
      }),
      { numRuns: 40 },
    );
  });
});
