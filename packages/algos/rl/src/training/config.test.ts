import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { algorithmConfig, presetConfig } from './preset-config.js';

describe('algorithmConfig', () => {
  it('starts from the recommendations and lets later layers win, key by key', () => {
    const config = algorithmConfig({ loss: { clipLow: 0.2, clipHigh: 0.2 } }, { loss: { clipHigh: 0.28 } });
    expect(config.loss).toMatchObject({ clipLow: 0.2, clipHigh: 0.28, level: 'token', temperature: 1 });
    expect(config.optimizer.learningRate.beyond).toBe('clamped');
  });

  it('leaves a default alone where a layer says undefined', () => {
    expect(algorithmConfig({ advantage: { gamma: undefined } }).advantage.gamma).toBe(0.9);
  });

  it.each<[string, object, object]>([
    ['a misspelled choice', { loss: { clipHgh: 1 } }, { path: 'loss.clipHgh', hint: 'did you mean "loss.clipHigh"?' }],
    ['a misspelled section', { optimiser: {} }, { path: 'optimiser', hint: 'did you mean "optimizer"?' }],
    ['a choice like no other', { loss: { xyzzy: 1 } }, { path: 'loss.xyzzy' }],
    ['a nested one', { optimizer: { learningRate: { start: 1 } } }, { path: 'optimizer.learningRate.start' }],
    ['a value out of range', { advantage: { gamma: 1.5 } }, { path: 'advantage.gamma', value: 1.5 }],
    ['a value of another kind', { loss: { level: 'word' } }, { path: 'loss.level', value: 'word' }],
    ['not a number', { reward: { scale: Number.NaN } }, { path: 'reward.scale' }],
    ['a dual clip with step ratios', { loss: { level: 'step', dualClip: 3 } }, { path: 'loss.dualClip' }],
    [
      'an aggregation of tokens with step ratios',
      { loss: { level: 'step', aggregation: 'token_mean' } },
      { path: 'loss.aggregation' },
    ],
    ['λ with token ratios', { loss: { thoughtCoefficient: 0.3 } }, { path: 'loss.thoughtCoefficient' }],
    [
      'a format bonus that pays more than success',
      { reward: { formatValid: 0.1 }, advantage: { gamma: 0.995 } },
      { path: 'reward.formatValid', expected: 'less than (1 − γ) / γ = 0.00503 for advantage.gamma 0.995' },
    ],
  ])('refuses %s', (_, overrides, expected) => {
    expect(() => algorithmConfig(overrides)).toThrow(expect.objectContaining({ code: 'INVALID_CONFIG', ...expected }));
  });

  it('refuses guidance for an algorithm without a teacher, and names what it has', () => {
    const scope = { name: 'plain', without: ['guidance', 'merge'] } as const;
    expect(() => presetConfig(scope, {}, { guidance: { klCoefficient: 0 } })).toThrow(
      expect.objectContaining({
        code: 'INVALID_CONFIG',
        path: 'guidance',
        expected: 'one of rollout, reward, advantage, loss, value, regularizer, correction, filter, optimizer',
      }),
    );
    expect(presetConfig(scope, { loss: { clipLow: 0.2 } }).loss.clipLow).toBe(0.2);
  });

  it('accepts a format bonus exactly as long as success at any step earns more than stalling forever', () => {
    const unit = fc.double({ min: 0.01, max: 0.99, noNaN: true });
    fc.assert(
      fc.property(unit, unit, fc.integer({ min: 1, max: 50 }), (gamma, formatValid, step) => {
        const stalling = formatValid / (1 - gamma);
        const success = (formatValid * (1 - gamma ** step)) / (1 - gamma) + gamma ** (step - 1);
        fc.pre(Math.abs(success - stalling) > 1e-9);
        const make = () => algorithmConfig({ reward: { formatValid }, advantage: { gamma } });
        if (success > stalling) expect(make().reward.formatValid).toBe(formatValid);
        else expect(make).toThrow(expect.objectContaining({ path: 'reward.formatValid' }));
      }),
    );
  });
});
