import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { grad } from '../autograd/grad.js';
import { noGrad } from '../autograd/grad-mode.js';
import { ResponseBatch } from '../policy/outputs.js';
import { largestDifference, prompts, responses, smallConfig, smallPolicy } from '../policy/policy.test-helper.js';
import { tidy } from '../tensor/scope.js';
import type { Tensor } from '../tensor/tensor.js';
import { TextTokenizer } from '../tokenizer/tokenizer.js';
import { BatchBuilder, ImageMissingError, type TokenRow } from './batch.js';
import { ModelConfigError, parseModelConfig } from './config.js';
import { KeyValueCache } from './key-value-cache.js';
import { presets } from './presets.js';
import { narrowRotary } from './rotary.js';
import { VisionLanguageModel } from './vision-language-model.js';

type Row = TokenRow & { readonly responseIds: Int32Array };

const tokenizer = TextTokenizer.tiny();
const model = new VisionLanguageModel(smallConfig, { seed: 5, dtype: 'float64' });
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

const lossOver = (some: readonly Row[]) => lossOf(new ResponseBatch(model, builder, some));
const gradientOf = (some: readonly Row[]) => {
  const parameters = model.parameters();
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
  const parameters = [...model.namedParameters()];
  const gradients = tidy(() =>
    grad(
      lossOver(some),
      parameters.map(([, parameter]) => parameter),
    ).map((each) => each.toNumbers()),
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
      const full = model.forward(
        whole.ids,
        { rotary: builder.rotary(whole, columns), mask: builder.causalMask(whole, columns) },
        whole.images,
      );
      const batch = builder.tokens(rows, 0);
      const rotary = builder.rotary(batch, columns);
      const keyMask = builder.keyMask(batch, columns);
      const cache = new KeyValueCache(model.config, rows.length, columns, full);
      const first = {
        rotary: narrowRotary(rotary, 0, batch.promptLength),
        mask: builder.causalMask(batch, batch.promptLength),
        cache,
      };
      const states = [model.forward(batch.ids, first, batch.images).select(1, batch.promptLength - 1)];
      for (let column = batch.promptLength; column < columns; column += 1) {
        const mask = keyMask?.narrow(3, 0, column + 1) ?? null;
        const next = { rotary: narrowRotary(rotary, column, 1), mask, cache };
        states.push(model.forward(whole.ids.narrow(1, column, 1), next).squeeze(1));
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

it('a picture changes what follows, and where it stands matters', () => {
  const stateOf = (row: Row) =>
    noGrad(() => tidy(() => new ResponseBatch(model, builder, [row]).forward().prompts.square().sum().item()));
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
  const firstWeights = (seed: number) => {
    const made = new VisionLanguageModel(smallConfig, { seed });
    const numbers = made.parameters().flatMap((parameter) => parameter.toNumbers());
    made.dispose();
    return numbers;
  };
  expect(firstWeights(3)).toEqual(firstWeights(3));
  expect(firstWeights(3)).not.toEqual(firstWeights(4));
});

describe('a configuration', () => {
  it.each([
    { hiddenSize: 1e15 },
    { numHiddenLayers: 1e9 },
    { vocabSize: 2 ** 40 },
    { maxPositionEmbeddings: 0 },
    { valueHead: new Array(1000).fill(1) },
  ])('of the size %j is refused before memory is asked for', (change) => {
    expect(() => parseModelConfig({ ...presets.tiny, ...change })).toThrow(ModelConfigError);
  });

  it('with anything in place of a field is refused with a code or fits', () => {
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(presets.tiny)), fc.jsonValue(), (field, value) => {
        try {
          parseModelConfig({ ...presets.tiny, [field]: value } as never);
        } catch (error) {
          expect(error).toMatchObject({ code: 'MODEL_CONFIG_INVALID' });
        }
      }),
    );
  });

  it.each([
    ['numKeyValueHeads', { numKeyValueHeads: 3 }],
    ['headDim', { headDim: 7 }],
    ['vision.hiddenSize', { vision: { ...presets.tiny.vision, hiddenSize: 20 } }],
    ['hiddenSize', { hiddenSize: 0 }],
  ])('that describes no model is refused at %s', (path, change) => {
    expect(() => parseModelConfig({ ...presets.tiny, ...change })).toThrow(ModelConfigError);
    expect(() => parseModelConfig({ ...presets.tiny, ...change })).toThrow(path);
  });

  it('of the tiny preset has well under a million weights', () => {
    const tiny = new VisionLanguageModel(presets.tiny);
    expect(tiny.parameters().reduce((count, parameter) => count + parameter.numel, 0)).toBeLessThan(700_000);
    tiny.dispose();
  });
});
