/** Test 25 of the scaling plan: bounds and levels of importance weights; and what `correction: auto` chooses. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { composeConfig } from '../config/compose.js';
import { actorCriticOptions, tokenLossOptions } from '../config/option-groups.js';
import { MetricsTally } from '../diagnostics/metrics.js';
import { correctionMetrics, correctionOf } from '../losses/correction.js';
import { importanceWeights } from '../losses/importance-weights.js';
import { oldLogProbsOf, type RolloutBuffer, type StepRecord } from './record.js';
import { checkTokenVersions, tokenVersions, versionNumber } from './token-versions.js';

const schema = z.strictObject({ ...actorCriticOptions, loss: tokenLossOptions });
const configOf = (overrides: object = {}) => composeConfig(schema, overrides);
const inProcess = {};
const remote = { sampler: 'remote' } as const;

describe('correction: auto', () => {
  it('is off where this process samples from the distribution that it trains', () => {
    expect(correctionOf(configOf(), inProcess)).toBeUndefined();
  });

  it.each([
    ['a server or another process', {}, remote],
    ['top-k', { rollout: { topK: 5 } }, inProcess],
    ['top-p', { rollout: { topP: 0.9 } }, inProcess],
    ['a repetition penalty', { rollout: { repetitionPenalty: 1.2 } }, inProcess],
    ['another temperature than that of the loss', { rollout: { temperature: 0.7 } }, inProcess],
  ])('truncates weights at 2 for %s', (_, overrides, buffer) => {
    expect(correctionOf(configOf(overrides), buffer)).toEqual({ level: 'token', mode: 'truncate', cap: 2, lower: 0 });
  });

  it('gives way to a choice', () => {
    expect(correctionOf(configOf({ correction: { kind: 'none' } }), remote)).toBeUndefined();
    expect(correctionOf(configOf({ correction: { kind: 'mask' } }), inProcess)).toMatchObject({ mode: 'mask' });
  });
});

describe('25. importance weights', () => {
  const old = [Math.log(0.9), Math.log(0.05), Math.log(0.4)];
  const behavior = [Math.log(0.3), Math.log(0.5), Math.log(0.4)]; // ratios 3, 0.1, 1
  const weights = (options: Partial<Parameters<typeof importanceWeights>[4]>) =>
    Array.from(
      importanceWeights(old, behavior, [1, 1, 1], 1, { level: 'token', mode: 'truncate', cap: 2, ...options }).tokens,
      (weight) => Number(weight.toFixed(12)),
    );

  it('clamps to both bounds, or masks outside of them', () => {
    expect(weights({})).toEqual([2, 0.1, 1]);
    expect(weights({ lower: 0.5 })).toEqual([2, 0.5, 1]);
    expect(weights({ lower: 0.5, mode: 'mask' })).toEqual([0, 0, 1]);
  });

  it('takes the product over a response, and tells its geometric mean', () => {
    expect(weights({ level: 'sequence' })).toEqual([0.3, 0.3, 0.3]);
    const options = { level: 'token', mode: 'truncate', cap: 2 } as const;
    const { geometricMean } = importanceWeights(old, behavior, [1, 1, 1], 1, options);
    expect(geometricMean[0]).toBeCloseTo(0.3 ** (1 / 3), 12);
  });
});

const step = (fields: Partial<StepRecord>) =>
  ({ episodeId: 'e', stepIndex: 0, policyVersion: 3, responseIds: Int32Array.of(1, 2, 3), ...fields }) as StepRecord;

describe('versions of tokens', () => {
  it('are one span where one set of weights sampled all', () => {
    expect(tokenVersions(step({}))).toEqual([{ version: '3', start: 0, end: 3 }]);
  });

  it.each([
    [
      'a gap',
      [
        { version: '1', start: 0, end: 1 },
        { version: '2', start: 2, end: 3 },
      ],
    ],
    [
      'an overlap',
      [
        { version: '1', start: 0, end: 2 },
        { version: '2', start: 1, end: 3 },
      ],
    ],
    ['a missing end', [{ version: '1', start: 0, end: 2 }]],
    ['tokens that do not exist', [{ version: '1', start: 0, end: 4 }]],
  ])('refuse %s', (_, versions) => {
    expect(() => checkTokenVersions(versions, 3)).toThrow(expect.objectContaining({ code: 'TOKEN_VERSION_UNKNOWN' }));
  });

  it('end in a number', () => {
    expect(versionNumber('policy-000012')).toBe(12);
    expect(() => versionNumber('default')).toThrow(expect.objectContaining({ code: 'TOKEN_VERSION_UNKNOWN' }));
  });
});

it('refuses to compare with old log-probs that nobody computed', () => {
  expect(() => oldLogProbsOf(step({}))).toThrow(expect.objectContaining({ code: 'NOT_RESCORED' }));
});

it('measures the gap between sampler and learner, and only where a correction applies', () => {
  const steps = [
    step({ behaviorLogProbs: Float32Array.of(-1, -1, -1), oldLogProbs: Float32Array.of(-1, -1, -1 + Math.log(4)) }),
  ];
  const measure = (buffer: Pick<RolloutBuffer, 'steps' | 'sampler'>) => {
    const metrics = new MetricsTally();
    correctionMetrics({ trajectories: [], episodes: [], taskKeys: [], ...buffer }, configOf(), metrics);
    return metrics.toMetrics();
  };
  expect(measure({ steps })).toEqual({});
  const measured = measure({ steps, sampler: 'remote' });
  expect(measured['mismatch/k3']).toBeCloseTo((4 - 1 - Math.log(4)) / 3, 6);
  expect(measured['mismatch/ratio-outside-0.9-1.1']).toBeCloseTo(1 / 3, 12);
  expect(measured['correction/clipped-share']).toBeCloseTo(1 / 3, 12);
  expect(measured['correction/ess']).toBeCloseTo(36 / (18 * 3), 6);
});

it('leaves out steps that nobody rescored: their algorithm learns from the log-probs of its sampler', () => {
  const metrics = new MetricsTally();
  const steps = [step({ behaviorLogProbs: new Float32Array(3) })];
  correctionMetrics({ steps, trajectories: [], episodes: [], taskKeys: [], ...remote }, configOf(), metrics);
  expect(metrics.toMetrics()).toEqual({});
});
