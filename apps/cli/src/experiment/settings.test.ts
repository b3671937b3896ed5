/** What the settings of the shipped tasks promise for every algorithm. */
import type { ActorCriticConfig } from '@vlgym/rl';
import { describe, expect, it } from 'vitest';
import { algorithmNames, algorithmOf } from './algorithms.js';

const TASKS = [
  'vlgym/Signs-v1',
  'MiniWorld-OneRoomS6Fast-v0',
  'vlgym/EZPoints-v1',
  'vlgym/Points24-v1',
  'MiniWorld-Hallway-v0',
  'MiniWorld-WallGap-v0',
  'other/Env-v0',
];
/** Longer than any episode of these tasks. */
const LONGEST = 200;

const configOf = (env: string, algorithm: string, replicate = false) =>
  algorithmOf({ env, algorithm, replicate, model: 'tiny', set: {} }).config as ActorCriticConfig & {
    guidance?: object;
    merge?: object;
  };

describe.each(TASKS)('%s', (env) => {
  it.each(algorithmNames())('legal stalling forever earns less with %s than success at the last step', (algorithm) => {
    const { reward, advantage } = configOf(env, algorithm);
    // without a discount a bonus per step pays for stalling, whatever it is
    const gamma = advantage?.gamma ?? 1;
    // a bonus that is part of the reward is paid at every step, and a time limit is bootstrapped: it never ends
    const bonus = reward.formatEntry === 'reward' ? reward.scale * reward.formatValid : 0;
    const paid = (steps: number) => (bonus === 0 ? 0 : (bonus * (1 - gamma ** steps)) / (1 - gamma));
    const stalling = paid(Number.POSITIVE_INFINITY);
    const success = paid(LONGEST) + reward.scale * gamma ** (LONGEST - 1);
    expect(stalling).toBeLessThan(success);
  });
});

describe('rl4vlm', () => {
  it('is the published algorithm: nothing shields its critic or its backbone', () => {
    expect(configOf('vlgym/EZPoints-v1', 'rl4vlm').value).toEqual({
      coefficient: 0.5,
      clip: 0.1,
      stopGradient: false,
      warmupUpdates: 0,
      learningRateFactor: 1,
      epochs: null,
      standardize: false,
      maxGradNorm: null,
    });
  });
});

it('gtr-turbo-kl without its guidance is rl4vlm-stabilized, in every option', () => {
  const { guidance: _, merge: _merge, ...guided } = configOf('vlgym/EZPoints-v1', 'gtr-turbo-kl');
  const stabilized = configOf('vlgym/EZPoints-v1', 'rl4vlm-stabilized');
  expect(guided).toEqual(stabilized);
});

it('a replication keeps published temperatures, rewards and warm-up; sizes are those of the model', () => {
  const { rollout, loss, reward, value, optimizer, advantage } = configOf('vlgym/EZPoints-v1', 'rl4vlm', true);
  expect({ sampling: rollout.temperature, loss: loss.temperature }).toEqual({ sampling: 0.2, loss: 0.2 });
  expect(reward.scale).toBe(1);
  expect(value.warmupUpdates).toBe(0);
  expect(optimizer).toMatchObject({ batch: 64, epochs: 4, maxGradNorm: 0.01 });
  expect(advantage.estimator).toBe('storage-gae');
});
