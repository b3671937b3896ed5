/** What the lessons of `npm run small` teach: answers that the environments accept, the same after a resume. */
import { type AnyEnv, type ChatMessage, Generator, make } from '@vlgym/core';
import { formulaEquals } from '@vlgym/points24';
import type { WebShopInfo } from '@vlgym/webshop';
import { afterAll, describe, expect, it } from 'vitest';
import { batches, drillStepsOf, examplesOf, labeled } from '../scripts/small/batches.js';
import { codeCopy, wordCopy } from '../scripts/small/copies.js';
import { HouseholdNotes } from '../scripts/small/household-notes.js';
import type { Example, Lesson } from '../scripts/small/lesson.js';
import { lessons } from '../scripts/small/lessons.js';
import { entries, judgments, parts } from '../scripts/small/points24-parts.js';
import {
  allTriples,
  anyFormula,
  attempts,
  judgment,
  type Pair,
  searchFor24,
} from '../scripts/small/points24-search.js';
import { shopperChoice } from '../scripts/small/shop-notes.js';
import { bargains, wishes } from '../scripts/small/shop-pages.js';
import { sighting, whereabouts } from '../scripts/small/sightings.js';
import { createPolicy } from '../src/index.js';

const policy = await createPolicy({ preset: 'small' });
afterAll(() => policy.close());

/** A shop of 100 products opens at once. */
const options = (lesson: Lesson) => ({
  ...lesson.options,
  ...(lesson === lessons.webshop && { catalog: { products: 100, seed: 0 } }),
  ...lesson.splits.train,
});

const open = async (lesson: Lesson) => (await make(lesson.env, { options: options(lesson) })) as AnyEnv;

describe.each(Object.entries(lessons))('the lesson %s', (_, lesson) => {
  it('has answers of the requested form, short enough to be sampled', async () => {
    const env = await open(lesson);
    let count = 0;
    for await (const { messages, response } of examplesOf(lesson.mix, env, new Generator(3))) {
      // others are parts of what an answer takes
      const isAnswer = lesson === lessons.points24 ? response.includes('"action"') : messages[0]!.role === 'system';
      if (!isAnswer || response.startsWith('{"formula"')) continue;
      expect(policy.encodeResponse(response).ids.length).toBeLessThanOrEqual(lesson.maxNewTokens);
      expect(env.dialogue!.parse(response)).toMatchObject({ formatValid: true });
      if (++count === 15) break;
    }
    await env.close();
  });
});

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

  it('goes on from three numbers as from four', () => {
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

describe('a conversation as an example', () => {
  const messages: readonly ChatMessage[] = [
    { role: 'system', content: 'Act.' },
    { role: 'user', content: 'You see a desk 1.' },
    { role: 'assistant', content: '{"action":"go to desk 1"}' },
    { role: 'user', content: 'Nothing happens.' },
    { role: 'assistant', content: '{"action":"look"}' },
    { role: 'user', content: 'You see a desk 1.' },
  ];
  const response = '{"action":"take pen 2 from desk 1"}';

  it.each<[string, number[], { labels?: [] }, string[]]>([
    ['every answer', [2, 4], {}, ['{"action":"go to desk 1"}', '{"action":"look"}', response]],
    ['the second and the third', [4], {}, ['{"action":"look"}', response]],
    ['the first alone', [2], { labels: [] }, ['{"action":"go to desk 1"}']],
    ['the last alone', [], {}, [response]],
  ])('has labels on %s, and the tokens of its prompt', (_, answers, last, expected) => {
    const { input, responseIds, labelMask } = labeled(policy, { messages, response, answers, ...last });
    const labels = [...responseIds].filter((_, place) => labelMask[place] === 1);
    expect(labels).toEqual(expected.flatMap((text) => [...policy.encodeResponse(text).ids]));
    const whole = [...policy.encode(messages).promptIds, ...policy.encodeResponse(response).ids];
    expect([...input.promptIds, ...responseIds]).toEqual(whole);
    // what is sampled from has the prompt of training before it
    const first = answers[0] ?? messages.length;
    expect([...input.promptIds]).toEqual([...policy.encode(messages.slice(0, first)).promptIds]);
  });
});

describe('copies', () => {
  it('repeat the request, and give the code of a line that has its first words', () => {
    const rng = new Generator(4);
    for (let i = 0; i < 200; i += 1) {
      const { messages, response } = wordCopy(rng);
      expect(response).toBe(messages[0]!.content);
    }
    for (let i = 0; i < 200; i += 1) {
      const { messages, response, answers } = codeCopy(rng);
      const texts = messages.map(({ content }) => String(content));
      const [request, search, page] = texts;
      expect(search).toBe(`search[${request}]`);
      expect(answers).toEqual(texts.flatMap((_, place) => (place % 2 === 1 ? [place] : [])));
      const entries = page!.split(' [SEP] ');
      const clicks = [...texts.slice(3).filter((_, place) => place % 2 === 0), response];
      const questions = [request!, ...texts.slice(4).filter((_, place) => place % 2 === 0)];
      expect(clicks.length).toBe(questions.length);
      for (const [turn, click] of clicks.entries()) {
        const place = entries.indexOf(click.slice('click['.length, -1));
        expect(place % 3).toBe(0);
        expect(entries[place + 1]!.split(' ')).toContain(questions[turn]!.split(' ')[0]);
      }
    }
  });
});

describe('drills', () => {
  it.each([
    ['points24', 40, [24, 24, 16]],
    ['alfworld', 40, [48, 48, 4]],
    ['webshop', 40, [48, 16, 4]],
  ])('come before the examples of %s', async (name, steps, expected) => {
    const lesson = lessons[name]!;
    const env = await open(lesson);
    const drillSteps = drillStepsOf(lesson, steps);
    const batchOf = batches({ lesson, env, policy, seed: 0, steps });
    const sizes = [];
    for (const step of [0, drillSteps - 1, drillSteps]) sizes.push((await batchOf(step)).length);
    expect(sizes).toEqual(expected);
    const [again] = await batches({ lesson, env, policy, seed: 0, steps })(drillSteps - 1);
    expect(again).toEqual((await batchOf(drillSteps - 1))[0]);
    await env.close();
  });

  it('name the cards of the picture', async () => {
    const env = await open(lessons.points24!);
    const rng = new Generator(2);
    for (let i = 0; i < 5; i += 1) {
      const [drill] = lessons.points24!.drills!;
      const { messages, response } = (await drill!.example(rng, env))!;
      expect(messages.at(-1)!.content).toContainEqual(expect.objectContaining({ type: 'image' }));
      expect(response).toMatch(/^\{"cards": \[\d+, \d+, \d+, \d+\], "formula": "$/);
      // the same tokens as in a whole answer
      const whole = `${response}(", "thoughts": "", "action": "="}`;
      const ids = [...policy.encodeResponse(response).ids].slice(0, -1);
      expect([...policy.encodeResponse(whole).ids].slice(0, ids.length)).toEqual(ids);
    }
    await env.close();
  });
});

describe('labels of points24', () => {
  const drawnOf = async (count: number) => {
    const env = await open(lessons.points24!);
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
  it('go on with the formula that the thought before them ends with', () => {
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

describe('the shopper', () => {
  const results =
    'Back to Search [SEP] Page 1 (Total results: 50) [SEP] Next > [SEP] B000000001 [SEP] Red Mug [SEP] $30.0';
  const more = `${results} [SEP] B000000002 [SEP] Blue Mug [SEP] $12.5 to $40.0`;
  const info = (page: WebShopInfo['page'], instruction: string, clickables: readonly string[] = []) =>
    ({ page, instruction, availableActions: { hasSearchBar: false, clickables } }) as unknown as WebShopInfo;

  it.each([
    ['a mug, and price lower than 30.00 dollars', 'below 30.00: $30.0.', 'click[b000000001]'],
    ['a mug, and price lower than 20.00 dollars', 'below 20.00: $12.5.', 'click[b000000002]'],
    ['a mug, and price lower than 10.00 dollars', 'below 10.00: none.', 'click[b000000001]'],
    ['a mug', 'any price: $30.0.', 'click[b000000001]'],
  ])('opens the first product below the price of "%s"', (instruction, thought, action) => {
    expect(shopperChoice(more, info('results', instruction), 'search[a mug]')).toEqual({ thought, action });
  });

  const options = ['navy blue', 'blue', '6', '60', 'extra large', 'buy now', 'back to search', '< prev'];
  const item =
    'Back to Search [SEP] < Prev [SEP] color [SEP] navy blue [SEP] blue [SEP] size [SEP] 6 [SEP] 60 [SEP] extra large [SEP] Mug';

  it.each<[string, string[], string, string]>([
    ['a navy blue mug, pack of 6', [], 'choose navy blue, 6.', 'click[navy blue]'],
    ['a navy blue mug, pack of 6', ['navy blue'], 'choose 6.', 'click[6]'],
    ['a blue mug (Extra-Large), and price lower than 60.00 dollars', [], 'choose blue, extra large.', 'click[blue]'],
    ['a bluish mug', [], 'choose none.', 'click[buy now]'],
  ])('chooses the options that "%s" names but %j', (instruction, chosen, thought, action) => {
    expect(shopperChoice(item, info('item', instruction, options), '', chosen)).toEqual({ thought, action });
  });

  it('says of many prices which product is the first below, and of many pages which options are named', async () => {
    const env = await open(lessons.webshop!);
    const rng = new Generator(14);
    for (let i = 0; i < 10; i += 1) {
      const { messages, response, labels } = (await bargains(rng, env))!;
      const page = String(messages[0]!.content);
      const answers = labels!.map((label) => response.slice(...label));
      for (const [, limit, answer, code] of response.matchAll(/below ([\d.]+):( [^\n]+\nclick\[(\w+)\])/g)) {
        expect(answers.shift()).toBe(answer);
        const prices = [...page.matchAll(/(B0\w{8}) \[SEP\] [^$]+? \[SEP\] \$([\d.]+)/g)];
        const first = prices.find(([, , price]) => Number(price) <= Number(limit)) ?? prices[0]!;
        expect(code).toBe(first[1]);
      }
      expect(answers).toEqual([]);
      const asked = (await wishes(rng, env))!;
      const texts = [...asked.messages.map(({ content }) => String(content)), asked.response];
      const instruction = /^Instruction: (.+)$/m.exec(texts[0]!)![1]!;
      for (const [place, text] of texts.entries()) {
        if (place % 2 === 0) continue;
        const names = text.slice('choose '.length, -1).split(', ');
        for (const name of names.filter((each) => each !== 'none')) {
          expect(texts[place - 1]!.toLowerCase()).toContain(` ${name} `);
          expect(instruction.toLowerCase().replaceAll('-', ' ')).toContain(name.replaceAll('-', ' '));
        }
      }
    }
    await env.close();
  });
});

describe('episodes of the shop', () => {
  it('have new codes for its products, and click what a page shows', async () => {
    const env = await open(lessons.webshop!);
    const seen = new Set<string>();
    let episodes = 0;
    for await (const { messages, response, answers } of examplesOf(lessons.webshop!.mix, env, new Generator(6))) {
      if (messages[0]!.role !== 'system') continue;
      const texts = [...messages.map(({ content }) => String(content)), response];
      for (const [place, text] of texts.entries()) {
        const code = answers!.includes(place) ? /\nclick\[(B0[A-Z0-9]{8})\]$/.exec(text)?.[1] : undefined;
        if (!code) continue;
        expect(texts[place - 1]).toContain(code);
        seen.add(code);
      }
      episodes += 1;
      if (episodes === 40) break;
    }
    // the same product of the 100 is opened more than once
    expect(seen.size).toBe(40);
    await env.close();
  });
});

describe('notes of a household', () => {
  const after = (task: string, steps: readonly (readonly [command: string, text: string])[], next: string) => {
    const notes = new HouseholdNotes(task);
    for (const [command, text] of steps) notes.see(command, text);
    return notes.thought(next);
  };
  const shelf = ['go to shelf 1', 'You arrive at shelf 1. On the shelf 1, you see a mug 2, and a pen 1.'] as const;
  const desk = ['go to desk 1', 'You arrive at desk 1. On the desk 1, you see a desklamp 1, and a mug 3.'] as const;
  const take = ['take mug 2 from shelf 1', 'You pick up the mug 2 from the shelf 1.'] as const;
  const clean = ['clean mug 2 with sinkbasin 1', 'You clean the mug 2 using the sinkbasin 1.'] as const;
  const put = ['move mug 2 to desk 1', 'You move the mug 2 to the desk 1.'] as const;

  it.each<[string, Parameters<typeof after>[1], string, string]>([
    ['put a mug in desk.', [], 'go to shelf 1', 'need mug: none here.'],
    ['put some mug on desk.', [shelf], 'take mug 2 from shelf 1', 'need mug: mug 2 here.'],
    ['put some mug on bed.', [shelf, desk], 'go to shelf 1', 'need mug: mug 2 in shelf 1.'],
    ['put a clean mug in desk.', [shelf, take], 'go to sinkbasin 1', 'hold mug 2, clean it.'],
    ['heat some mug and put it in desk.', [shelf, take], 'go to microwave 1', 'hold mug 2, heat it.'],
    ['put a hot mug in desk.', [shelf, take], 'go to microwave 1', 'hold mug 2, heat it.'],
    ['clean some mug and put it in desk.', [shelf, take, clean], 'go to desk 1', 'hold mug 2, put in desk.'],
    // mug 3 is there already
    ['find two mug and put them in desk.', [desk, shelf], 'take mug 2 from shelf 1', 'second mug: mug 2 here.'],
    ['put two mug in desk.', [shelf, take, put], 'go to bed 1', 'second mug: none here.'],
    // it is there, but not clean
    ['put a clean mug in desk.', [desk], 'take mug 3 from desk 1', 'need mug: mug 3 here.'],
    ['look at mug under the desklamp.', [shelf, take], 'go to desk 1', 'hold mug 2, need desklamp: none here.'],
    [
      'examine the mug with the desklamp.',
      [desk, shelf, take],
      'go to desk 1',
      'hold mug 2, need desklamp: desklamp 1 in desk 1.',
    ],
    [
      'examine the mug with the desklamp.',
      [shelf, take, desk],
      'use desklamp 1',
      'hold mug 2, need desklamp: desklamp 1 here.',
    ],
    ['put a pen in desk.', [shelf, take], 'move mug 2 to shelf 1', 'hold mug 2, put away.'],
  ])('for "%s" after %j and before "%s"', (task, steps, next, expected) => {
    expect(after(task, steps, next)).toBe(expected);
  });

  it('name the object that every expert is about to take, use or treat', async () => {
    const env = await open(lessons.alfworld!);
    let taken = 0;
    let episodes = 0;
    for await (const example of examplesOf(lessons.alfworld!.mix, env, new Generator(9))) {
      const { messages, response, labels, answers = [] } = example;
      if (messages[0]!.role !== 'system') continue;
      const last = labels ? [] : [response];
      const said = [...answers.map((place) => String(messages[place]!.content)), ...last].map(
        (text) => JSON.parse(text) as { thoughts: string; action: string },
      );
      for (const { thoughts, action } of said) {
        const [, verb, object] = /^(take|use|clean|heat|cool|move) (\w+ \d+)/.exec(action) ?? [];
        if (!object) continue;
        taken += 1;
        expect(thoughts).toContain(verb === 'take' || verb === 'use' ? `${object} here` : `hold ${object}`);
      }
      episodes += 1;
      if (episodes === 40) break;
    }
    expect(taken).toBeGreaterThan(80);
    await env.close();
  });
});

describe('sightings', () => {
  it('say of each receptacle whether the object of the task is there, and take it from the first where it is', async () => {
    const env = await open(lessons.alfworld!);
    const rng = new Generator(8);
    for (let i = 0; i < 20; i += 1) {
      const { messages, response, answers } = (await sighting(rng, env))!;
      const texts = [...messages.map(({ content }) => String(content)), response];
      expect([...answers!, messages.length]).toEqual(texts.flatMap((_, place) => (place % 2 === 1 ? [place] : [])));
      let name = '';
      for (const [place, text] of texts.entries()) {
        if (place % 2 === 0) {
          const sentence = /^Your task is to: (.+)$/m.exec(text)?.[1];
          if (sentence) name = /^need (\w+):/.exec(new HouseholdNotes(sentence).thought('look'))![1]!;
          continue;
        }
        const { thoughts, action } = JSON.parse(text) as { thoughts: string; action?: string };
        const seen =
          texts[place - 1]!.split('\n')
            .at(-1)!
            .match(new RegExp(`\\b${name} \\d+`, 'g')) ?? [];
        expect(thoughts).toBe(`need ${name}: ${seen.length > 0 ? `${seen[0]} here` : 'none here'}.`);
        expect(seen.length).toBe(action === undefined ? 0 : 1);
        if (action === undefined) continue;
        const [, object, receptacle] = /^take (\w+ \d+) from (\w+ \d+)$/.exec(action)!;
        expect(object).toBe(seen[0]);
        expect(texts[place - 1]).toContain(receptacle);
        name = '';
      }
    }
    await env.close();
  });
});

describe('whereabouts', () => {
  it('say of each object whether the text before them names one', async () => {
    const env = await open(lessons.alfworld!);
    const rng = new Generator(10);
    const counts = { here: 0, none: 0 };
    for (let i = 0; i < 10; i += 1) {
      // a household with little to see has none
      const { response = '', labels = [] } = (await whereabouts(rng, env)) ?? {};
      for (const [start, end] of labels) {
        const name = /need (\w+):$/.exec(response.slice(0, start))![1]!;
        const text = response.slice(0, start).split('\n').at(-2)!;
        const seen = text.match(new RegExp(`\\b${name} \\d+`, 'g')) ?? [];
        expect(seen.length).toBeLessThan(2);
        expect(response.slice(start, end)).toBe(seen.length > 0 ? ` ${seen[0]} here.` : ' none here.');
        counts[seen.length > 0 ? 'here' : 'none'] += 1;
      }
    }
    expect(Math.min(counts.here, counts.none)).toBeGreaterThan(50);
    await env.close();
  });
});

describe('batches', () => {
  it('of a step are the same whatever was asked for before', async () => {
    const env = await open(lessons.points24!);
    const lesson = { ...lessons.points24!, batch: 4 };
    const course = { lesson, env, policy, seed: 7, steps: 100 };
    const [first, second] = [batches(course), batches(course)];
    const ids = (steps: Awaited<ReturnType<typeof first>>) => steps.map(({ responseIds }) => [...responseIds]);
    await first(0);
    await first(7);
    expect(ids(await first(9))).toEqual(ids(await second(9)));
    expect(ids(await first(9))).not.toEqual(ids(await second(10)));
    await env.close();
  });

  it('train only on the parts that are labels', () => {
    const example: Example = { messages: [{ role: 'user', content: 'a' }], response: ':18,5,3;', labels: [[7, 8]] };
    const { labelMask, responseIds } = labeled(policy, example);
    const label = [...responseIds].flatMap((_, i) => (labelMask[i] ? [i] : []));
    expect(label).toHaveLength(1);
    expect(policy.encodeResponse(':18,5,3').ids.length - 1).toBe(label[0]);
  });
});
