/** Hooks of algorithms in episodes while these are collected: notes, forks, expert turns, shorter limits. */
import { vineAdvantages } from '@vlgym/baselines';
import { Generator } from '@vlgym/core';
import { composeConfig, MetricsTally, type StepRecord } from '@vlgym/rl';
import { commonOptions } from '@vlgym/rl/config';
import {
  Collector,
  type CollectorOptions,
  type EpisodeHooks,
  type Opening,
  type RunningTurn,
  refuseHooks,
} from '@vlgym/rl/rollout';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { CorridorEnv, smallPolicy } from './algos-tasks.js';

const config = composeConfig(z.strictObject(commonOptions), { rollout: { maxNewTokens: 2 } });

class PlainEnv extends CorridorEnv {
  override readonly snapshot = undefined as never;
  override readonly restore = undefined as never;
}

async function collectorOf(
  environments: number,
  makeEnv = () => new CorridorEnv() as CollectorOptions['environments'][0],
) {
  const policy = await smallPolicy({ seed: 1 });
  const envs = Array.from({ length: environments }, makeEnv);
  return new Collector({ policy, environments: envs, config, rng: new Generator(1), makeEnv });
}

const collect = (collector: Collector, hooks: EpisodeHooks, groupSize = 1) =>
  collector.collectEpisodes({ groupSize, stepsPerUpdate: 1, metrics: new MetricsTally(), hooks });

const promptOf = ({ input }: StepRecord) => Array.from(input.promptIds).join();

describe('forks', () => {
  const twoAtOne = (turns: readonly RunningTurn[]) =>
    turns.map(({ episode, isFork }) => ({ forks: !isFork && episode.state.stepIndex === 1 ? 2 : 0 }));

  it.each([
    ['from snapshots', () => new CorridorEnv()],
    ['by playing the actions again', () => new PlainEnv()],
  ])('begin in the state that their origin answers, and end on their own: %s', async (_, makeEnv) => {
    const collector = await collectorOf(3, makeEnv);
    const { steps, trajectories, forks, episodes } = await collect(collector, { onTurn: twoAtOne });
    expect(trajectories).toHaveLength(3);
    expect(episodes).toHaveLength(3);
    expect(forks).toHaveLength(2 * trajectories.filter((rows) => rows.length > 1).length);
    for (const { parent, at, steps: played, summary } of forks!) {
      const origin = steps.find((step) => step.episodeId === parent && step.stepIndex === at)!;
      expect(at).toBe(1);
      expect(promptOf(played[0]!)).toBe(promptOf(origin));
      expect(played.map(({ stepIndex }) => stepIndex)).toEqual(played.map((__, i) => i + 1));
      expect(played.at(-1)!.terminated || played.at(-1)!.truncated).toBe(true);
      expect(summary.length).toBe(played.length + 1);
    }
    expect(new Set(forks!.map(({ steps: [first] }) => first!.episodeId)).size).toBe(forks!.length);
    await collector.close();
  });

  it('that run along are asked as well', async () => {
    const collector = await collectorOf(1);
    const seen: boolean[] = [];
    const onTurn = (turns: readonly RunningTurn[]) => {
      seen.push(...turns.map(({ isFork }) => isFork));
      return twoAtOne(turns);
    };
    const { forks } = await collect(collector, { onTurn, joinForks: true });
    expect(seen.filter(Boolean)).toHaveLength(forks!.flatMap(({ steps }) => steps).length);
    await collector.close();
  });

  it('do not change with what is saved and loaded in between', async () => {
    const [one, other] = [await collectorOf(2), await collectorOf(2)];
    await collect(one, { onTurn: twoAtOne });
    await other.load(JSON.parse(JSON.stringify(await one.save())));
    const texts = async (collector: Collector) =>
      (await collect(collector, { onTurn: twoAtOne })).forks!.flatMap(({ steps }) => steps.map(({ text }) => text));
    expect(await texts(other)).toEqual(await texts(one));
  });
});

it('a note stays with the step whose turn it is about', async () => {
  const onTurn = (turns: readonly RunningTurn[]) => turns.map(({ response }) => ({ note: response.text }));
  const { steps } = await collect(await collectorOf(2), { onTurn });
  for (const { note, text } of steps) expect(note).toBe(text);
});

it('an expert plays the first turns of every episode of a group, and says what it did', async () => {
  const collector = await collectorOf(2);
  const { steps, trajectories } = await collect(collector, { opening: (turns) => turns - 1 }, 2);
  for (const [first] of trajectories) {
    const step = steps[first!]!;
    const { turns, expertTurns } = step.note as Opening;
    expect(expertTurns).toBe(4);
    expect(turns).toHaveLength(3);
    expect(step.stepIndex).toBe(3);
  }
});

it('a limit cuts episodes, whose last state is kept for its value', async () => {
  const { steps, trajectories } = await collect(await collectorOf(4), { maxSteps: 2 });
  for (const rows of trajectories) expect(rows).toHaveLength(2);
  for (const step of steps) {
    expect(step.truncated).toBe(step.stepIndex === 1);
    expect(step.successor !== undefined).toBe(step.stepIndex === 1);
  }
});

it('are refused where other programs play', () => {
  expect(() => refuseHooks({ hooks: { maxSteps: 3 } })).toThrow(
    expect.objectContaining({ code: 'HOOKS_UNSUPPORTED', value: ['maxSteps'] }),
  );
  expect(() => refuseHooks({})).not.toThrow();
});

it('VinePPO: A_t = r_t + γ·V(s_{t+1}) − V(s_t), with V the mean discounted return of the forks', () => {
  const step = (episodeId: string, stepIndex: number, environment: number) =>
    ({ episodeId, stepIndex, reward: { environment, format: 0 } }) as StepRecord;
  const fork = (at: number, ...rewards: number[]) => ({
    parent: 'a',
    at,
    steps: rewards.map((reward, i) => step(`a+${at}`, at + i, reward)),
    summary: undefined as never,
  });
  const forks = [fork(0, 0, 10), fork(0, 0, 0, 0), fork(1, 10), fork(1, 0)];
  const steps = [step('a', 0, 2), step('a', 1, 10)];
  // V(s_0) = (0.5·1 + 0) / 2, V(s_1) = (1 + 0) / 2 in units of 10
  expect([...vineAdvantages({ steps, trajectories: [[0, 1]], forks }, { gamma: 0.5, scale: 10 })]).toEqual([
    0.2 + 0.5 * 0.5 - 0.25,
    1 - 0.5,
  ]);
});
