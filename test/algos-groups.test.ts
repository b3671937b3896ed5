/** Algorithms on groups of episodes that begin in the same state: how episodes are collected, and that they are learned from. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cispo, dapo, drGrpo, epo, gigpo, grpo, gspo, loop, raft, reinforcePlusPlus, rloo } from '@vlgym/baselines';
import { Generator } from '@vlgym/core';
import type { SamplerDType } from '@vlgym/models';
import { composeConfig, MetricsTally, type Preset, train } from '@vlgym/rl';
import { commonOptions } from '@vlgym/rl/config';
import { Collector, joinBuffers } from '@vlgym/rl/rollout';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { BanditEnv, CorridorEnv, smallPolicy, teachLetters } from './algos-tasks.js';
import myReinforcePlusPlus from './researcher/reinforce-plus-plus.js';
import thoughtEntropy from './researcher/thought-entropy.js';

vi.setConfig({ testTimeout: 300_000 });

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

const quick = { epochs: 4, batch: 128, microBatch: 128, maxGradNorm: 1 };
/** Without a ratio one pass has to do, so it takes more updates. */
const once = { ...quick, epochs: 1, batch: 64 };

let start = '';
beforeAll(async () => {
  start = await mkdtemp(join(tmpdir(), 'vlgym-groups-'));
  const policy = await smallPolicy({ seed: 0 });
  const lesson = { contexts: 4, actions: 4, right: (context: number) => context, hint: 0.5 };
  await teachLetters(policy, { ...lesson, env: new BanditEnv(), steps: 100 });
  await policy.save(start);
  policy.close();
});
afterAll(() => rm(start, { recursive: true, force: true }));

// one of them samples with weights in fewer bytes, which losses correct for
describe.each<[string, Preset, object, number, SamplerDType?]>([
  ['grpo', grpo, quick, 14],
  ['dapo', dapo, quick, 14],
  ['loop', loop, quick, 14, 'int8'],
  ['gigpo', gigpo, quick, 14],
  ['rloo', rloo, once, 24],
  ['epo', epo, quick, 14],
  ['dr-grpo', drGrpo, quick, 14],
  ['gspo', gspo, quick, 14],
  ['cispo', cispo, quick, 14],
  ['raft', raft, once, 24],
  ['reinforce-plus-plus', reinforcePlusPlus, quick, 14],
  ['a REINFORCE++ outside of the packages', myReinforcePlusPlus, quick, 14],
  ['a loss of somebody else, entropy of thoughts included', thoughtEntropy, quick, 14],
])('%s', (_, preset, optimizer, updates, samplerDtype = 'same') => {
  it('learns the bandit without a critic: from half of the sampled actions to nine of ten', async () => {
    const policy = await smallPolicy({ seed: 1, samplerDtype });
    await policy.load(start);
    const rewards: number[] = [];
    const names = new Set<string>();
    await train({
      policy,
      algorithm: preset({
        rollout: { maxNewTokens: 3 },
        optimizer: { ...optimizer, learningRate: { initial: 4e-3, final: 1.5e-3, period: updates } },
      }),
      makeEnv: () => new BanditEnv(),
      updates,
      stepsPerUpdate: 128,
      numEnvs: 64,
      seed: 1,
      onMetrics: ({ metrics }) => {
        rewards.push(metrics['rollout/reward-mean']!);
        for (const name of Object.keys(metrics)) names.add(name);
      },
    });
    policy.close();
    expect(rewards[0]).toBeLessThan(0.75);
    expect(rewards.slice(-3).reduce((sum, reward) => sum + reward, 0) / 3).toBeGreaterThan(0.9);
    expect([...names].filter((name) => name.startsWith('value/'))).toEqual([]);
    expect(names.has('correction/ess')).toBe(samplerDtype !== 'same');
  });
});
