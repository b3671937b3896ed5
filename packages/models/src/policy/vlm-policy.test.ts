import { Generator } from '@vlgym/core';
import { memory, setNumThreads, tidy } from '@vlgym/gpu';
import type { PolicyOutputs } from '@vlgym/rl';
import { afterEach, describe, expect, it } from 'vitest';
import type { CreatePolicyOptions } from './create-policy.js';
import {
  everything,
  largestDifference,
  lora,
  prompts,
  sequencesOf,
  smallConfig,
  smallPolicy,
  snapshot,
  trainingLogProbs,
  update,
} from './policy.test-helper.js';
import type { VlmPolicy } from './vlm-policy.js';

const open: VlmPolicy[] = [];
afterEach(() => {
  for (const policy of open.splice(0)) policy.close();
});

async function make(options: CreatePolicyOptions = {}): Promise<VlmPolicy> {
  const policy = await smallPolicy(options);
  open.push(policy);
  return policy;
}

const likelihood = ({ logProbs }: PolicyOutputs) => logProbs.sum().neg();

describe('encoding', () => {
  it('a prompt of 200,000 characters is refused with its number of tokens, before the model sees it', async () => {
    const policy = await smallPolicy();
    open.push(policy);
    const words = (length: number) => [{ role: 'user' as const, content: 'go to shelf 12. '.repeat(length / 16) }];
    const refused = expect.objectContaining({ code: 'PROMPT_TOO_LONG', limit: smallConfig.maxPositionEmbeddings });
    expect(() => policy.encode(words(200_000))).toThrow(refused);
    expect(() => policy.encode(words(200_000))).toThrow(/^The prompt has \d{5} tokens, the model accepts 8192/);
    expect(() => policy.encode(words(1_600))).not.toThrow();
    // too long to encode: a lower bound is enough to refuse it
    expect(() => policy.encode(words(16_000_000))).toThrow(/at least \d+ tokens, the model accepts 8192/);
  });

  it('puts one token per 2 × 2 patches in the place of a picture', async () => {
    const policy = await make();
    const [messages] = prompts();
    const { promptIds, images } = policy.encode(messages!);
    const pad = policy.encodeResponse('<|image_pad|>').ids[0];
    expect(promptIds.filter((id) => id === pad).length).toBe(2);
    expect(images).toHaveLength(1);
  });

  it('refuses to drop a picture, or to read a placeholder in a text as one', async () => {
    const policy = await make();
    const missing = [{ role: 'user', content: [{ type: 'image', image: undefined }] }] as never;
    expect(() => policy.encode(missing)).toThrow(expect.objectContaining({ code: 'IMAGE_MISSING' }));
    const forged = [{ role: 'user', content: 'see <|image_pad|>' }] as const;
    expect(() => policy.encode(forged)).toThrow(expect.objectContaining({ code: 'IMAGE_MISSING' }));
  });

  it('of a response ends with the end token and knows where each token ends', async () => {
    const policy = await make();
    const { ids, tokenEnds } = policy.encodeResponse('10 😀');
    expect(tokenEnds.at(-1)).toBe('10 😀'.length);
    expect([...tokenEnds.slice(0, 2)]).toEqual([1, 2]);
    expect(ids.length).toBe(tokenEnds.length);
  });
});

describe('ratio is one', () => {
  it.each([
    ['all weights', 'full'],
    ['adapters', lora],
  ] as const)('on the first pass, training %s', async (_, train) => {
    const policy = await make({ train });
    await update(policy);
    const inputs = prompts().map((messages) => policy.encode(messages));
    for (const temperature of [1, 0.6]) {
      const sampled = await policy.sample(inputs, { maxNewTokens: 15, temperature, rng: new Generator(1) });
      const sequences = inputs.map((input, i) => ({ input, responseIds: sampled[i]!.tokenIds }));
      const scores = await policy.score(sequences, { temperature });
      for (const [i, { logProbs, value }] of sampled.entries()) {
        expect(largestDifference(logProbs, scores.logProbs[i]!)).toBeLessThan(1e-5);
        expect(value).toBeCloseTo(scores.values[i]!, 5);
      }
    }
  });

  it.each([['full'], [lora]] as const)('between scoring and the forward with gradients', async (train) => {
    const policy = await make({ train });
    await update(policy);
    const trained = await trainingLogProbs(policy, 0.8);
    const { logProbs } = await policy.score(sequencesOf(policy), { temperature: 0.8 });
    for (const [i, row] of trained.entries()) expect(largestDifference(row, logProbs[i]!)).toBeLessThan(1e-5);
  });

  it('however the sequences are batched', async () => {
    const [wide, narrow] = [await make(), await make({ batchTokens: 1 })];
    const [a, b] = [await wide.score(sequencesOf(wide)), await narrow.score(sequencesOf(narrow))];
    for (const [i, logProbs] of a.logProbs.entries()) {
      expect(largestDifference(logProbs, b.logProbs[i]!)).toBeLessThan(1e-5);
      expect(largestDifference(a.entropies[i]!, b.entropies[i]!)).toBeLessThan(1e-5);
    }
  });
});

describe('training', () => {
  it('adds up over calls: 4 sequences at once are 4 calls of one', async () => {
    const [once, oneByOne] = [await make({ dtype: 'float64' }), await make({ dtype: 'float64' })];
    await once.accumulate(sequencesOf(once), likelihood);
    for (const sequence of sequencesOf(oneByOne)) await oneByOne.accumulate([sequence], likelihood);
    const gradients = (policy: VlmPolicy) =>
      tidy(() => policy.model.parameters().flatMap((parameter) => parameter.grad?.toNumbers() ?? []));
    expect(largestDifference(gradients(once), gradients(oneByOne))).toBeLessThan(1e-10);
  });

  it('lowers the loss it is given', async () => {
    const policy = await make();
    const losses: number[] = [];
    for (let i = 0; i < 30; i += 1) {
      losses.push(await policy.accumulate(sequencesOf(policy), likelihood));
      await policy.step({ learningRate: 1e-2, maxGradNorm: 1 });
    }
    expect(losses.at(-1)).toBeLessThan(0.2 * losses[0]!);
    expect(policy.version).toBe(30);
  });

  it('of the value alone leaves every backbone gradient exactly zero when the gradient is stopped', async () => {
    const policy = await make();
    const norms = async (stopGradient: boolean) => {
      await policy.accumulate(sequencesOf(policy), ({ values }) => values.sum(), { stopGradient });
      const sizes = tidy(() =>
        [...policy.model.namedParameters()].map(
          ([name, { grad }]) => [name, grad ? grad.abs().sum().item() : 0] as const,
        ),
      );
      policy.model.zeroGrad();
      return {
        backbone: sizes.filter(([name]) => !name.startsWith('value_head')).reduce((sum, [, size]) => sum + size, 0),
        head: sizes.filter(([name]) => name.startsWith('value_head')).reduce((sum, [, size]) => sum + size, 0),
      };
    };
    expect(await norms(true)).toEqual({ backbone: 0, head: expect.not.closeTo(0) });
    expect((await norms(false)).backbone).toBeGreaterThan(0);
  });

  it.each([['full'], [lora]] as const)(
    'of only the value leaves all other weights as they are, bit for bit',
    async (train) => {
      const policy = await make({ train });
      const before = snapshot(policy);
      await policy.accumulate(sequencesOf(policy), everything);
      await policy.step({ learningRate: 1, maxGradNorm: 1, onlyValue: true });
      for (const [name, after] of snapshot(policy)) {
        expect(after === before.get(name), name).toBe(!name.startsWith('value_head'));
      }
    },
  );

  it('with adapters moves nothing but the adapters and the value head', async () => {
    const policy = await make({ train: lora });
    const before = snapshot(policy);
    await update(policy);
    for (const [name, after] of snapshot(policy)) {
      const moves = /adapters|value_head/.test(name);
      // A gets its first gradient once B is no longer zero
      if (!name.endsWith('lora_A')) expect(after !== before.get(name), name).toBe(moves);
    }
  });

  it('steps the value head at its own learning rate', async () => {
    const policy = await make();
    const before = snapshot(policy);
    await policy.accumulate(sequencesOf(policy), everything);
    await policy.step({ learningRate: 0, valueLearningRate: 0.1, maxGradNorm: 1 });
    for (const [name, after] of snapshot(policy))
      expect(after === before.get(name)).toBe(!name.startsWith('value_head'));
  });

  it('clips the value head by its own norm: a large policy gradient does not shrink its step', async () => {
    // Adam's eps of 1e-7 makes the size of a gradient matter: clipped to 1e-12 it moves next to nothing
    const movement = async (valueMaxGradNorm?: number) => {
      const policy = await make();
      const parameters = () => [...policy.model.namedParameters()];
      const numbers = () =>
        tidy(() => parameters().map(([name, parameter]) => [name, parameter.detach().toNumbers()] as const));
      const before = new Map(numbers());
      await policy.accumulate(sequencesOf(policy), everything);
      const group = valueMaxGradNorm === undefined ? {} : { valueMaxGradNorm };
      const norms = await policy.step({ learningRate: 0.1, maxGradNorm: 1e-12, ...group });
      expect(norms.gradNorm).toBeGreaterThan(0);
      expect(norms.valueGradNorm).toBeGreaterThan(0);
      const moved = { head: 0, policy: 0 };
      for (const [name, after] of numbers()) {
        const group = name.startsWith('value_head') ? 'head' : 'policy';
        moved[group] = Math.max(moved[group], largestDifference(after, before.get(name)!));
      }
      return moved;
    };
    const apart = await movement(1);
    expect(apart.head).toBeCloseTo(0.1, 3);
    expect(apart.policy).toBeLessThan(1e-4);
    const together = await movement();
    expect(together.head).toBeLessThan(1e-4);
  });

  it('keeps the weights and throws when the gradients are not finite', async () => {
    const policy = await make();
    const before = snapshot(policy);
    await policy.accumulate(sequencesOf(policy), ({ logProbs }) => logProbs.sum().mul(Number.NaN));
    await expect(policy.step({ learningRate: 1, maxGradNorm: 1 })).rejects.toMatchObject({
      code: 'NON_FINITE_GRADIENT',
    });
    expect(snapshot(policy)).toEqual(before);
    expect(policy.version).toBe(0);
    await update(policy);
    expect(policy.version).toBe(1);
  });

  it('is the same, byte for byte, in every run, on one thread and on two', async () => {
    const run = async (threads: number) => {
      setNumThreads(threads);
      const policy = await make({ train: { lora: { r: 2, alpha: 4, dropout: 0.1 } } });
      for (let i = 0; i < 3; i += 1) await update(policy);
      const sampled = await policy.sample(
        prompts().map((messages) => policy.encode(messages)),
        { maxNewTokens: 5, rng: new Generator(1) },
      );
      setNumThreads(1);
      return [snapshot(policy), sampled];
    };
    expect(await run(1)).toEqual(await run(1));
    expect(await run(2)).toEqual(await run(2));
  });

  it('frees what a loss made, also when the loss throws', async () => {
    const policy = await make();
    await update(policy);
    const before = memory().tensors;
    await policy.accumulate(sequencesOf(policy), everything);
    const failing = policy.accumulate(sequencesOf(policy), ({ logProbs }) => {
      logProbs.exp();
      throw new Error('no loss today');
    });
    await expect(failing).rejects.toThrow('no loss today');
    expect(memory().tensors).toBe(before);
    await update(policy);
  });

  it('refuses a response without tokens', async () => {
    const policy = await make();
    const [first] = sequencesOf(policy);
    const empty = [first!, { ...first!, responseIds: new Int32Array() }];
    await expect(policy.accumulate(empty, likelihood)).rejects.toMatchObject({ code: 'EMPTY_RESPONSE', value: 1 });
    await expect(policy.score(empty)).rejects.toMatchObject({ code: 'EMPTY_RESPONSE' });
  });
});

it('calls made at once take turns', async () => {
  const policy = await make();
  const sequences = sequencesOf(policy);
  const inputs = sequences.map(({ input }) => input);
  const alone = await policy.sample(inputs, { maxNewTokens: 20, rng: new Generator(1) });
  const [sampled] = await Promise.all([
    policy.sample(inputs, { maxNewTokens: 20, rng: new Generator(1) }),
    policy.accumulate(sequences, everything),
    policy.step({ learningRate: 0.1, maxGradNorm: 1 }),
    policy.score(sequences, { weights: 'reference' }),
  ]);
  expect(sampled).toEqual(alone);
});

it('answers messages of agents', async () => {
  const policy = await make();
  const [completion] = await policy.generate(prompts(), { maxNewTokens: 3, rng: new Generator(1) });
  expect(completion!.promptTokenIds).toEqual(policy.encode(prompts()[0]!).promptIds);
  expect(completion!.value).toBeTypeOf('number');
});
