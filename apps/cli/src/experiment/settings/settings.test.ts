/** Claims about the tasks' settings, for every algorithm. */
import { register, registeredIds } from '@vlgym/core';
import '../../environments.js';
import type { ActorCriticConfig } from '@vlgym/rl/config';
import { describe, expect, it } from 'vitest';
import { distinctTraining } from '../../../test-support/distinct-training.js';
import before from '../../../test-support/settings-before.json' with { type: 'json' };
import { algorithmNames } from '../algorithms.js';
import { algorithmOf } from '../run-options.js';
import { taskSchema } from '../spec.js';
import { completeTask, settingsNotice, settingsOf } from './settings.js';

const NEUTRAL = 'test/Neutral-v0';
register({ id: NEUTRAL, entryPoint: () => Promise.reject(new Error('never made here')) });

const TASKS = [...distinctTraining(registeredIds()), NEUTRAL];
/** More steps than any episode of these tasks has. */
const MAX_STEPS = 200;

const configOf = (env: string, algorithm: string, replicate = false) =>
  algorithmOf({ env, algorithm, replicate, model: 'tiny', set: {} }).config as ActorCriticConfig & {
    guidance?: object;
    merge?: object;
  };

// with these the figures of docs and READMEs were measured
describe.each(before)(
  'the settings of $ids.0 and $ids.length in all',
  ({ ids, task, warmStart, overrides, maxNewTokens, rewardScale }) => {
    it.each(ids)('%s are those of before environments declared them', (env) => {
      expect(completeTask(taskSchema.parse({ env }))).toMatchObject(task);
      expect(settingsOf(env)).toMatchObject({ maxNewTokens, rewardScale });
      expect(settingsOf(env).warmStart).toEqual({ ...warmStart, teacher: 'oracle' });
      expect(settingsOf(env).overrides ?? {}).toEqual(overrides);
      expect(completeTask(taskSchema.parse({ env })).envOptions).toEqual(task.envOptions);
      expect(settingsNotice(env)).toBeUndefined();
    });
  },
);

it.each(algorithmNames())('--constrain reaches the rollouts of %s, and nothing does without it', (algorithm) => {
  const spec = { env: NEUTRAL, algorithm, replicate: false, model: 'tiny', set: {} };
  expect(algorithmOf({ ...spec, constrain: 'json' }).config.rollout.constrain).toBe('json');
  expect(algorithmOf(spec).config.rollout).not.toHaveProperty('constrain');
});

describe('an environment that declares no training', () => {
  it.each(['vlgym/ALFWorld-v1', 'vlgym/WebShop-v1', NEUTRAL])(
    '%s trains under its own options, and that is said (it got `size` and `dialogue` of the card games)',
    (env) => {
      expect(completeTask(taskSchema.parse({ env })).envOptions).toEqual({});
      expect(settingsNotice(env)).toContain(`${env} declares no training settings`);
    },
  );
});

/** It pays at each turn, and has a fixed number of them: nobody can stall. */
const PAYS_EACH_TURN = 'vlgym/Canary-v1';

describe.each(TASKS.filter((id) => id !== PAYS_EACH_TURN))('%s', (env) => {
  it.each(algorithmNames())('legal stalling forever earns less with %s than success at the last step', (algorithm) => {
    const { reward, advantage } = configOf(env, algorithm);
    // without a discount a bonus per step pays for stalling, whatever it is
    const gamma = advantage?.gamma ?? 1;
    // a bonus that is part of the reward is paid at every step, and a time limit is bootstrapped: it never ends
    const bonus = (reward.formatEntry ?? 'reward') === 'reward' ? reward.scale * reward.formatValid : 0;
    const paid = (steps: number) => (bonus === 0 ? 0 : (bonus * (1 - gamma ** steps)) / (1 - gamma));
    const stalling = paid(Number.POSITIVE_INFINITY);
    const success = paid(MAX_STEPS) + reward.scale * gamma ** (MAX_STEPS - 1);
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
