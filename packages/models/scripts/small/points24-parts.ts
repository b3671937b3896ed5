/** Parts of what an answer of Points24 takes, many in one example: pairs to try, three numbers to judge, the next entry. */
import type { ChatMessage, Generator } from '@vlgym/core';
import type { Example } from './lesson.js';
import { allTriples, anyFormula, attempts, judgment, type Pair, pairsAbove } from './points24-search.js';

/** Searches of one example, and pairs of a search that are labels and that stand before them. */
const PARTS = 4;
const PART_PAIRS = 3;
/** Formulas of one example. */
const FORMULAS = 6;
/** Judgments of one example, the share of solvable triples among them, and of those with a pair before them. */
const JUDGMENTS = 12;
const SOLVABLE_SHARE = 0.4;
const PAIR_SHARE = 0.6;
/** Highest number in searches; faces count 10 in `Points24`, so that higher ones never occur in a hand. */
const HIGHEST = 13;

const { solvable, hopeless } = allTriples();
const allPairs = pairsAbove(10, HIGHEST);

/**
 * Numbers in falling order, and a part of what a search tries: the first pairs, or those after some at a random place. Most
 * searches end early, so that whole ones show the later pairs too seldom.
 */
export function parts(rng: Generator): Example {
  const messages: ChatMessage[] = [{ role: 'user', content: 'Make 24. Which pairs do the searches try?' }];
  let response = '';
  const labels: [number, number][] = [];
  const add = (text: string, isLabel: boolean) => {
    if (isLabel) labels.push([response.length, response.length + text.length]);
    response += text;
  };
  for (let i = 0; i < PARTS; i += 1) {
    const numbers = otherNumbers(rng);
    const { sorted, pairs } = attempts(numbers);
    add(`{"cards": [${numbers.join(', ')}], "thoughts": "`, false);
    add(`${sorted}:`, true);
    const next = rng.random() < 0.3 ? 0 : rng.integers(0, pairs.length);
    const shown = pairs.slice(Math.max(0, next - PART_PAIRS), next + PART_PAIRS);
    const known = Math.min(next, PART_PAIRS);
    for (const [place, pair] of shown.entries()) {
      // a verdict would stand here; others teach those
      if (place > 0) add(';', false);
      add(pair, place >= known);
    }
    add('"}', false);
  }
  return { messages, response, labels };
}

/** Formulas that need not make 24, each begun, and what is entered next: a whole answer has one of these in 200 tokens. */
export function entries(rng: Generator): Example {
  const messages: ChatMessage[] = [{ role: 'user', content: 'Make 24. What is entered next?' }];
  let response = '';
  const labels: [number, number][] = [];
  for (let i = 0; i < FORMULAS; i += 1) {
    const numbers = Array.from({ length: 4 }, () => rng.integers(1, 11));
    const { unfolding, formula } = anyFormula(numbers, rng);
    const text = `{${begun(unfolding, formula, rng.integers(0, formula.length + 1))}}`;
    // up to the end of the formula all is given
    const from = text.indexOf(unfolding) + unfolding.length;
    labels.push([response.length + from, response.length + text.length]);
    response += text;
  }
  return { messages, response, labels };
}

/**
 * An answer from the formula so far on. After its thoughts the entered formula is repeated, then `>` and what comes next:
 * `;(7+5)*>(`. So the end of the formula so far is found by copying, an entry at a time; by counting it was missed once in
 * twenty-five answers.
 */
export function begun(thoughts: string, formula: readonly string[], entered: number): string {
  const done = formula.slice(0, entered).join('');
  const next = formula[entered] ?? '=';
  return `"formula": "${done}", "thoughts": "${thoughts};${done}>${next}", "action": "${next}"`;
}

export function judgments(rng: Generator): Example {
  const messages: ChatMessage[] = [{ role: 'user', content: 'Make 24. Which three numbers lead there?' }];
  let response = '';
  const labels: (readonly [number, number])[] = [];
  for (let i = 0; i < JUDGMENTS; i += 1) {
    const from = rng.random() < SOLVABLE_SHARE ? solvable : hopeless;
    const values = from[rng.integers(0, from.length)]!;
    const pair = rng.random() < PAIR_SHARE ? otherPair(values, rng) : undefined;
    const { given, verdict } = judgment(values, pair);
    // as in a search: what follows a verdict is a number, so that the verdict is the same token
    const separator = /[\d)]$/.test(response) ? ';' : '';
    response += `${separator}${pair ? `${pair.left}${pair.operator}${pair.right}=${pair.value}:` : ''}${given}`;
    labels.push([response.length, response.length + verdict.length]);
    response += verdict;
  }
  return { messages, response, labels };
}

/** Two numbers, one of them above 10, that make one of three: what stands before a judgment in a search, but never in one for a hand. */
function otherPair(values: readonly number[], rng: Generator): Pair | undefined {
  const made = values[rng.integers(0, values.length)]!;
  const pairs = allPairs.filter(({ value }) => value === made);
  return pairs.length === 0 ? undefined : pairs[rng.integers(0, pairs.length)]!;
}

/** Four numbers that are not a hand of either side: one is above 10. */
export function otherNumbers(rng: Generator): number[] {
  for (;;) {
    const numbers = Array.from({ length: 4 }, () => rng.integers(1, HIGHEST + 1));
    if (Math.max(...numbers) > 10) return numbers;
  }
}
