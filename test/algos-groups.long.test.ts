/** Algorithms without a critic learn a bandit, two of them from outside of the packages. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cispo, dapo, drGrpo, epo, gigpo, grpo, gspo, loop, raft, reinforcePlusPlus, rloo } from '@vlgym/baselines';
import type { SamplerDType } from '@vlgym/models';
import { type Preset, train } from '@vlgym/rl';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { BanditEnv, smallPolicy, teachLetters } from './algos-tasks.js';
import myReinforcePlusPlus from './researcher/reinforce-plus-plus.js';
import thoughtEntropy from './researcher/thought-entropy.js';

vi.setConfig({ testTimeout: 300_000 });

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
