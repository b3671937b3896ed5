/** Rows that share what they have in common, or take each other's places, get what they would get alone. */
import { type ChatMessage, Generator } from '@vlgym/core';
import { memory } from '@vlgym/gpu';
import { afterAll, describe, expect, it } from 'vitest';
import { jsonOf, oneOf } from '../constraints/text-grammar.js';
import { largestDifference, lora, picture, prompts, smallPolicy, update } from '../policy/policy.test-helper.js';
import type { SampleOptions, ValuedCompletion } from '../policy/sample.js';

const policy = await smallPolicy({ train: lora });
await update(policy, 0.1); // adapters that change something
afterAll(() => policy.close());

const inputs = prompts().map((messages) => policy.encode(messages));
const generators = (count: number) => new Generator(3).spawn(count);

async function alone(all: typeof inputs, options: Partial<SampleOptions> = {}): Promise<ValuedCompletion[]> {
  const results: ValuedCompletion[] = [];
  for (const [i, rng] of generators(all.length).entries()) {
    results.push(...(await policy.sample([all[i]!], { maxNewTokens: 24, ...options, rng: [rng] })));
  }
  return results;
}

function expectSame(found: readonly ValuedCompletion[], wanted: readonly ValuedCompletion[]): void {
  expect(found.map(({ tokenIds }) => [...tokenIds])).toEqual(wanted.map(({ tokenIds }) => [...tokenIds]));
  for (const [i, { logProbs, behaviorLogProbs, value }] of found.entries()) {
    expect(largestDifference(logProbs, wanted[i]!.logProbs)).toBeLessThan(1e-4);
    expect(largestDifference(behaviorLogProbs, wanted[i]!.behaviorLogProbs)).toBeLessThan(1e-4);
    expect(value).toBeCloseTo(wanted[i]!.value, 4);
  }
}

describe('slots', () => {
  const many = [...inputs, ...inputs.toReversed(), ...inputs];

  it.each([1, 2, 5])('%d of them, refilled as rows end, give what each row gives alone', async (slots) => {
    const before = memory().tensors;
    const options = { maxNewTokens: 24, temperature: 1.3, topK: 40, repetitionPenalty: 1.1 };
    const found = await policy.sample(many, { ...options, slots, rng: generators(many.length) });
    expect(memory().tensors).toBe(before);
    expectSame(found, await alone(many, options));
  });

  it('give log-probs that scoring repeats', async () => {
    const found = await policy.sample(many, { maxNewTokens: 24, slots: 3, rng: generators(many.length) });
    const { logProbs, values } = await policy.score(
      many.map((input, i) => ({ input, responseIds: found[i]!.tokenIds })),
    );
    for (const [i, row] of found.entries()) {
      expect(largestDifference(row.logProbs, logProbs[i]!)).toBeLessThan(1e-4);
      expect(row.value).toBeCloseTo(values[i]!, 4);
    }
  });
});

describe('prompts', () => {
  it('that are equal are read once and answered each by its own draws', async () => {
    const image = picture(5);
    const copy = { ...image, data: Uint8Array.from(image.data) };
    const ask = (shown: typeof image): ChatMessage[] => [
      {
        role: 'user',
        content: [
          { type: 'image', image: shown },
          { type: 'text', text: 'Which way?' },
        ],
      },
    ];
    const group = [ask(image), ask(copy), ask(picture(6)), ask(image)].map((messages) => policy.encode(messages));
    const found = await policy.sample(group, { maxNewTokens: 24, rng: generators(4) });
    expectSame(found, await alone(group));
    expect(new Set(found.map(({ text }) => text)).size).toBeGreaterThan(1);
  });

  it('that begin with the same long text are answered as if each were read whole', async () => {
    const rules = 'Answer with one action. '.repeat(8);
    const group = prompts().map((messages) => policy.encode([{ role: 'system', content: rules }, ...messages]));
    const found = await policy.sample(group, { maxNewTokens: 24, rng: generators(4) });
    expectSame(found, await alone(group));
  });
});

describe('a response', () => {
  it('ends with the token that completes a stop text', async () => {
    const [free] = await policy.sample([inputs[0]!], { maxNewTokens: 24, rng: generators(1) });
    const middle = free!.text.slice(6, 9);
    const [stopped] = await policy.sample([inputs[0]!], { maxNewTokens: 24, rng: generators(1), stop: [middle] });
    expect(stopped!.finishReason).toBe('stop');
    expect(stopped!.text).toContain(middle);
    expect(stopped!.text.length).toBeLessThan(free!.text.length);
    expect(free!.text.startsWith(stopped!.text)).toBe(true);
  });

  it('is streamed token by token', async () => {
    const streamed: number[][] = inputs.map(() => []);
    const onToken: SampleOptions['onToken'] = ({ row, position, id }) => {
      streamed[row]![position] = id;
    };
    const found = await policy.sample(inputs, { maxNewTokens: 9, slots: 2, rng: generators(4), onToken });
    expect(streamed).toEqual(found.map(({ tokenIds }) => [...tokenIds]));
  });

  it('is one of the texts that a mask allows', async () => {
    const labels = ['turn left', 'turn right', 'go forward', 'go back'];
    const rows = Array.from({ length: 24 }, (_, i) => inputs[i % 4]!);
    const mask = [true, false, true, true];
    const grammar = oneOf(labels.filter((_, action) => mask[action]));
    const found = await policy.sample(rows, { maxNewTokens: 30, rng: generators(24), grammar });
    const texts = new Set(found.map(({ text }) => text));
    expect([...texts].filter((text) => !['turn left', 'go forward', 'go back'].includes(text))).toEqual([]);
    expect(texts.size).toBeGreaterThan(1);
    expect(found.every(({ finishReason }) => finishReason === 'stop')).toBe(true);
    // a forced token is certain under what it was drawn from, not under the policy
    expect(
      found.some(({ behaviorLogProbs, logProbs }) => behaviorLogProbs.some((p, i) => p > logProbs[i]! + 0.1)),
    ).toBe(true);
  });

  it('is JSON of a schema, where one is given, and free where none is', async () => {
    const schema = {
      type: 'object',
      properties: {
        cards: { type: 'array', items: { type: 'integer' }, minItems: 1, maxItems: 2 },
        thoughts: { type: 'string', maxLength: 12 },
        action: { enum: ['left', 'right'] },
      },
    } as const;
    const grammar = [jsonOf(schema), null, jsonOf(schema), jsonOf(schema)];
    const found = await policy.sample(inputs, { maxNewTokens: 120, rng: generators(4), grammar });
    for (const i of [0, 2, 3]) {
      const answer = JSON.parse(found[i]!.text);
      expect(Object.keys(answer)).toEqual(['cards', 'thoughts', 'action']);
      expect(answer.cards.length).toBeLessThanOrEqual(2);
      expect(['left', 'right']).toContain(answer.action);
    }
    expect(() => JSON.parse(found[1]!.text)).toThrow();
  });
});

it('a schema that asks for more than is covered is refused', () => {
  expect(() => jsonOf({ type: 'string', pattern: 'a+' })).toThrow(
    expect.objectContaining({ code: 'JSON_SCHEMA_UNSUPPORTED' }),
  );
});
