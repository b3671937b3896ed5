/** What the lessons of `npm run small` teach: answers that the environments accept, the same after a resume. */
import { type AnyEnv, Generator, make } from '@vlgym/core';
import { formulaEquals } from '@vlgym/points24';
import { afterAll, describe, expect, it } from 'vitest';
import { batches, labeled } from '../scripts/small/batches.js';
import type { Example, Lesson } from '../scripts/small/lesson.js';
import { lessons } from '../scripts/small/lessons.js';
import { allTriples, judgment, searchFor24 } from '../scripts/small/points24-search.js';
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
    for await (const { response, labels } of lesson.examples(env, new Generator(3))) {
      if (count++ === 30) break;
      expect(policy.encodeResponse(response).ids.length).toBeLessThanOrEqual(lesson.maxNewTokens);
      if (labels) continue;
      expect(env.dialogue!.parse(response)).toMatchObject({ formatValid: true });
    }
    await env.close();
  });
});

describe('the search for 24', () => {
  it('finds a formula of the four cards for 556 hands, and ends with it', () => {
    const cards = Array.from({ length: 10 }, (_, i) => i + 1);
    const hands = cards.flatMap((a) =>
      cards.slice(0, a).flatMap((b) => cards.slice(0, b).flatMap((c) => cards.slice(0, c).map((d) => [a, b, c, d]))),
    );
    const found = hands.flatMap((hand) => {
      const search = searchFor24(hand);
      return search ? [{ hand, ...search, text: search.formula.join('') }] : [];
    });
    expect(found).toHaveLength(556);
    for (const { hand, trace, text } of found) {
      expect(
        text
          .match(/\d+/g)!
          .map(Number)
          .toSorted((a, b) => b - a),
      ).toEqual(hand);
      expect(formulaEquals([text], 24), text).toBe(true);
      expect(trace.endsWith(`=${text}`), trace).toBe(true);
    }
  });

  it('goes on from a pair as a judgment of its three numbers does', () => {
    const { solvable } = allTriples();
    for (const triple of solvable) {
      const { given, verdict } = judgment(triple);
      expect(verdict.startsWith('!'), given).toBe(true);
      expect(formulaEquals([verdict.slice(verdict.lastIndexOf('=') + 1)], 24), verdict).toBe(true);
    }
    const { trace } = searchFor24([10, 8, 7, 5])!;
    expect(trace.endsWith('10-8=2:7,5,2!7+5=12,2!12*2=24=(7+5)*2=(7+5)*(10-8)')).toBe(true);
    expect(judgment([7, 5, 2])).toEqual({ given: '7,5,2', verdict: '!7+5=12,2!12*2=24=(7+5)*2' });
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
