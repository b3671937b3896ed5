/** Options that an algorithm would ignore are refused, and combinations of which one part would have no effect. */
import type { Presets, Tensor } from '@vlgym/rl';
import { optionEntries } from '@vlgym/rl/config';
import { describe, expect, it } from 'vitest';
import { withBand } from './groups/epo.js';
import { presets } from './index.js';

/** Their rewards enter the estimate of advantages with a critic of steps, and nothing else. */
const SHIFTED = ['rl4vlm', 'rl4vlm-stabilized'];

const pathsOf = (preset: Presets[string]) => optionEntries(preset.options).map(({ path }) => path.join('.'));

describe.each(Object.entries(presets))('%s', (name, preset) => {
  it('has an entry point of the format reward only where advantages can be shifted', () => {
    expect(pathsOf(preset).includes('reward.formatEntry')).toBe(SHIFTED.includes(name));
  });

  it('has no teacher that a policy could be held to', () => {
    if (!('regularizer' in preset.options.shape)) return;
    expect(() => preset({ regularizer: { klTo: 'teacher' } } as never)).toThrow(
      expect.objectContaining({ code: 'INVALID_CONFIG', path: 'regularizer.klTo' }),
    );
  });
});

it.each(['rloo', 'raft', 'archer', 'early-experience'])('%s has no ratio, and so no clip', (name) => {
  const preset = presets[name]!;
  expect(pathsOf(preset).filter((path) => path.startsWith('loss.clip'))).toEqual([]);
  expect(() => preset({ loss: { clipHigh: 0.28 } })).toThrow(
    expect.objectContaining({ code: 'INVALID_CONFIG', path: 'loss.clipHigh' }),
  );
});

it('EPO adds the entropy bonus of the regularizer to its own', () => {
  const term = (coefficient: number) => ({ perToken: {} as Tensor, coefficient });
  const band = { entropy: term(-0.001), 'entropy-band': term(0.001) };
  expect(withBand({ kl: term(0.01), entropy: term(-0.5) }, band)).toMatchObject({
    kl: { coefficient: 0.01 },
    entropy: { coefficient: -0.501 },
    'entropy-band': { coefficient: 0.001 },
  });
  expect(withBand({}, band)).toEqual(band);
});

it('early-experience leaves no steps out of a policy loss, because it has none', () => {
  const paths = pathsOf(presets['early-experience']!);
  expect(paths).toContain('rollout.fallback');
  expect(paths.filter((path) => path === 'rollout.fallbackLoss' || path.startsWith('filter.'))).toEqual([]);
});

describe('a format bonus that pays for stalling is refused by the discount of an environment step', () => {
  const bonus = (formatValid: number) => ({ reward: { formatValid } });

  it.each([
    ['vineppo', { advantage: { gamma: 0.99 } }, 'less than (1 − γ) / γ = 0.0101 for advantage.gamma 0.99'],
    ['vagen', {}, 'less than (1 − γ) / γ = 0.0526 for advantage.gammaTurn 0.95'],
    ['archer', {}, 'less than (1 − γ) / γ = 0.0526 for critic.gamma 0.95'],
    ['grpo', {}, '0 or less for returns without a discount'],
    ['rloo', {}, '0 or less for returns without a discount'],
  ])('of %s', (name, overrides, expected) => {
    expect(() => presets[name]!({ ...bonus(0.1), ...overrides } as never)).toThrow(
      expect.objectContaining({ code: 'INVALID_CONFIG', path: 'reward.formatValid', expected }),
    );
  });

  it('and a smaller one is taken', () => {
    for (const name of ['vagen', 'archer']) expect(presets[name]!(bonus(0.05)).config.reward.formatValid).toBe(0.05);
  });
});

it('LOOP weighs episodes only where token losses are summed: of means the weights would make something else', () => {
  const loop = presets.loop!;
  expect(() => loop({ weighting: { per: 'episode' } } as never)).toThrow(
    expect.objectContaining({
      code: 'INVALID_CONFIG',
      path: 'loss.aggregation',
      value: 'seq_mean_token_mean',
      expected: 'seq_mean_token_sum with weighting.per episode',
    }),
  );
  const summed = { weighting: { per: 'episode' }, loss: { aggregation: 'seq_mean_token_sum' } };
  expect(loop(summed as never).config).toMatchObject(summed);
  expect(loop({}, { replicate: true }).config).toMatchObject(summed);
});

it.each([
  ['epo', { entropy: { low: 1.5, high: 1.2 } }, 'entropy.low', 'at most entropy.high'],
  ['dapo', { overlong: { cache: 257 } }, 'overlong.cache', 'at most rollout.maxNewTokens'],
  ['grpo', { correction: { lower: 3 } }, 'correction.lower', 'at most correction.cap'],
])('%s refuses bounds that leave nothing between them', (name, overrides, path, expected) => {
  expect(() => presets[name]!(overrides as never)).toThrow(
    expect.objectContaining({ code: 'INVALID_CONFIG', path, expected }),
  );
});
