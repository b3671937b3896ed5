/** Points24 from pictures: the model names the cards, writes down its search, and plays the formula that it found. */
import type { AnyEnv, ChatMessage, Generator } from '@vlgym/core';
import type { Example, Lesson } from './lesson.js';
import { allTriples, judgment, searchFor24 } from './points24-search.js';

/** Judgments of one example about three numbers. */
const JUDGMENTS = 12;
/** Share of examples that are judgments, and of solvable triples among those. */
const JUDGMENT_SHARE = 0.25;
const SOLVABLE_SHARE = 0.4;

interface Info {
  readonly Numbers: readonly number[];
  readonly Formula: readonly (string | number)[];
}

export const points24: Lesson = {
  env: 'vlgym/Points24-v1',
  options: { size: { height: 84, width: 224 }, dialogue: 'compact-v1', solvableOnly: true },
  splits: { train: { split: 'train' }, test: { split: 'test' } },
  maxNewTokens: 320,
  batch: 16,
  totalExamples: 120_000,
  goal: '80 % of unseen solvable hands solved',
  measure: 'success',
  async *examples(env, rng) {
    const triples = allTriples();
    const { labels } = env.actionSpace as unknown as { readonly labels: readonly string[] };
    for (;;) {
      if (rng.random() < JUDGMENT_SHARE) yield judgments(triples, rng);
      else yield* turn(env, rng, labels);
    }
  },
};

/** One turn of a new hand, at a random place of its formula; nothing where whole numbers do not suffice. */
async function* turn(env: AnyEnv, rng: Generator, labels: readonly string[]): AsyncGenerator<Example> {
  let { observation, info } = await env.reset({ seed: rng.integers(0, 2 ** 31) });
  const { Numbers } = info as unknown as Info;
  const search = searchFor24(Numbers);
  if (!search) return;
  const entries = [...search.formula, '='];
  const done = rng.integers(0, entries.length);
  for (const entry of entries.slice(0, done)) ({ observation, info } = await env.step(labels.indexOf(entry)));
  const formula = (info as unknown as Info).Formula.join('');
  const answer = `{"cards": [${Numbers.join(', ')}], "formula": "${formula}", "thoughts": "${search.trace}", "action": "${entries[done]}"}`;
  yield { messages: env.dialogue!.prompt({ observation, info, history: [] }), response: answer };
}

function judgments({ solvable, hopeless }: ReturnType<typeof allTriples>, rng: Generator): Example {
  const messages: ChatMessage[] = [{ role: 'user', content: 'Make 24. Which three numbers lead there?' }];
  let response = '';
  const labels: (readonly [number, number])[] = [];
  for (let i = 0; i < JUDGMENTS; i += 1) {
    const from = rng.random() < SOLVABLE_SHARE ? solvable : hopeless;
    const { given, verdict } = judgment(from[rng.integers(0, from.length)]!);
    response += `:${given}`;
    labels.push([response.length, response.length + verdict.length]);
    response += verdict;
  }
  return { messages, response, labels };
}
