/** Points24 from pictures: the model names the cards, writes down its search, and plays the formula that it found. */
import type { AnyEnv, ChatMessage, Generator } from '@vlgym/core';
import type { Example, Lesson } from './lesson.js';
import { allTriples, attempts, judgment, type Pair, pairsAbove, type Search, searchFor24 } from './points24-search.js';

/** Judgments of one example about three numbers. */
const JUDGMENTS = 12;
/** Parts of searches in one example, the pairs of a part that are labels and that stand before them, and the share of such examples. */
const PARTS = 4;
const PART_PAIRS = 3;
const PART_SHARE = 0.15;
/** Share of examples that name the cards of a picture alone. */
const CARDS_SHARE = 0.15;
/** Share of examples that are judgments, and of solvable triples among those. */
const JUDGMENT_SHARE = 0.2;
const SOLVABLE_SHARE = 0.4;
/**
 * Share of searches for four numbers of which one is above 10: in `Points24` faces count 10, so that these are no hands of
 * either side. There are too few hands to learn searching from; a model learns those by heart.
 */
const OTHER_SEARCH_SHARE = 0.2;
const HIGHEST = 13;
/** Share of judgments with a pair before them. */
const PAIR_SHARE = 0.6;
const allPairs = pairsAbove(10, HIGHEST);

interface Info {
  readonly Numbers: readonly number[];
  readonly Formula: readonly (string | number)[];
}

type Triples = ReturnType<typeof allTriples>;

export const points24: Lesson = {
  env: 'vlgym/Points24-v1',
  options: { size: { height: 84, width: 224 }, dialogue: 'compact-v1', solvableOnly: true },
  splits: { train: { split: 'train' }, test: { split: 'test' } },
  maxNewTokens: 320,
  batch: 16,
  totalExamples: 80_000,
  drills: [{ share: 0.04, batch: 24, example: cards }],
  goal: '80 % of unseen solvable hands solved',
  measure: 'success',
  async *examples(env, rng) {
    const triples: Triples = allTriples();
    const { labels } = env.actionSpace as unknown as { readonly labels: readonly string[] };
    for (;;) {
      const kind = rng.random();
      const below = (...shares: number[]) => kind < shares.reduce((sum, share) => sum + share, 0);
      if (below(JUDGMENT_SHARE)) yield judgments(triples, rng);
      else if (below(JUDGMENT_SHARE, PART_SHARE)) yield parts(rng);
      else if (below(JUDGMENT_SHARE, PART_SHARE, CARDS_SHARE)) yield await cards(rng, env);
      else if (below(JUDGMENT_SHARE, PART_SHARE, CARDS_SHARE, OTHER_SEARCH_SHARE)) yield otherSearch(triples, rng);
      else yield* turn(env, rng, labels);
    }
  },
};

/**
 * One turn of a new hand, at a random place of its formula; nothing where whole numbers do not suffice. The verdicts are
 * no labels: so few hands can be learned by heart, and a model that recalls them has no use for what it knows of three numbers.
 */
async function* turn(env: AnyEnv, rng: Generator, labels: readonly string[]): AsyncGenerator<Example> {
  let { observation, info } = await env.reset({ seed: rng.integers(0, 2 ** 31) });
  const { Numbers } = info as unknown as Info;
  const search = searchFor24(Numbers);
  if (!search) return;
  const entries = [...search.formula, '='];
  const done = rng.integers(0, entries.length);
  for (const entry of entries.slice(0, done)) ({ observation, info } = await env.step(labels.indexOf(entry)));
  const formula = (info as unknown as Info).Formula.join('');
  const response = answer(Numbers, formula, search.trace, entries[done]!);
  const messages = env.dialogue!.prompt({ observation, info, history: [] });
  yield { messages, response, labels: except(verdictPlaces(response, search), response) };
}

/** The cards of a hand alone: a model that cannot see them yet learns all else about hands, and seeing much later. */
async function cards(rng: Generator, env: AnyEnv): Promise<Example> {
  const { observation, info } = await env.reset({ seed: rng.integers(0, 2 ** 31) });
  // up to the next key, because the end of a list is one token with it
  const response = `{"cards": [${(info as unknown as Info).Numbers.join(', ')}], "formula": "`;
  const messages = env.dialogue!.prompt({ observation, info, history: [] });
  return { messages, response, labels: [[0, response.length]] };
}

/** Places in a response where the search says `;` or `!` of three numbers, where `of` holds for these. */
function verdictPlaces(response: string, { trace, verdicts }: Search, of = (_: string) => true): number[] {
  const start = response.indexOf(trace);
  return verdicts.filter(({ values }) => of(values.join())).map(({ place }) => start + place);
}

/** All of a response but single characters; the end token, which stands behind the last, included. */
const except = (places: readonly number[], { length }: string): [number, number][] =>
  [-1, ...places].map((place, i) => [place + 1, places[i] ?? length + 1]);

function answer(numbers: readonly number[], formula: string, thoughts: string, action: string): string {
  return `{"cards": [${numbers.join(', ')}], "formula": "${formula}", "thoughts": "${thoughts}", "action": "${action}"}`;
}

/** A search in words, at a random place of its formula. Verdicts that no hand needs are not worth knowing by heart. */
function otherSearch({ keys }: Triples, rng: Generator): Example {
  for (;;) {
    const numbers = otherNumbers(rng);
    const search = searchFor24(numbers);
    if (!search) continue;
    const entries = [...search.formula, '='];
    const done = rng.integers(0, entries.length);
    const formula = entries.slice(0, done).join('');
    const content = `Make 24. Cards: [${numbers.join(', ')}]. Formula: "${formula}".`;
    const response = answer(numbers, formula, search.trace, entries[done]!);
    const unknown = verdictPlaces(response, search, (values) => !keys.has(values));
    return { messages: [{ role: 'user', content }], response, labels: except(unknown, response) };
  }
}

/**
 * Numbers in falling order, and a part of what a search tries: the first pairs, or those after some at a random place. Most
 * searches end early, so that whole ones show the later pairs too seldom.
 */
function parts(rng: Generator): Example {
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

function judgments({ solvable, hopeless }: Triples, rng: Generator): Example {
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

/** Two numbers, one of them above 10, that make one of three: what stands before a judgment in a search, and of no hand. */
function otherPair(values: readonly number[], rng: Generator): Pair | undefined {
  const made = values[rng.integers(0, values.length)]!;
  const pairs = allPairs.filter(({ value }) => value === made);
  return pairs.length === 0 ? undefined : pairs[rng.integers(0, pairs.length)]!;
}

/** Four numbers that are no hand. */
function otherNumbers(rng: Generator): number[] {
  for (;;) {
    const numbers = Array.from({ length: 4 }, () => rng.integers(1, HIGHEST + 1));
    if (Math.max(...numbers) > 10) return numbers;
  }
}
