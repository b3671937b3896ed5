import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { composeConfig } from './compose.js';
import { actorCriticOptions, stepLossOptions, tokenLossOptions } from './option-groups.js';
import { unknownOverrides } from './option-kinds.js';

const tokens = z.strictObject({ ...actorCriticOptions, loss: tokenLossOptions });
const steps = z.strictObject({ ...actorCriticOptions, loss: stepLossOptions });

describe('composeConfig', () => {
  it('starts from the recommendations and lets later layers win, key by key', () => {
    const config = composeConfig(tokens, { loss: { clipLow: 0.2, clipHigh: 0.2 } }, { loss: { clipHigh: 0.28 } });
    expect(config.loss).toMatchObject({ clipLow: 0.2, clipHigh: 0.28, temperature: 1 });
    expect(config.optimizer.learningRate.beyond).toBe('clamped');
  });

  it('leaves a default alone where a layer says undefined', () => {
    expect(composeConfig(tokens, { advantage: { gamma: undefined } }).advantage.gamma).toBe(0.9);
  });

  it.each<[string, object, object]>([
    ['a misspelled option', { loss: { clipHgh: 1 } }, { path: 'loss.clipHgh', hint: 'did you mean "loss.clipHigh"?' }],
    ['a misspelled section', { optimiser: {} }, { path: 'optimiser', hint: 'did you mean "optimizer"?' }],
    ['an option like no other', { loss: { xyzzy: 1 } }, { path: 'loss.xyzzy' }],
    ['a nested one', { optimizer: { learningRate: { start: 1 } } }, { path: 'optimizer.learningRate.start' }],
    ['a value out of range', { advantage: { gamma: 1.5 } }, { path: 'advantage.gamma', value: 1.5 }],
    ['a value of another kind', { loss: { aggregation: 'word' } }, { path: 'loss.aggregation', value: 'word' }],
    ['not a number', { reward: { scale: Number.NaN } }, { path: 'reward.scale' }],
    ['λ with token ratios', { loss: { thoughtCoefficient: 0.3 } }, { path: 'loss.thoughtCoefficient' }],
    [
      'a format bonus that pays more than success',
      { reward: { formatValid: 0.1 }, advantage: { gamma: 0.995 } },
      { path: 'reward.formatValid', expected: 'less than (1 − γ) / γ = 0.00503 for advantage.gamma 0.995' },
    ],
  ])('refuses %s', (_, overrides, expected) => {
    expect(() => composeConfig(tokens, overrides)).toThrow(
      expect.objectContaining({ code: 'INVALID_CONFIG', ...expected }),
    );
  });

  it.each<[string, object]>([
    ['dualClip', { loss: { dualClip: 3 } }],
    ['aggregation', { loss: { aggregation: 'token_mean' } }],
  ])('refuses loss.%s with step ratios, which would ignore it', (key, overrides) => {
    expect(() => composeConfig(steps, overrides)).toThrow(expect.objectContaining({ path: `loss.${key}` }));
  });

  it('refuses guidance for an algorithm without a teacher, and names its sections', () => {
    expect(() => composeConfig(tokens, {}, { guidance: { klCoefficient: 0 } })).toThrow(
      expect.objectContaining({
        code: 'INVALID_CONFIG',
        path: 'guidance',
        expected: 'one of rollout, reward, correction, filter, optimizer, advantage, value, regularizer, loss',
      }),
    );
  });

  it('accepts a format bonus exactly as long as success at any step earns more than stalling forever', () => {
    const unit = fc.double({ min: 0.01, max: 0.99, noNaN: true });
    fc.assert(
      fc.property(unit, unit, fc.integer({ min: 1, max: 50 }), (gamma, formatValid, step) => {
        const stalling = formatValid / (1 - gamma);
        const success = (formatValid * (1 - gamma ** step)) / (1 - gamma) + gamma ** (step - 1);
        fc.pre(Math.abs(success - stalling) > 1e-9);
        const make = () => composeConfig(tokens, { reward: { formatValid }, advantage: { gamma } });
        if (success > stalling) expect(make().reward.formatValid).toBe(formatValid);
        else expect(make).toThrow(expect.objectContaining({ path: 'reward.formatValid' }));
      }),
    );
  });
});

it('names what an algorithm has no options for', () => {
  const settings = { loss: { clipLow: 0.2, dualClip: 3 }, guidance: { klCoefficient: 1 }, value: { warmupUpdates: 1 } };
  expect(unknownOverrides(steps, settings)).toEqual(['loss.dualClip', 'guidance']);
  const withoutDefault = { optimizer: { microBatchTokens: 8192, microBatchToken: 8192 } };
  expect(unknownOverrides(steps, withoutDefault)).toEqual(['optimizer.microBatchToken']);
});
