import { Generator } from '@vlgym/core';
import { memory, noGrad } from '@vlgym/gpu';
import { afterAll, describe, expect, it } from 'vitest';
import { prompts, smallPolicy } from '../policy/policy.test-helper.js';

const policy = await smallPolicy();
const inputs = prompts().map((messages) => policy.encode(messages));
const generators = (seed: number) => new Generator(seed).spawn(inputs.length);
afterAll(() => policy.close());

describe('sampling', () => {
  it('gives the same responses for the same seed, and others for another', async () => {
    const texts = async (seed: number) =>
      (await policy.sample(inputs, { maxNewTokens: 12, rng: new Generator(seed) })).map(({ text }) => text);
    expect(await texts(1)).toEqual(await texts(1));
    expect(await texts(1)).not.toEqual(await texts(2));
  });

  it('of a row with its own generator does not depend on its neighbors', async () => {
    const together = await policy.sample(inputs, { maxNewTokens: 20, rng: generators(3) });
    for (const [i, input] of inputs.entries()) {
      const [alone] = await policy.sample([input], { maxNewTokens: 20, rng: [generators(3)[i]!] });
      expect(alone!.tokenIds).toEqual(together[i]!.tokenIds);
    }
  });

  it('draws one number per unfinished row and position', async () => {
    const rng = new Generator(4);
    const completions = await policy.sample(inputs, { maxNewTokens: 9, rng });
    const drawn = new Generator(4);
    drawn.random(completions.reduce((sum, { tokenIds }) => sum + tokenIds.length, 0));
    expect(rng.getState()).toEqual(drawn.getState());
  });

  it('at temperature 0 takes the likeliest tokens and draws nothing', async () => {
    const rng = new Generator(5);
    const before = rng.getState();
    const [completion] = await policy.sample(inputs.slice(0, 1), { maxNewTokens: 6, temperature: 0, rng });
    expect(rng.getState()).toEqual(before);
    expect([...completion!.behaviorLogProbs]).toEqual(new Array(completion!.tokenIds.length).fill(0));
    const { logProbs } = await policy.score([{ input: inputs[0]!, responseIds: completion!.tokenIds }]);
    for (const [i, logProb] of completion!.logProbs.entries()) expect(logProb).toBeCloseTo(logProbs[0]![i]!, 4);
    // no other first token is likelier
    const others = Array.from({ length: policy.vocabularySize }, (_, id) => ({
      input: inputs[0]!,
      responseIds: Int32Array.of(id),
    }));
    const first = (await policy.score(others)).logProbs.map(([logProb]) => logProb!);
    expect(first.indexOf(Math.max(...first))).toBe(completion!.tokenIds[0]);
  });

  it('keeps training and behavior log-probs apart when cuts reshape the distribution', async () => {
    const rng = new Generator(6);
    const cut = await policy.sample(inputs, { maxNewTokens: 8, topK: 3, temperature: 0.7, rng });
    const plain = await policy.sample(inputs, { maxNewTokens: 8, temperature: 0.7, rng });
    for (const { logProbs, behaviorLogProbs } of cut) {
      for (const [i, logProb] of logProbs.entries()) expect(behaviorLogProbs[i]).toBeGreaterThanOrEqual(logProb);
    }
    for (const { logProbs, behaviorLogProbs } of plain) expect(behaviorLogProbs).toEqual(logProbs);
  });

  it('with a penalty never lets a token repeat that it makes impossible', async () => {
    const rng = new Generator(7);
    const [completion] = await policy.sample(inputs.slice(0, 1), {
      maxNewTokens: 30,
      temperature: 0,
      repetitionPenalty: 1e9,
      rng,
    });
    const seen = new Set(inputs[0]!.promptIds);
    for (const id of completion!.tokenIds) {
      expect(seen.has(id)).toBe(false);
      seen.add(id);
    }
  });

  it('ends a row at the end token and lets the others continue', async () => {
    const end = policy.encodeResponse('').ids[0]!;
    const completions = await policy.sample(Array(60).fill(inputs[2]!), { maxNewTokens: 200, rng: new Generator(8) });
    for (const { tokenIds, finishReason, text, tokenEnds } of completions) {
      const ended = tokenIds.at(-1) === end || policy.encodeResponse('<|endoftext|>').ids[0] === tokenIds.at(-1);
      expect(finishReason).toBe(ended ? 'stop' : 'length');
      expect(tokenIds.slice(0, -1).includes(end)).toBe(false);
      expect(tokenEnds.at(-1)).toBe(text.length);
    }
    expect(new Set(completions.map(({ tokenIds }) => tokenIds.length)).size).toBeGreaterThan(1);
  });

  it('stops when it is told to, and continues working', async () => {
    const stop = new AbortController();
    const running = policy.sample(inputs, { maxNewTokens: 2000, rng: new Generator(9), signal: stop.signal });
    setImmediate(() => stop.abort(new Error('enough')));
    await expect(running).rejects.toThrow('enough');
    expect(await policy.sample(inputs, { maxNewTokens: 1, rng: new Generator(9) })).toHaveLength(inputs.length);
  });

  it('of nothing gives nothing', async () => {
    expect(await policy.sample([], { rng: new Generator(1) })).toEqual([]);
  });

  it('leaves no tensor behind', async () => {
    const before = memory().tensors;
    await policy.sample(inputs, { maxNewTokens: 12, topP: 0.9, repetitionPenalty: 1.2, rng: new Generator(1) });
    await policy.score(inputs.map((input) => ({ input, responseIds: Int32Array.of(1, 2) })));
    expect(memory().tensors).toBe(before);
  });

  it('reports weights that have diverged instead of drawing from nothing', async () => {
    const broken = await smallPolicy();
    const [, norm] = [...broken.model.namedParameters()].find(([name]) => name === 'model.norm.weight')!;
    noGrad(() => norm.fill_(Number.NaN));
    await expect(broken.sample(inputs, { rng: new Generator(1) })).rejects.toMatchObject({ code: 'NON_FINITE_LOGITS' });
    broken.close();
  });

  it('refuses options outside their range', async () => {
    const rng = new Generator(1);
    await expect(policy.sample(inputs, { rng, maxNewTokens: 0 })).rejects.toMatchObject({ code: 'INVALID_OPTION' });
    await expect(policy.sample(inputs, { rng, topP: 2 })).rejects.toMatchObject({ code: 'INVALID_OPTION' });
    await expect(policy.sample(inputs, { rng: [rng] })).rejects.toMatchObject({ code: 'INVALID_OPTION' });
  });
});
