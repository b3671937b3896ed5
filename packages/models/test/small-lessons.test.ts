/** What the lessons of `npm run small` teach: answers that the environments accept, the same after a resume. */
import { type AnyEnv, Generator, make } from '@vlgym/core';
import { afterAll, describe, expect, it } from 'vitest';
import { batches, labeled } from '../scripts/small/batches.js';
import type { Example, Lesson } from '../scripts/small/lesson.js';
import { lessons } from '../scripts/small/lessons.js';
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
