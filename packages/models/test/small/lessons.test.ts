/** Claims about all lessons of `npm run small`: answers that the environments accept, the same after a resume. */

import { type ChatMessage, Generator } from '@vlgym/core';
import { describe, expect, it } from 'vitest';
import { batches, drillStepsOf, examplesOf, labeled } from '../../scripts/small/batches.js';
import { codeCopy, wordCopy } from '../../scripts/small/copies.js';
import type { Example } from '../../scripts/small/lesson.js';
import { lessons } from '../../scripts/small/lessons.js';
import { lossesByKind } from '../../scripts/small/losses.js';
import type { ActorCritic } from '../../src/layers/actor-critic.js';
import { openLesson, policy } from './lesson.test-helper.js';

describe.each(Object.entries(lessons))('the lesson %s', (_, lesson) => {
  it('has answers of the requested form, short enough to be sampled', async () => {
    const env = await openLesson(lesson);
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

describe('losses', () => {
  it('are those of every kind of a lesson, of labels alone, the same every time', async () => {
    const lesson = lessons.points24!;
    const losses = await lossesByKind(lesson, policy, 2);
    expect(losses.map(({ kind }) => kind)).toEqual(lesson.mix.map(({ name }) => name));
    const uniform = Math.log((policy.model as ActorCritic).language.config.vocabSize);
    for (const { labels, loss, missed } of losses) {
      expect(labels).toBeGreaterThan(10);
      expect(Math.abs(loss - uniform)).toBeLessThan(1);
      expect(missed).toBe(1);
    }
    expect(await lossesByKind(lesson, policy, 2)).toEqual(losses);
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
    const env = await openLesson(lesson);
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
    const env = await openLesson(lessons.points24!);
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

describe('batches', () => {
  it('of a step are the same whatever was asked for before', async () => {
    const env = await openLesson(lessons.points24!);
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
