import { describe, expect, it } from 'vitest';
import type { AnyConfig } from '../config/types.js';
import { Alarms, alarmLimits } from './alarms.js';
import { MetricsTally } from './metrics.js';
import { selfBleu2 } from './self-bleu.js';

describe('MetricsTally', () => {
  it('weighs means, adds up parts and sums, keeps extremes', () => {
    const tally = new MetricsTally();
    tally.mean('mean', 1, 3);
    tally.mean('mean', 5, 1);
    for (const part of [1, 2, 3, 4]) tally.part('loss', part, 1 / 2); // two optimizer steps of two parts: (3 + 7) / 2
    tally.sum('sum', 1);
    tally.sum('sum', 2);
    tally.min('min', 3);
    tally.min('min', 2);
    tally.max('max', 3);
    tally.max('max', 2);
    tally.set('set', 1);
    tally.set('set', 9);
    expect(tally.toMetrics()).toEqual({ loss: 5, max: 3, mean: 2, min: 2, set: 9, sum: 3 });
  });

  it('leaves out what is not finite, and names nothing that was never measured', () => {
    const tally = new MetricsTally();
    tally.mean('a', Number.NaN);
    tally.mean('b', 1, 0);
    tally.set('c', Number.POSITIVE_INFINITY);
    expect(tally.toMetrics()).toEqual({});
  });

  it('keeps what is finite of a loss, and of extremes: one skipped micro-batch does not hide the others', () => {
    const tally = new MetricsTally();
    for (const value of [1, Number.NaN, 3]) {
      tally.part('loss', value, 1 / 3);
      tally.min('min', value);
      tally.max('max', value);
    }
    expect(tally.toMetrics()).toEqual({ loss: expect.closeTo(6, 12), max: 3, min: 1 });
  });
});

describe('selfBleu2', () => {
  it('is 1 for equal texts and nearly 0 for texts without a common word', () => {
    expect(selfBleu2(['a b c', 'a b c', 'a b c'])).toBeCloseTo(1, 12);
    expect(selfBleu2(['a b c', 'd e f'])).toBeLessThan(1e-3);
    expect(selfBleu2(['alone'])).toBe(0);
  });

  it('is the geometric mean of clipped unigram and bigram precision, shorter texts penalized', () => {
    // "a a b" against "a b b": unigrams a1 b1 of 3, bigrams "a b" of 2; and the other way round
    expect(selfBleu2(['a a b', 'a b b'])).toBeCloseTo(Math.sqrt((2 / 3) * (1 / 2)), 12);
    expect(selfBleu2(['a b', 'a b c d'])).toBeCloseTo((Math.exp(-1) + Math.sqrt((2 / 4) * (1 / 3))) / 2, 12);
  });
});

describe('Alarms', () => {
  const codes = (alarms: Alarms, update: number, metrics: Record<string, number>) =>
    alarms.check(update, metrics).map(({ code }) => code);

  it.each([
    ['text/self-bleu-2-observations', 0.9, 0.91, 'RESPONSES_ALIKE'],
    ['ratio/first-pass-deviation', 1e-3, 1.1e-3, 'RATIO_NOT_ONE'],
    ['rollout/invalid-rewards', 0, 0.01, 'REWARDS_INVALID'],
    ['mismatch/k3', 0.02, 0.03, 'SAMPLER_DIFFERS'],
    ['correction/ess', 0.5, 0.49, 'WEIGHTS_UNEVEN'],
    ['async/withheld-share', 0.1, 0.11, 'STALE_WITHHELD'],
    ['queue/idle-learner-share', 0.5, 0.51, 'LEARNER_IDLE'],
  ])('%s: silent at %d, rings at %d', (metric, good, bad, code) => {
    expect(codes(new Alarms(), 1, { [metric]: good })).toEqual([]);
    expect(codes(new Alarms(), 1, { [metric]: bad })).toEqual([code]);
  });

  it.each([
    [undefined, 1e-3],
    ['float64', 1e-3],
    ['float32', 1e-3],
    ['float16', 2.5e-3],
    ['bfloat16', 2e-2],
  ])('allows ratios of unchanged weights the rounding of their dtype: %s, %d', (dtype, tolerance) => {
    const limits = alarmLimits({ ...(dtype && { dtype }) }, {} as AnyConfig);
    const deviating = (by: number) => codes(new Alarms(), 1, { ...limits, 'ratio/first-pass-deviation': by });
    expect(deviating(tolerance)).toEqual([]);
    expect(deviating(1.1 * tolerance)).toEqual(['RATIO_NOT_ONE']);
  });

  it.each<[what: string, regularizer: object | undefined, rings: boolean]>([
    ['no regularizer', undefined, false],
    ['no KL', { kl: 'none', klTo: 'reference', klCoefficient: 0.05 }, false],
    ['a KL that weighs nothing', { kl: 'k2', klTo: 'reference', klCoefficient: 0 }, false],
    ['a KL to the old policy', { kl: 'k2', klTo: 'old', klCoefficient: 0.05 }, false],
    ['a KL to the reference', { kl: 'k2', klTo: 'reference', klCoefficient: 0.05 }, true],
  ])('a policy far from its reference is an alarm where the loss holds it there: %s', (_, regularizer, rings) => {
    const limits = alarmLimits({}, { regularizer } as AnyConfig);
    expect(codes(new Alarms(), 1, { ...limits, 'kl/reference-k3': 1 })).toEqual([]);
    expect(codes(new Alarms(), 1, { ...limits, 'kl/reference-k3': 1.1 })).toEqual(rings ? ['FAR_FROM_REFERENCE'] : []);
  });

  it('expects a distance between sampler and learner where weights are stale', () => {
    expect(codes(new Alarms(), 1, { 'mismatch/k3': 0.5, 'async/staleness-max': 1 })).toEqual([]);
  });

  it.each([
    ['sight/thought-swapped', 0.05, 0.04, 'INPUT_IGNORED'],
    ['sight/action-swapped', 0.01, 0.009, 'PICTURES_UNUSED'],
  ])('%s: silent at %d, rings at %d, and not before the third update', (metric, good, bad, code) => {
    const rung = (value: number) => {
      const alarms = new Alarms();
      return [1, 2, 3].map((update) => codes(alarms, update, { [metric]: value }));
    };
    expect(rung(good)).toEqual([[], [], []]);
    expect(rung(bad)).toEqual([[], [], [code]]);
  });

  it('takes answers of one form for granted where they follow the picture', () => {
    const alike = (dependence: number) => ({
      'text/self-bleu-2-observations': 0.97,
      'sight/thought-swapped': dependence,
    });
    expect(codes(new Alarms(), 1, alike(0.4))).toEqual([]);
    expect(codes(new Alarms(), 1, alike(0.01))).toEqual(['RESPONSES_ALIKE']);
  });

  it('rings when success falls by 30 % over three updates, and remembers across a resume', () => {
    const alarms = new Alarms();
    for (const [index, success] of [0.5, 0.6, 0.4].entries()) {
      expect(codes(alarms, index, { 'train/success-rate': success })).toEqual([]);
    }
    const resumed = new Alarms();
    resumed.load(JSON.parse(JSON.stringify(alarms.save())));
    expect(codes(resumed, 4, { 'train/success-rate': 0.34 })).toEqual(['SUCCESS_FALLING']);
  });

  it('judges sight over three updates: it is measured on a few pairs', () => {
    const alarms = new Alarms();
    const rung = [0.4, 0.01, 0.01, 0.01].map((value, index) =>
      codes(alarms, index, { 'sight/thought-swapped': value }),
    );
    expect(rung).toEqual([[], [], [], ['INPUT_IGNORED']]);
  });

  it('lets an action follow its thought without looking again', () => {
    expect(codes(new Alarms(), 1, { 'sight/action-swapped': 0, 'sight/thought-swapped': 0.4 })).toEqual([]);
  });

  it('waits for a hundred episodes before it compares success: the first to end are short and successful', () => {
    const alarms = new Alarms();
    for (const [index, success] of [1, 0.9, 0.6, 0.5].entries()) {
      expect(codes(alarms, index, { 'train/success-rate': success, 'train/episodes': 20 + index })).toEqual([]);
    }
  });

  it('rings for a critic below a constant only after its warm-up, and only when that lasts', () => {
    const update = (explained: number, onlyValue = 0) => ({
      'value/explained-variance': explained,
      'optimizer/only-value': onlyValue,
    });
    const alarms = new Alarms();
    const rung = [update(-3, 1), update(-0.3, 1), update(-0.3), update(-0.3), update(-0.1), update(-0.3), update(-0.3)];
    for (const [index, metrics] of rung.entries()) expect(codes(alarms, index, metrics)).toEqual([]);
    const resumed = new Alarms();
    resumed.load(JSON.parse(JSON.stringify(alarms.save())));
    expect(codes(resumed, 8, update(-0.3))).toEqual(['CRITIC_WORSE_THAN_MEAN']);
    expect(codes(resumed, 9, update(-0.3))).toEqual([]); // once, not again at every update
  });

  it('rings when thoughts are half as long as at the start', () => {
    const alarms = new Alarms();
    const length = (value: number) => ({ 'response/thought-length-mean': value });
    expect(codes(alarms, 1, length(40))).toEqual([]);
    expect(codes(alarms, 2, length(20))).toEqual([]);
    expect(codes(alarms, 3, length(19))).toEqual(['THOUGHTS_SHRINKING']);
  });
});
