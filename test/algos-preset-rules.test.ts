/** The rules by which presets judge turns and episodes, on numbers small enough to follow. */
import {
  episodeWeights,
  freeTokens,
  horizonAt,
  informationGains,
  sharedAdvantages,
  turnAdvantages,
  voidEpisodes,
  withBranches,
} from '@vlgym/baselines';
import type { RolloutBuffer, StepRecord } from '@vlgym/rl';
import type { Fork } from '@vlgym/rl/rollout';
import type { LossBatch } from '@vlgym/rl/update';
import { describe, expect, it } from 'vitest';

const step = (episodeId: string, stepIndex: number, more: Partial<StepRecord> = {}) =>
  ({ episodeId, stepIndex, group: 0, ...more }) as StepRecord;

describe('ARPO', () => {
  const fork = (id: string, parent: string, at: number, length: number): Fork => ({
    parent,
    at,
    steps: Array.from({ length }, (_, i) => step(id, at + i)),
    summary: { id } as never,
  });
  const collected: RolloutBuffer = {
    steps: [step('a', 0), step('a', 1), step('a', 2)],
    trajectories: [[0, 1, 2]],
    episodes: [{ id: 'a' } as never],
    taskKeys: [],
    // the fork of a fork stands first, as it may
    forks: [fork('c', 'b', 2, 1), fork('b', 'a', 1, 2)],
  };

  it('gives a branch the steps that it shares with its origin, then its own', () => {
    const { steps, trajectories, episodes, forks } = withBranches(collected);
    const names = trajectories.map((rows) => rows.map((row) => `${steps[row]!.episodeId}${steps[row]!.stepIndex}`));
    expect(names).toEqual([
      ['a0', 'a1', 'a2'],
      ['a0', 'b1', 'b2'],
      ['a0', 'b1', 'c2'],
    ]);
    expect(episodes).toHaveLength(3);
    expect(forks).toBeUndefined();
  });

  it('gives a shared step the mean of the advantages of all episodes that it is part of', () => {
    const buffer = withBranches(collected);
    const advantages = sharedAdvantages(buffer, [3, -1, 1]);
    const of = (name: string) =>
      advantages[buffer.steps.findIndex(({ episodeId, stepIndex }) => `${episodeId}${stepIndex}` === name)];
    expect([of('a0'), of('a1'), of('b1'), of('b2'), of('c2')]).toEqual([1, 3, 0, -1, 1]);
  });
});

it('LOOP as published: every episode has the same weight, and in it every token', () => {
  const lengths = [1, 3, 2];
  const steps = lengths.map((length, i) => step(i < 2 ? 'a' : 'b', i, { responseIds: new Int32Array(length) }));
  const trajectories = [[0, 1], [2]];
  const weights = episodeWeights({ steps, trajectories });
  const losses = [[1], [2, 3, 4], [5, 7]];
  const sums = losses.map((tokens) => tokens.reduce((sum, each) => sum + each, 0));
  const meanOverSteps = sums.reduce((sum, each, row) => sum + each * weights[row]!, 0) / steps.length;
  expect(meanOverSteps).toBeCloseTo(((1 + 2 + 3 + 4) / 4 + (5 + 7) / 2) / 2, 12);
});

describe('IGPO', () => {
  it('rewards a turn with the rise of certainty, and the last one with the return', () => {
    expect([...informationGains([[0, 1, 2], [3]], [0.25, 0.5, 0.375, 0.5], [1, 0])]).toEqual([0.25, -0.125, 1, 0]);
  });

  it('centers and scales over the turns of a group, and sums from each turn on', () => {
    // mean 0.5, sample deviation 0.5
    const rewards = [0, 0.5, 1];
    const options = { gamma: 0.5, scale: 'std' } as const;
    const advantages = turnAdvantages(rewards, [[0, 1], [2]], [7, 7], options);
    expect([...advantages].map((value) => Math.round(value * 1e4) / 1e4)).toEqual([-1, 0, 1]);
    expect([...turnAdvantages(rewards, [[0, 1], [2]], [7, 7], { gamma: 1, scale: 'none' })]).toEqual([-0.5, 0, 0.5]);
  });
});

it('SPEAR leaves out the tokens whose log-probability and advantage vary together the most, a share at most', () => {
  // means −2 and 0; covariances 1, −1, −3, 3
  const steps = [{ oldLogProbs: Float32Array.of(-1, -3) }, { oldLogProbs: Float32Array.of(1, -5) }];
  const batch = { data: { steps, length: 2 } } as unknown as LossBatch;
  const mask = (share: number, low: number, high: number) => [
    ...freeTokens(steps, Float64Array.of(1, -1), { share, low, high })(batch),
  ];
  expect(mask(0.25, 1, 40)).toEqual([1, 1, 1, 0]);
  expect(mask(0.5, 1, 40)).toEqual([0, 1, 1, 0]);
  expect(mask(0.5, 1, 2)).toEqual([0, 1, 1, 1]);
  expect(mask(0, 1, 40)).toEqual([1, 1, 1, 1]);
});

it('SimpleTIR finds episodes with a turn without an action or cut by its length', () => {
  const whole = { fallback: false, lengthTruncated: false };
  const steps = [step('a', 0, whole), step('a', 1, { ...whole, fallback: true }), step('b', 0, whole)];
  steps.push(step('c', 0, { ...whole, lengthTruncated: true }));
  expect([...voidEpisodes({ steps, trajectories: [[0, 1], [2], [3]] })]).toEqual([1, 0, 1]);
});

it('ScalingInter raises the limit stage by stage and stays at the last one', () => {
  const limits = [0, 1, 2, 3, 4, 100].map((update) => horizonAt(update, { turns: [5, 10, 20], every: 2 }));
  expect(limits).toEqual([5, 5, 10, 10, 20, 20]);
});
