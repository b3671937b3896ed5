import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluateFormula, formulaEquals } from './evaluate.js';
import { formatValue } from './values.js';

/** Type and value of `eval(text)` in Python 3.11. */
const PYTHON: readonly [text: string, type: string, value: string][] = [
  ['5**-4', 'float', '0.0016'],
  ['3**-6', 'float', '0.0013717421124828531'],
  ['-4//9**-8', 'float', '-172186885.0'],
  ['2**(1/2)', 'float', '1.4142135623730951'],
  ['10/4**-1**2', 'float', '40.0'],
  ['-7//2', 'int', '-4'],
  ['7//-2.', 'error', 'SyntaxError'],
  ['-7/2//1', 'float', '-4.0'],
  ['(1/3)//(1/9)', 'float', '3.0'],
  ['1/10**5', 'float', '1e-05'],
  ['1/8000', 'float', '0.000125'],
  ['10**16/1', 'float', '1e+16'],
  ['10**15/1', 'float', '1000000000000000.0'],
  ['10**400/10**399', 'float', '10.0'],
  ['10**23/7', 'float', '1.4285714285714286e+22'],
  ['1/10**400', 'float', '0.0'],
  ['3/2**1075', 'float', '1e-323'],
  ['0/-5', 'float', '-0.0'],
  ['10**400/1', 'error', 'OverflowError'],
  ['10**400*(1/2)', 'error', 'OverflowError'],
  ['(10/1)**400', 'error', 'OverflowError'],
  ['(1/10)**400', 'float', '0.0'],
  ['0**-1', 'error', 'ZeroDivisionError'],
  ['5//(3-3)', 'error', 'ZeroDivisionError'],
  ['5/(3-3)/', 'error', 'SyntaxError'],
  ['(-8)**(1/3)', 'complex', '(1.0000000000000002+1.7320508075688772j)'],
  ['((-2)**(1/2))**2', 'complex', '(-2.0000000000000004+2.449293598294707e-16j)'],
  ['1**((-2)**(1/2))', 'complex', '(1+0j)'],
  ['(-2)**(1/2)//1', 'error', 'TypeError'],
  ['()*3', 'tuple', '()'],
  ['()+()', 'tuple', '()'],
  ['()+1', 'error', 'TypeError'],
  ['-()', 'error', 'TypeError'],
  ['5(*3)', 'error', 'TypeError'],
  ['5(1/(2-2))', 'error', 'ZeroDivisionError'],
  ['(*5)', 'error', 'SyntaxError'],
  ['07', 'error', 'SyntaxError'],
  ['00', 'int', '0'],
  ['2**--3', 'int', '8'],
  ['3x', 'error', 'SyntaxError'],
];

describe('evaluateFormula', () => {
  it.each(PYTHON)('evaluates %s as Python does: %s %s', (text, type, value) => {
    const result = evaluateFormula([text]);
    expect([result.type, result.type === 'error' ? result.name : formatValue(result)]).toEqual([type, value]);
  });

  it('agrees with independent arithmetic on expression trees', () => {
    fc.assert(
      fc.property(tree, ({ text, value }) => {
        const result = evaluateFormula([text]);
        if (value === undefined) expect(result).toEqual({ type: 'error', name: 'ZeroDivisionError' });
        else expect(result.type === 'int' || result.type === 'float' ? Number(result.value) + 0 : result).toBe(value);
      }),
    );
  });

  it('never throws, and ignores blanks between tokens', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('1', '7', '12', '+', '-', '*', '/', '(', ')', ' ')), (entries) => {
        const result = evaluateFormula(entries);
        const spaced = entries.join('').replace(/\*\*|\/\/|\d+|\S/g, ' $& ');
        expect(evaluateFormula([spaced])).toEqual(result);
      }),
    );
  });

  it.each([
    ['a tower of powers', '9**9**9'],
    ['thousands of signs', `${'-'.repeat(5000)}1`],
    ['a longer text than any game can write', '1+'.repeat(10_000)],
  ])('refuses %s at once', (_, text) => {
    expect(evaluateFormula([text])).toEqual({ type: 'error', name: 'TooLarge' });
  });

  it('allows 200 nested parentheses, as Python does', () => {
    const nested = (depth: number) => evaluateFormula(['('.repeat(depth), 7, ')'.repeat(depth)]);
    expect(nested(199)).toEqual({ type: 'int', value: 7n });
    expect(nested(201)).toEqual({ type: 'error', name: 'SyntaxError' });
  });
});

describe('formulaEquals', () => {
  it.each([
    [[6, '/', '(', 1, '-', 3, '/', 4, ')'], true],
    [[8, '/', '(', 3, '-', 8, '/', 3, ')'], false],
    [[2, 4], true],
    [['2**3*3'], true],
    [['()'], false],
    [['(24)(1)'], false],
  ])('compares %j with 24: %s', (entries, equal) => {
    expect(formulaEquals(entries, 24)).toBe(equal);
  });

  it('distinguishes an integer from a double close to it', () => {
    expect(formulaEquals(['2**53+1'], 2 ** 53)).toBe(false);
    expect(formulaEquals(['(2**53+1)/1'], 2 ** 53)).toBe(true);
  });
});

/** Random formulas with every operation in parentheses, and their values as JavaScript numbers. */
const { tree } = fc.letrec<{ tree: { text: string; value: number | undefined } }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.integer({ min: 0, max: 13 }).map((n) => ({ text: String(n), value: n })),
    tie('tree').map(({ text, value }) => ({ text: `(-${text})`, value: value === undefined ? value : 0 - value })),
    fc.tuple(tie('tree'), fc.constantFrom('+', '-', '*', '/'), tie('tree')).map(([a, operator, b]) => ({
      text: `(${a.text}${operator}${b.text})`,
      value: a.value === undefined || b.value === undefined ? undefined : plain(operator, a.value, b.value),
    })),
  ),
}));

function plain(operator: string, a: number, b: number): number | undefined {
  if (operator === '+') return a + b;
  if (operator === '-') return a - b;
  if (operator === '*') return a * b + 0;
  return b === 0 ? undefined : a / b + 0;
}
