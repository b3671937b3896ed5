import { Generator, grad, noGrad, type Tensor, tidy } from '@vlgym/gpu';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BatchBuilder } from '../../batch/batch-builder.js';
import { narrowPositions } from '../../batch/positions.js';
import { ImageMissingError, type TokenRow } from '../../batch/token-rows.js';
import type { LanguageModel } from '../../language-model.js';
import { ActorCritic } from '../../layers/actor-critic.js';
import { finished } from '../../layers/steps.js';
import { ModelConfigError } from '../../model-config.js';
import { createPolicy } from '../../policy/create-policy.js';
import { largestDifference, prompts, responses, smallConfig, smallPolicy } from '../../policy/policy.test-helper.js';
import { ResponseBatch } from '../../policy/scoring/response-batch.js';
import { parseTinyConfig } from './config.js';
import { TinyModel } from './model.js';
import { tinyConfig, tinyTokenizer } from './presets.js';

type Row = TokenRow & { readonly responseIds: Int32Array };

const tokenizer = tinyTokenizer();
const init = { generator: new Generator(5), dtype: 'float64', device: 'cpu' } as const;
const model: LanguageModel = new TinyModel(smallConfig, init);
const network = new ActorCritic(model, init);
const builder = new BatchBuilder(model, tokenizer.id('<|image_pad|>'));
const policy = await smallPolicy();
const rows: Row[] = prompts().map((messages, i) => ({
  ...policy.encode(messages),
  responseIds: policy.encodeResponse(responses[i]!).ids,
}));

/** A loss that asks for everything: policy, entropy and value. */
function lossOf(batch: ResponseBatch): Tensor {
  const { states, prompts: observed } = batch.forward();
  const all = batch.logSoftmax(states, 0.7);
  const logProbs = all.gather(2, batch.responseIds.unsqueeze(2)).squeeze(2).mul(batch.mask);
  const entropy = all.exp().mul(all).sum(-1).mul(batch.mask).sum().neg();
  return logProbs.square().sum().add(entropy, 0.1).add(batch.values(observed).sub(1).square().sum());
}

const lossOver = (some: readonly Row[]) => lossOf(new ResponseBatch(network, builder, some));
const gradientOf = (some: readonly Row[]) => {
  const parameters = network.parameters();
  return tidy(() => {
    for (const parameter of parameters) parameter.grad = null;
    lossOver(some).backward();
    return parameters.flatMap((parameter) => parameter.grad?.toNumbers() ?? new Array<number>(parameter.numel).fill(0));
  });
};

describe('padding', () => {
  it('changes no log-probability, entropy or value', () => {
    const together = noGrad(() => tidy(() => lossOver(rows).item()));
    const apart = rows.map((row) => noGrad(() => tidy(() => lossOver([row]).item())));
    const sum = apart.reduce((a, b) => a + b, 0);
    expect(Math.abs(together - sum) / Math.abs(sum)).toBeLessThan(1e-12);
  });

  it('changes no gradient', () => {
    const together = gradientOf(rows);
    const sum = new Array<number>(together.length).fill(0);
    for (const row of rows) for (const [i, value] of gradientOf([row]).entries()) sum[i]! += value;
    const scale = Math.max(...sum.map(Math.abs));
    expect(largestDifference(together, sum) / scale).toBeLessThan(1e-12);
  });
});

it('a loss through the whole model has the gradient that finite differences give', () => {
  const some = rows.slice(0, 2);
  const parameters = [...network.namedParameters()];
  const gradients = tidy(() =>
    grad(
      lossOver(some),
      parameters.map(([, parameter]) => parameter),
    ).map((gradient) => gradient.toNumbers()),
  );
  const at = () => noGrad(() => tidy(() => lossOver(some).item()));
  const step = 1e-5;
  for (const [index, [name, parameter]] of parameters.entries()) {
    // the entry with the largest gradient of each parameter: elsewhere rounding could hide an error
    const expected = gradients[index]!;
    const entry = expected.reduce((best, value, i) => (Math.abs(value) > Math.abs(expected[best]!) ? i : best), 0);
    const nudge = (by: number) => noGrad(() => tidy(() => parameter.flatten().narrow(0, entry, 1).add_(by)));
    nudge(step);
    const above = at();
    nudge(-2 * step);
    const below = at();
    nudge(step);
    const difference = (above - below) / (2 * step);
    expect(Math.abs(difference - expected[entry]!), name).toBeLessThan(1e-5 * Math.max(1, Math.abs(difference)));
  }
});

it('decoding with a cache gives the states of a full forward', () => {
  const longest = Math.max(...rows.map(({ responseIds }) => responseIds.length));
  noGrad(() =>
    tidy(() => {
      const whole = builder.tokens(rows, longest);
      const columns = whole.promptLength + longest;
      const full = model.forward(finished(model.embed(whole.ids, whole.images)), {
        positions: model.positions(whole, columns),
        mask: builder.causalMask(whole, columns),
      });
      const batch = builder.tokens(rows, 0);
      const positions = model.positions(batch, columns);
      const keyMask = builder.keyMask(batch, columns);
      const cache = model.newCache(rows.length, columns);
      const first = {
        positions: narrowPositions(positions, 0, batch.promptLength),
        mask: builder.causalMask(batch, batch.promptLength),
        cache,
      };
      const prompt = model.forward(finished(model.embed(batch.ids, batch.images)), first);
      const states = [prompt.select(1, batch.promptLength - 1)];
      for (let column = batch.promptLength; column < columns; column += 1) {
        const mask = keyMask?.narrow(3, 0, column + 1) ?? null;
        const next = { positions: narrowPositions(positions, column, 1), mask, cache };
        states.push(model.forward(finished(model.embed(whole.ids.narrow(1, column, 1), null)), next).squeeze(1));
      }
      cache.dispose();
      for (const [i, state] of states.entries()) {
        expect(
          largestDifference(state.toNumbers(), full.select(1, batch.promptLength - 1 + i).toNumbers()),
        ).toBeLessThan(1e-12);
      }
    }),
  );
});

it('a picture changes what follows, and its position matters', () => {
  const stateOf = (row: Row) =>
    noGrad(() => tidy(() => new ResponseBatch(network, builder, [row]).forward().prompts.square().sum().item()));
  const [first, second] = [rows[0]!, rows[3]!];
  expect(stateOf(first)).not.toBe(stateOf({ ...first, images: second.images }));
  const images = [first.images[0]!, second.images[0]!];
  const content = images.map((image) => ({ type: 'image', image }) as const);
  const two = { ...policy.encode([{ role: 'user', content }]), responseIds: Int32Array.of(1) };
  expect(stateOf(two)).not.toBe(stateOf({ ...two, images: images.toReversed() }));
});

it('a prompt without its picture is refused', () => {
  const row = { ...rows[0]!, images: [] };
  expect(() => tidy(() => builder.tokens([row], 0))).toThrow(ImageMissingError);
});

it('the same seed makes the same model, another seed another', () => {
  const initialWeights = (seed: number) => {
    const fresh = new TinyModel(smallConfig, { generator: new Generator(seed), dtype: 'float32', device: 'cpu' });
    const numbers = fresh.parameters().flatMap((parameter) => parameter.toNumbers());
    fresh.dispose();
    return numbers;
  };
  expect(initialWeights(3)).toEqual(initialWeights(3));
  expect(initialWeights(3)).not.toEqual(initialWeights(4));
});

describe('a configuration', () => {
  it.each([
    { hiddenSize: 1e15 },
    { numHiddenLayers: 1e9 },
    { vocabSize: 2 ** 40 },
    { maxPositionEmbeddings: 0 },
    { valueHead: new Array(1000).fill(1) },
  ])('of the size %j is refused before memory is asked for', (change) => {
    expect(() => parseTinyConfig({ ...tinyConfig, ...change })).toThrow(ModelConfigError);
  });

  it('with anything in place of a field is refused with a code or fits', () => {
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(tinyConfig)), fc.jsonValue(), (field, value) => {
        try {
          parseTinyConfig({ ...tinyConfig, [field]: value } as never);
        } catch (error) {
          expect(error).toMatchObject({ code: 'MODEL_CONFIG_INVALID' });
        }
      }),
    );
  });

  it.each([
    ['numKeyValueHeads', { numKeyValueHeads: 3 }],
    ['headDim', { headDim: 7 }],
    ['vision.hiddenSize', { vision: { ...tinyConfig.vision, hiddenSize: 20 } }],
    ['hiddenSize', { hiddenSize: 0 }],
  ])('that describes no model is refused at %s', (path, change) => {
    expect(() => parseTinyConfig({ ...tinyConfig, ...change })).toThrow(ModelConfigError);
    expect(() => parseTinyConfig({ ...tinyConfig, ...change })).toThrow(path);
  });

  it('of the tiny preset has well under a million weights', async () => {
    const policy = await createPolicy();
    expect(policy.model.parameters().reduce((count, parameter) => count + parameter.numel, 0)).toBeLessThan(700_000);
    policy.close();
  });
});
