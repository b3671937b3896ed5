/** Algorithms on groups of episodes that begin in the same state: how episodes are collected. */
import { Generator } from '@vlgym/core';
import { composeConfig, MetricsTally } from '@vlgym/rl';
import { commonOptions } from '@vlgym/rl/config';
import { Collector, joinBuffers } from '@vlgym/rl/rollout';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { CorridorEnv, smallPolicy } from './algos-tasks.js';

const config = composeConfig(z.strictObject(commonOptions), { rollout: { maxNewTokens: 3 } });

async function collectorOf(environments: number, seed = 1) {
  const policy = await smallPolicy({ seed: 1 });
  const rng = new Generator(seed);
  const envs = Array.from({ length: environments }, () => new CorridorEnv());
  return new Collector({ policy, environments: envs, config, rng });
}

const collect = (collector: Collector, groupSize: number, stepsPerUpdate: number) =>
  collector.collectEpisodes({ groupSize, stepsPerUpdate, stateKeys: true, metrics: new MetricsTally() });

describe('collectEpisodes', () => {
  it('plays whole episodes, each in the order of time, in groups of one seed, until there are enough steps', async () => {
    const { steps, trajectories, episodes } = await collect(await collectorOf(6), 3, 40);
    expect(steps.length).toBeGreaterThanOrEqual(40);
    expect(trajectories.flat().toSorted((a, b) => a - b)).toEqual(steps.map((_, row) => row));
    expect(episodes).toHaveLength(trajectories.length);
    for (const rows of trajectories) {
      expect(rows.map((row) => steps[row]!.stepIndex)).toEqual(rows.map((_, index) => index));
      const ends = rows.map((row) => steps[row]!.terminated || steps[row]!.truncated);
      expect(ends).toEqual(rows.map((_, index) => index === rows.length - 1));
    }
    const seeds = new Map(episodes.map(({ id, seed }) => [id, seed]));
    for (const group of new Set(steps.map((step) => step.group))) {
      const members = new Set(steps.filter((step) => step.group === group).map(({ episodeId }) => episodeId));
      expect(members.size).toBe(3);
      expect(new Set([...members].map((id) => seeds.get(id))).size).toBe(1);
    }
  });

  it('gives equal state keys exactly where the agent sees the same', async () => {
    const { steps } = await collect(await collectorOf(4), 2, 30);
    const seen = new Map<string, string>();
    for (const { stateKey, input } of steps) {
      const prompt = Array.from(input.promptIds).join();
      expect(seen.get(stateKey!) ?? prompt).toBe(prompt);
      seen.set(stateKey!, prompt);
    }
    expect(new Set(seen.values()).size).toBe(seen.size);
  });

  it('goes on after a save as if nothing had happened', async () => {
    const [one, other] = [await collectorOf(4), await collectorOf(4, 2)];
    await collect(one, 2, 10);
    await other.load(JSON.parse(JSON.stringify(await one.save())));
    const texts = async (collector: Collector) => (await collect(collector, 2, 20)).steps.map(({ text }) => text);
    expect(await texts(other)).toEqual(await texts(one));
  });

  it('refuses a group size that does not divide the environments', async () => {
    const collecting = collect(await collectorOf(4), 3, 10);
    await expect(collecting).rejects.toMatchObject({ code: 'INVALID_OPTION', value: 3 });
  });

  it('keeps groups apart when buffers are joined', async () => {
    const collector = await collectorOf(4);
    const [a, b] = [await collect(collector, 2, 10), await collect(collector, 2, 10)];
    const { steps, trajectories } = joinBuffers([a, b]);
    const groupsOf = (rows: typeof steps) => new Set(rows.map((step) => step.group)).size;
    expect(groupsOf(steps)).toBe(groupsOf(a.steps) + groupsOf(b.steps));
    expect(trajectories).toHaveLength(a.trajectories.length + b.trajectories.length);
    expect(trajectories.at(-1)!.map((row) => steps[row]!.text)).toEqual(
      b.trajectories.at(-1)!.map((row) => b.steps[row]!.text),
    );
  });
});
