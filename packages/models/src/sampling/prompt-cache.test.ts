/** Conversations that continue: what earlier calls have read is not read again, and answers are those of whole prompts. */
import { type ChatMessage, Generator, setWarningSink } from '@vlgym/core';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { KeyValueCache } from '../layers/key-value-cache.js';
import { picture, sequencesOf, smallPolicy } from '../policy/policy.test-helper.js';
import type { VlmPolicy } from '../policy/vlm-policy.js';
import { PromptCache } from './prompt-cache.js';

const open: VlmPolicy[] = [];
afterEach(() => {
  vi.restoreAllMocks();
  setWarningSink(undefined);
  for (const policy of open.splice(0)) policy.close();
});

async function policyWith(promptCacheBytes: number): Promise<VlmPolicy> {
  open.push(await smallPolicy({ dtype: 'float64', promptCacheBytes }));
  return open.at(-1)!;
}

const OPENINGS = [
  'You are in the middle of a room. Looking quickly around you, you see a cabinet 3, a drawer 2, and a shelf 1.',
  'Make 24 of the cards that the picture shows, one entry of the formula at a time: 10, 8, 7, 5. The formula is empty.',
  'Go.',
];
const NEWS = [
  'You open the drawer 2. In it, you see a pen 1.',
  'Nothing happens.',
  'You arrive at shelf 1, which is empty.',
];

/** Three turns of three conversations; another one joins at the second turn, with a picture. */
async function converse(policy: VlmPolicy) {
  const talks: ChatMessage[][] = OPENINGS.map((content) => [{ role: 'user', content }]);
  const answers = [];
  for (let turn = 0; turn < 3; turn += 1) {
    if (turn === 1) {
      const image = { type: 'image', image: picture(5) } as const;
      talks.push([{ role: 'user', content: [image, { type: 'text', text: 'And here? Which way do you go?' }] }]);
    }
    const completions = await policy.sample(
      talks.map((messages) => policy.encode(messages)),
      { rng: talks.map((_, row) => new Generator(10 * turn + row)), maxNewTokens: 4 + turn },
    );
    for (const [row, { text, tokenIds, logProbs, value }] of completions.entries()) {
      answers.push({ tokenIds: [...tokenIds], logProbs: [...logProbs], value });
      talks[row]!.push({ role: 'assistant', content: text }, { role: 'user', content: NEWS[(row + turn) % 3]! });
    }
  }
  return answers;
}

describe('a conversation that continues', () => {
  it('has the answers of whole prompts, with other rows, pictures and short prompts next to', async () => {
    const found = vi.spyOn(PromptCache.prototype, 'find');
    const cached = await converse(await policyWith(2 ** 26));
    const counts = found.mock.results.flatMap(({ value }) => (value ? [value.count] : []));
    // the two long ones at their second and third turn, and what else had become long
    expect(counts.length).toBeGreaterThanOrEqual(4);
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(32);
    const whole = await converse(await policyWith(0));
    for (const [i, answer] of cached.entries()) {
      expect(answer.tokenIds).toEqual(whole[i]!.tokenIds);
      for (const [j, logProb] of answer.logProbs.entries()) expect(logProb).toBeCloseTo(whole[i]!.logProbs[j]!, 6);
      expect(answer.value).toBeCloseTo(whole[i]!.value, 6);
    }
  });

  it('is read again after forgetPrompts, bit for bit as if nothing had been sampled before', async () => {
    const [policy, fresh] = [await policyWith(2 ** 26), await policyWith(2 ** 26)];
    await converse(policy);
    await policy.forgetPrompts();
    expect(await converse(policy)).toEqual(await converse(fresh));
  });

  it('is read again when the weights have changed', async () => {
    const policy = await policyWith(2 ** 26);
    const first = await converse(policy);
    await policy.accumulate(sequencesOf(policy), ({ logProbs }) => logProbs.sum());
    await policy.step({ learningRate: 0.1, maxGradNorm: 1 });
    const after = await converse(policy);
    expect(after[0]!.logProbs).not.toEqual(first[0]!.logProbs);
    const fresh = await policyWith(0);
    await fresh.accumulate(sequencesOf(fresh), ({ logProbs }) => logProbs.sum());
    await fresh.step({ learningRate: 0.1, maxGradNorm: 1 });
    for (const [i, { tokenIds }] of (await converse(fresh)).entries()) expect(after[i]!.tokenIds).toEqual(tokenIds);
  });
});

describe('PromptCache', () => {
  it('keeps no more than its bytes, the longest conversation of a kind alone, and what was used last', () => {
    const shape = { numHiddenLayers: 1, numKeyValueHeads: 1, headDim: 2 };
    const source = new KeyValueCache(shape, 1, 100, { dtype: 'float32', device: 'cpu' });
    source.length = 100;
    const ids = (start: number, count: number) => Int32Array.from({ length: count }, (_, i) => start + i);
    const perToken = 2 * 2 * 4;
    const cache = new PromptCache(100 * perToken);
    const warnings: string[] = [];
    setWarningSink(({ code, message }) => warnings.push(`${code} ${message}`));
    cache.add(ids(0, 40), source, 0, 0);
    cache.add(ids(0, 50), source, 0, 0);
    expect(cache.bytes).toBe(50 * perToken);
    cache.add(ids(1000, 50), source, 0, 0);
    expect(cache.find(ids(0, 80))!.count).toBe(50);
    expect(cache.find(ids(0, 45))!.count).toBe(44);
    expect(cache.find(ids(0, 20))).toBeNull();
    cache.add(ids(2000, 40), source, 0, 0);
    // another conversation, and the beginning of one that had no room, are no reason to warn
    expect(cache.find(ids(3000, 80))).toBeNull();
    expect(cache.find(ids(1000, 45))).toBeNull();
    expect(warnings).toEqual([]);
    expect(cache.find(ids(1000, 80))).toBeNull();
    expect(cache.find(ids(0, 80))!.count).toBe(50);
    expect(warnings).toEqual([expect.stringMatching(/^PROMPT_CACHE_SMALL .* 1 MB is too small.* up to 1 MB/)]);
    cache.clear();
    expect(cache.bytes).toBe(0);
    source.dispose();
  });
});
