import { describe, expect, it } from 'vitest';
import { algorithmConfig } from './config.js';

describe('algorithmConfig', () => {
  it('starts from the recommendations and lets later layers win, key by key', () => {
    const config = algorithmConfig({ loss: { clipLow: 0.2, clipHigh: 0.2 } }, { loss: { clipHigh: 0.28 } });
    expect(config.loss).toMatchObject({ clipLow: 0.2, clipHigh: 0.28, level: 'token', temperature: 1 });
    expect(config.optimiser.learningRate.beyond).toBe('clamped');
  });

  it('leaves a default alone where a layer says undefined', () => {
    expect(algorithmConfig({ advantage: { gamma: undefined } }).advantage.gamma).toBe(0.9);
  });

  it.each<[string, object, object]>([
    ['a misspelt choice', { loss: { clipHgh: 1 } }, { path: 'loss.clipHgh', hint: 'did you mean "loss.clipHigh"?' }],
    ['a misspelt section', { optimizer: {} }, { path: 'optimizer', hint: 'did you mean "optimiser"?' }],
    ['a choice like no other', { loss: { xyzzy: 1 } }, { path: 'loss.xyzzy' }],
    ['a nested one', { optimiser: { learningRate: { start: 1 } } }, { path: 'optimiser.learningRate.start' }],
    ['a value out of range', { advantage: { gamma: 1.5 } }, { path: 'advantage.gamma', value: 1.5 }],
    ['a value of another kind', { loss: { level: 'word' } }, { path: 'loss.level', value: 'word' }],
    ['not a number', { reward: { scale: Number.NaN } }, { path: 'reward.scale' }],
    [
      'an exact KL to weights that are gone',
      { regulariser: { kl: 'exact', klTo: 'old' } },
      { path: 'regulariser.klTo' },
    ],
  ])('refuses %s', (_, overrides, expected) => {
    expect(() => algorithmConfig(overrides)).toThrow(expect.objectContaining({ code: 'INVALID_CONFIG', ...expected }));
  });
});
