/** Points24 from pictures: the model names the cards, writes down its search, and plays the formula that it found. */
import type { AnyEnv, Generator } from '@vlgym/core';
import type { Example, WarmStartPlan } from './lesson.js';
import { begun, entries, judgments, otherNumbers, parts } from './points24-parts.js';
import { allTriples, type Search, searchFor24 } from './points24-search.js';

const { keys } = allTriples();

interface Info {
  readonly Numbers: readonly number[];
}

export const points24: WarmStartPlan = {
  env: 'vlgym/Points24-v1',
  options: { size: { height: 84, width: 224 }, dialogue: 'compact-v1', solvableOnly: true },
  splits: { train: { split: 'train' }, test: { split: 'test' } },
  maxNewTokens: 320,
  batch: 16,
  totalExamples: 28_800,
  drills: [{ name: 'cards', share: 0.04, batch: 24, example: cards }],
  goal: '80 % of unseen solvable hands solved',
  measure: 'success',
  mix: [
    { name: 'turn', share: 0.25, example: turn },
    { name: 'search', share: 0.25, example: otherSearch },
    { name: 'judgments', share: 0.2, example: judgments },
    { name: 'entries', share: 0.15, example: entries },
    { name: 'parts', share: 0.1, example: parts },
    { name: 'cards', share: 0.05, example: cards },
  ],
};

/**
 * One turn of a new hand, at a random place of its formula; undefined if whole numbers do not suffice. The verdicts are
 * not labels: so few hands can be memorized, and a model that recalls them has no use for what it knows of three numbers.
 */
async function turn(rng: Generator, env: AnyEnv): Promise<Example | undefined> {
  const { labels } = env.actionSpace as unknown as { readonly labels: readonly string[] };
  let { observation, info } = await env.reset({ seed: rng.integers(0, 2 ** 31) });
  const { Numbers } = info as unknown as Info;
  const search = searchFor24(Numbers);
  if (!search) return undefined;
  const entered = rng.integers(0, search.formula.length + 1);
  for (const entry of search.formula.slice(0, entered)) ({ observation, info } = await env.step(labels.indexOf(entry)));
  const response = answer(Numbers, search, entered);
  const messages = env.dialogue!.prompt({ observation, info, history: [] });
  return { messages, response, labels: except(verdictPlaces(response, search), response) };
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

/** @param entered  Entries of the formula so far. */
function answer(numbers: readonly number[], { trace, formula }: Search, entered: number): string {
  return `{"cards": [${numbers.join(', ')}], ${begun(trace, formula, entered)}}`;
}

/**
 * A search in words for four numbers that are not a hand, at a random place of its formula: there are too few hands to learn
 * searching from, and a model memorizes those. Verdicts that never occur in a search for a hand are not labels.
 */
function otherSearch(rng: Generator): Example | undefined {
  const numbers = otherNumbers(rng);
  const search = searchFor24(numbers);
  if (!search) return undefined;
  const entered = rng.integers(0, search.formula.length + 1);
  const content = `Make 24. Cards: [${numbers.join(', ')}]. Formula: "${search.formula.slice(0, entered).join('')}".`;
  const response = answer(numbers, search, entered);
  const unknown = verdictPlaces(response, search, (values) => !keys.has(values));
  return { messages: [{ role: 'user', content }], response, labels: except(unknown, response) };
}
