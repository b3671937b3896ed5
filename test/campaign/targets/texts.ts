/** Boundaries that read text: answers of models, actions of agents, queries, addresses, games. */
import { compileGame, parseGameFile, parseTrajectoryData } from '@vlgym/alfworld/games';
import { generateHousehold, householdTexts } from '@vlgym/alfworld/generator';
import { matchAction, parseResponse, rl4vlmCardAction, rl4vlmCommand, tokenSpans } from '@vlgym/core';
import { evaluateFormula } from '@vlgym/points24';
import { analyze, indexTexts, loadCatalog, parseAction, tokenSetRatio } from '@vlgym/webshop';
import fc from 'fast-check';
import {
  BrokenLaw,
  type Damage,
  damage,
  damaged,
  type FuzzTarget,
  fuzzTarget,
  type Text,
  textOf,
  texts,
} from '../support/fuzz-target.js';

const ACTIONS = ['-', '+', '10', 'go to cabinet 1', 'go to cabinet 10', 'search[red shoes]', 'click[buy now]'];
const ANSWERS = [
  '{"thoughts": "two more", "action": "+"}',
  '<think>left of it</think><action>go to cabinet 1</action>',
  '{"name": "act", "arguments": {"action": "10", "thought": "ten \\" \\u00e9"}}',
  '```json\n{"thought": "a", "action": "click[buy now]"}\n```',
  '<tool_call>{"name":"search","arguments":{"keywords":"red shoes"}}</tool_call>',
];
const ANSWER_WORDS = [
  '{',
  '}',
  '"action":',
  '"thoughts": ',
  '"',
  '\\"',
  '\\u',
  ',',
  ' ',
  '<action>',
  '</action>',
  '<think>',
  '</think>',
  ...ACTIONS,
];

const FORMATS = ['json', 'tags', 'tool-call'] as const;

function parseAnswer([text, format]: [Text, (typeof FORMATS)[number]]): void {
  const answer = textOf(text);
  const parsed = parseResponse(answer, { format, actions: ACTIONS, requiredKeys: ['thought'] });
  const [start, end] = parsed.spans.action;
  if (start < 0 || end > answer.length || start > end) throw new BrokenLaw('an action span leaves the answer');
  tokenSpans(parsed, [answer.length]);
  matchAction(answer, ACTIONS);
  rl4vlmCardAction(answer, ACTIONS);
  rl4vlmCommand(answer, ACTIONS);
}

const GAME = householdTexts(generateHousehold({ split: 'train', taskType: 'pick_and_place_simple', seed: 1 }));
const PDDL = [
  '(',
  ')',
  '(and ',
  '(not ',
  '(forall ',
  '(or ',
  '?x ',
  ' - object ',
  ':parameters ',
  '(:action ',
  '(exists ',
];
const GRAMMAR = [
  '{',
  '}',
  '[',
  ']',
  '|',
  '#',
  ' :: ',
  '"',
  ';',
  '<',
  '>',
  'obj.name',
  '\n',
  '//',
  'grammar :: """',
  '"""',
  '\t',
];

const gameText = (part: keyof typeof GAME, words: readonly string[]): FuzzTarget =>
  fuzzTarget({
    name: `alfworld/game-${part}`,
    input: texts(words, [GAME[part]]),
    call: (text: Text) => {
      compileGame({ texts: { ...GAME, [part]: textOf(text) } });
      compileGame({ texts: { ...GAME, [part]: textOf(text) } }, { grammarVersion: 'patched-2.1.2' });
    },
  });

const PRODUCT = {
  asin: 'B000000001',
  name: 'Red ★ running shoes, size 9',
  category: 'fashion',
  query: 'running shoes',
  product_category: 'Fashion › Shoes',
  small_description: ['light', 'red'],
  full_description: 'A shoe.',
  pricing: '$10.00 - $20.00',
  images: ['a.png'],
  customization_options: { size: [{ value: '9', asin: 'B000000002', price_string: '$9' }] },
  Attributes: ['light'],
};
const WORDS = [
  'red ',
  'shoes ',
  'size: ',
  ', ',
  '$',
  '10.00',
  ' - ',
  'under ',
  'dollars',
  '★',
  '\u200d',
  '々',
  "'s ",
  'running',
];

export const textTargets: readonly FuzzTarget[] = [
  fuzzTarget({
    name: 'core/parse-response',
    input: fc.tuple(texts(ANSWER_WORDS, ANSWERS), fc.constantFrom(...FORMATS)),
    call: parseAnswer,
  }),
  fuzzTarget({
    name: 'points24/formula',
    input: texts(['1', '10', '+', '-', '*', '/', '(', ')', '=', '24', ' ', '**', '//', '0', '9'.repeat(30)]),
    call: (text: Text) => evaluateFormula([...textOf(text)].slice(0, 5000)),
  }),
  fuzzTarget({
    name: 'webshop/action',
    input: texts(
      ['search[', 'click[', ']', '[', 'red', ' ', 'Search[', 'buy now'],
      ['search[red shoes]', 'click[b000000001]'],
    ),
    call: (text: Text) => {
      parseAction(textOf(text));
      parseAction(textOf(text), true);
    },
  }),
  fuzzTarget({ name: 'webshop/search-tokens', input: texts(WORDS), call: (text: Text) => analyze(textOf(text)) }),
  fuzzTarget({
    name: 'webshop/token-set-ratio',
    input: fc.tuple(texts(WORDS), fc.string({ unit: 'binary', maxLength: 40 })),
    call: ([text, other]: [Text, string]) => tokenSetRatio(textOf(text).slice(0, 2000), other, 'indel'),
  }),
  fuzzTarget({
    name: 'webshop/product',
    input: fc.tuple(damage, texts(WORDS), fc.constantFrom('name', 'full_description', 'pricing', 'query')),
    call: ([harm, text, key]: [Damage, Text, string]) => {
      loadCatalog({ products: [damaged(PRODUCT, harm), { ...PRODUCT, [key]: textOf(text) }] });
    },
  }),
  gameText('domain', PDDL),
  gameText('problem', PDDL),
  gameText('grammar', GRAMMAR),
  fuzzTarget({
    name: 'alfworld/game-json',
    input: fc.tuple(damage, texts(['{', '}', '"', ':', ','], [JSON.stringify({ pddl_domain: '', task_type: 'x' })])),
    call: ([harm, text]: [Damage, Text]) => {
      const whole = { pddl_domain: 'a', pddl_problem: 'b', grammar: 'c', task_type: 't', pddl_params: {}, scene: {} };
      for (const read of [parseGameFile, parseTrajectoryData]) {
        accept(() => read(JSON.stringify(damaged(whole, harm))));
        read(textOf(text));
      }
    },
  }),
  fuzzTarget({
    name: 'webshop/index',
    input: fc.tuple(fc.array(texts(WORDS), { maxLength: 4 }), texts(WORDS)),
    call: ([documents, query]: [Text[], Text]) => {
      const ids = documents.map((_, index) => `B${index}`);
      indexTexts(ids, documents.map(textOf)).search(textOf(query), 10);
    },
  }),
];

/** Runs the first of two calls, so that its typed errors do not hide the second. */
function accept(call: () => unknown): void {
  try {
    call();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
  }
}
