/**
 * How to find a formula for 24, written out: combine two of four numbers, judge whether the other three lead to 24, continue
 * with the next pair if not. Judging three numbers is a table of 2,255 entries that a small model can learn by heart and
 * that hands which it has never seen share with those it has.
 *
 * `10-5=5:8,5,3;` is a pair that leads nowhere, `10-8=2:7,5,2!` one that leads on. The steps to 24 follow in plain numbers,
 * `7+5=12,2!12*2=24`, and then each number that a step made, the latest first, is named with what made it and replaced by
 * that, up to the formula: `|12:7+5=(7+5)*2|2:10-8=(7+5)*(10-8)`. Numbers stay whole and never below zero, which leaves 556
 * of the 566 solvable hands.
 */

import type { Generator } from '@vlgym/core';

type Operator = '+' | '-' | '*' | '/';

/** A card, or a number made of two terms. */
interface Term {
  readonly value: number;
  readonly made?: { readonly left: Term; readonly operator: Operator; readonly right: Term };
}

/**
 * Places of the two numbers among four in falling order, and what is done with them. In this order the search ends after
 * three pairs on average: the greedy cover of all hands by their probability.
 */
const PAIRS: readonly (readonly [first: number, second: number, operator: Operator])[] = [
  '02-', '02+', '02*', '03-', '01/', '12-', '02/', '12*', '01-', '23-', '01*', '13-', '01+', '23+', '03+', '12/', '12+', '23*',
].map((key) => [Number(key[0]), Number(key[1]), key[2] as Operator]); // biome-ignore format: one table

const OPERATORS: readonly Operator[] = ['+', '-', '*', '/'];

/** A `;` or `!` in a trace, and the three numbers that it is about. */
export interface Verdict {
  readonly values: readonly number[];
  readonly place: number;
}

export interface Search {
  /** The numbers in falling order, every pair tried, the steps to 24, and the formula that they make up. */
  readonly trace: string;
  readonly verdicts: readonly Verdict[];
  /** Entries of the formula without `=`. */
  readonly formula: readonly string[];
}

/** The search for a hand; undefined if whole numbers do not reach 24. */
export function searchFor24(numbers: readonly number[]): Search | undefined {
  const hand = falling(numbers.map(card));
  const verdicts: Verdict[] = [];
  let trace = `${joined(hand)}:`;
  for (const { pair, rest, text } of candidatesOf(hand)) {
    trace += text;
    verdicts.push({ values: rest.map(({ value }) => value), place: trace.length });
    const solution = finish(rest);
    if (solution) {
      const made = [...solution.made, pair];
      return { trace: `${trace}!${solution.steps}${unfolding(made)}`, verdicts, formula: entriesOf(made) };
    }
    trace += ';';
  }
  return undefined;
}

interface Candidate {
  readonly pair: Term;
  /** The pair and the other two, in falling order. */
  readonly rest: readonly Term[];
  readonly text: string;
}

/** @param hand  In falling order. */
function candidatesOf(hand: readonly Term[]): Candidate[] {
  return PAIRS.flatMap(([first, second, operator]) => {
    const [left, right] = [hand[first]!, hand[second]!];
    const pair = combine(left, right, operator);
    if (!pair) return [];
    const rest = falling([pair, ...hand.filter((term) => term !== left && term !== right)]);
    return [{ pair, rest, text: `${left.value}${operator}${right.value}=${pair.value}:${joined(rest)}` }];
  });
}

const joined = (terms: readonly Term[]): string => terms.map(({ value }) => value).join();

/** Two numbers and their result. */
export interface Pair {
  readonly left: number;
  readonly operator: Operator;
  readonly right: number;
  readonly value: number;
}

/**
 * `18,5,3;` or `24,10,5!…`: the judgment of three numbers with the steps that follow.
 *
 * @param pair  The two numbers that one of them was computed from; the formula unfolds to it.
 */
export function judgment(values: readonly number[], pair?: Pair): { readonly given: string; readonly verdict: string } {
  const terms = falling(values.map(card));
  const made = pair && { value: pair.value, made: { ...pair, left: card(pair.left), right: card(pair.right) } };
  const place = terms.findIndex(({ value }) => value === pair?.value);
  const solution = finish(made ? terms.with(place, made) : terms);
  const steps = solution && (made ? [...solution.made, made] : solution.made);
  return { given: values.join(','), verdict: steps ? `!${solution.steps}${unfolding(steps)}` : ';' };
}

/** Every pair of numbers up to `highest`, the larger of which is above `least`. */
export function pairsAbove(least: number, highest: number): Pair[] {
  const pairs: Pair[] = [];
  for (let left = least + 1; left <= highest; left += 1)
    for (let right = 1; right <= left; right += 1)
      for (const operator of OPERATORS) {
        const value = apply(left, right, operator);
        if (value !== undefined) pairs.push({ left, operator, right, value });
      }
  return pairs;
}

/** The pairs that a search tries, in order, as it writes them, and the numbers in falling order: `16,15,13,3`, `16-13=3:15,3,3`. */
export function attempts(numbers: readonly number[]): { readonly sorted: string; readonly pairs: readonly string[] } {
  const hand = falling(numbers.map(card));
  return { sorted: joined(hand), pairs: candidatesOf(hand).map(({ text }) => text) };
}

/** Every three numbers that four cards of 1 to 10 can leave, those that reach 24 separately. */
export function allTriples(): {
  readonly solvable: readonly (readonly number[])[];
  readonly hopeless: readonly (readonly number[])[];
  /** All of them, as joined by commas in falling order. */
  readonly keys: ReadonlySet<string>;
} {
  const found = new Map<string, readonly number[]>();
  for (let a = 10; a >= 1; a -= 1)
    for (let b = a; b >= 1; b -= 1)
      for (let c = 10; c >= 1; c -= 1)
        for (let d = c; d >= 1; d -= 1)
          for (const operator of OPERATORS) {
            const value = apply(a, b, operator);
            if (value === undefined) continue;
            const triple = [value, c, d].sort((x, y) => y - x);
            found.set(triple.join(), triple);
          }
  const all = [...found.values()];
  const isSolvable = (triple: readonly number[]) => judgment(triple).verdict !== ';';
  return {
    solvable: all.filter(isSolvable),
    hopeless: all.filter((triple) => !isSolvable(triple)),
    keys: new Set(found.keys()),
  };
}

/** A formula of four numbers that need not make 24, at random, and how it unfolds. */
export function anyFormula(
  numbers: readonly number[],
  rng: Generator,
): Pick<Search, 'formula'> & { unfolding: string } {
  let terms: readonly Term[] = numbers.map(card);
  const made: Term[] = [];
  while (terms.length > 1) {
    const [left, right, ...others] = rng.permutation(terms.length).map((place) => terms[place]!);
    const joined = combine(left!, right!, OPERATORS[rng.integers(0, OPERATORS.length)]!);
    if (!joined) continue;
    made.unshift(joined);
    terms = [joined, ...others];
  }
  return { unfolding: unfolding(made), formula: entriesOf(made) };
}

/**
 * The first way to 24 from two or three terms: its steps, each with the new number first and then those that it leaves, and
 * the numbers made, the latest first.
 */
function finish(terms: readonly Term[]): { readonly steps: string; readonly made: readonly Term[] } | undefined {
  const sorted = falling(terms);
  for (const left of sorted)
    for (const right of sorted.slice(sorted.indexOf(left) + 1))
      for (const operator of OPERATORS) {
        const joined = combine(left, right, operator);
        if (!joined) continue;
        const others = sorted.filter((term) => term !== left && term !== right);
        const step = [
          `${left.value}${operator}${right.value}=${joined.value}`,
          ...others.map(({ value }) => value),
        ].join();
        if (others.length === 0) {
          if (joined.value === 24) return { steps: step, made: [joined] };
          continue;
        }
        const more = finish([joined, ...others]);
        if (more) return { steps: `${step}!${more.steps}`, made: [...more.made, joined] };
      }
  return undefined;
}

/** `|12:7+5=(7+5)*2|2:10-8=(7+5)*(10-8)`: each number made after the first, what made it, and the first number in full. */
const unfolding = (made: readonly Term[]): string =>
  made
    .slice(1)
    .map((term, i) => `|${term.value}:${expression(term, [term])}=${expression(made[0]!, made.slice(0, i + 2))}`)
    .join('');

const entriesOf = (made: readonly Term[]): string[] => expression(made[0]!, made).match(/\d+|\D/g)!;

/** A term in numbers, those of `open` replaced by what made them. Parentheses stand only where they are needed. */
function expression(term: Term, open: readonly Term[], needed = 1): string {
  if (!term.made || !open.includes(term)) return String(term.value);
  const { left, operator, right } = term.made;
  const strength = operator === '+' || operator === '-' ? 1 : 2;
  // the right side of - and / keeps its parentheses at equal strength
  const isOrdered = operator === '-' || operator === '/';
  const sides = [expression(left, open, strength), expression(right, open, isOrdered ? strength + 1 : strength)];
  const text = sides.join(operator);
  return strength < needed ? `(${text})` : text;
}

const card = (value: number): Term => ({ value });

function combine(left: Term, right: Term, operator: Operator): Term | undefined {
  const value = apply(left.value, right.value, operator);
  return value === undefined ? undefined : { value, made: { left, operator, right } };
}

/** Undefined below zero and between whole numbers. */
function apply(left: number, right: number, operator: Operator): number | undefined {
  switch (operator) {
    case '+':
      return left + right;
    case '-':
      return left >= right ? left - right : undefined;
    case '*':
      return left * right;
    case '/':
      return right !== 0 && left % right === 0 ? left / right : undefined;
  }
}

const falling = (terms: readonly Term[]): readonly Term[] => terms.toSorted((a, b) => b.value - a.value);
