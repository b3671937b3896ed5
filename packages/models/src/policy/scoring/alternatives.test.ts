/** The likeliest tokens of a response, against its scores: same numbers, in order, all of them together a distribution. */
import { beforeAll, describe, expect, it } from 'vitest';
import { sequencesOf, smallPolicy } from '../policy.test-helper.js';
import type { VlmPolicy } from '../vlm-policy.js';

let policy: VlmPolicy;
beforeAll(async () => {
  policy = await smallPolicy();
});

describe('alternatives', () => {
  it.each([1, 0.7])(
    'are the whole distribution that scores come from, the likeliest first, at temperature %d',
    async (temperature) => {
      for (const sequence of sequencesOf(policy)) {
        const places = await policy.alternatives(sequence, { count: policy.vocabularySize, temperature });
        const { logProbs } = await policy.score([sequence], { temperature });
        expect(places).toHaveLength(sequence.responseIds.length);
        for (const [place, { logProb, rank, top }] of places.entries()) {
          expect(Math.abs(logProb - logProbs[0]![place]!)).toBeLessThan(1e-4);
          expect(top[rank]).toMatchObject({ id: sequence.responseIds[place], logProb });
          expect(top.map((each) => each.logProb)).toEqual(top.map((each) => each.logProb).sort((a, b) => b - a));
          expect(top.reduce((sum, each) => sum + Math.exp(each.logProb), 0)).toBeCloseTo(1, 4);
        }
      }
    },
  );

  it('are as many as were asked for, and those of legal answers where these are constrained', async () => {
    const [sequence] = sequencesOf(policy);
    const endings = ['{"action": "8"}', '{"action": "7"}'];
    const constraint = { kind: 'actions', without: null, endings, maxTokens: 64 } as const;
    const input = { ...sequence!.input, constraint };
    const free = await policy.alternatives(sequence!, { count: 3 });
    expect(free.map(({ top }) => top.length)).toEqual(free.map(() => 3));
    const places = await policy.alternatives({ ...sequence!, input }, { count: 3 });
    const { logProbs } = await policy.score([{ ...sequence!, input }]);
    expect(places.map(({ logProb }) => logProb.toFixed(4))).toEqual([...logProbs[0]!].map((each) => each.toFixed(4)));
  });

  it('refuses a count beyond the vocabulary, and options that it does not know', async () => {
    const [sequence] = sequencesOf(policy);
    const count = policy.vocabularySize + 1;
    expect(() => policy.alternatives(sequence!, { count })).toThrow(/whole number from 1 to/);
    expect(() => policy.alternatives(sequence!, { counts: 3 } as object)).toThrow(/counts/);
  });
});
