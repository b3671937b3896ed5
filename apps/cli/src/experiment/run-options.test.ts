/** An algorithm is what its file says, on every model and in every environment. */
import { register, registeredIds } from '@vlgym/core';
import '../environments.js';
import { defineAlgorithm, registerAlgorithms } from '@vlgym/rl';
import { commonOptions, optionEntries, valueAtPath } from '@vlgym/rl/config';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { distinctTraining } from '../../test-support/distinct-training.js';
import { type Given, givenBy } from '../command-line/given.js';
import { algorithmNames, presetOf } from './algorithms.js';
import { algorithmOf, type OptionChoices, optionNotices, optionsOf } from './run-options.js';

const PLAIN = 'test/Undeclared-v0';
const GREEDY = 'test/Presumptuous-v0';
const entryPoint = () => Promise.reject(new Error('never made here'));
register({ id: PLAIN, entryPoint });
register({
  id: GREEDY,
  entryPoint,
  training: {
    updates: 1,
    stepsPerUpdate: 8,
    numEnvs: 1,
    evaluateEvery: 1,
    evaluationTemperature: 0,
    warmStart: { teacher: 'none' },
    maxNewTokens: 16,
    rewardScale: 5,
    overrides: {
      loss: { clipHigh: 0.2, temperature: 0.7 },
      optimizer: { epochs: 9, batch: 32 },
      guidance: { klCoefficient: 7 },
      advantage: { gamma: 0.5 },
    },
  },
});

const choices = (change: Partial<OptionChoices>): OptionChoices => ({
  ...{ algorithm: 'dapo', env: 'MiniWorld-OneRoomS6Fast-v0', model: 'tiny', replicate: false, set: {} },
  ...change,
});
const option = (name: string, change: Partial<OptionChoices>) => {
  const found = optionsOf(choices(change)).options.find((each) => each.name === name);
  return found && { value: found.value, origin: found.origin };
};
const configOf = (change: Partial<OptionChoices>) => algorithmOf(choices(change)).config;

describe('what makes an algorithm that algorithm', () => {
  const environments = [...distinctTraining(registeredIds()), PLAIN, GREEDY];
  it.each(algorithmNames())('%s keeps it in every environment and with every model', (algorithm) => {
    const own = presetOf(algorithm)().config;
    for (const env of environments) {
      for (const model of ['tiny', 'small', './a-folder']) {
        const { config } = algorithmOf(choices({ algorithm, env, model }));
        for (const { path, kind } of optionEntries(presetOf(algorithm).options)) {
          if (kind === 'algorithm') expect(valueAtPath(config, path)).toEqual(valueAtPath(own, path));
        }
      }
    }
  });

  it('`vlgym train dapo` trains with the upper clip of DAPO, 0.28, not 0.2', () => {
    expect(configOf({ algorithm: 'dapo' }).loss).toMatchObject({ clipLow: 0.2, clipHigh: 0.28 });
  });

  it('an ablation of clip 0.1 against 0.3 compares these two', () => {
    const set = { loss: { clipLow: 0.3, clipHigh: 0.3 } };
    expect(configOf({ algorithm: 'vl-dac' }).loss).toMatchObject({ clipLow: 0.1, clipHigh: 0.1 });
    expect(configOf({ algorithm: 'vl-dac', set }).loss).toMatchObject({ clipLow: 0.3, clipHigh: 0.3 });
  });

  it('is kept for an algorithm of the user as well, with options that only it has', () => {
    const mine = defineAlgorithm({
      name: 'mine',
      title: 'Mine',
      options: z.strictObject({
        ...commonOptions,
        loss: z.strictObject({ clipHigh: z.number().default(0.1) }).prefault({}),
      }),
      recommended: { loss: { clipHigh: 0.28 } },
      update: () => Promise.reject(new Error('never trained')),
    });
    registerAlgorithms({ mine });
    expect(configOf({ algorithm: 'mine', env: GREEDY }).loss).toEqual({ clipHigh: 0.28 });
  });

  it('of a model is not said to be left out where it applies', () => {
    expect(optionNotices(choices({ model: 'small' })).join()).not.toContain('of small');
  });

  it('of a declaration is left out, and that is said', () => {
    const [leftOut] = optionNotices(choices({ algorithm: 'dapo', env: GREEDY }));
    expect(leftOut).toBe(
      `dapo leaves out guidance of ${GREEDY} (it has no such option), advantage of ${GREEDY} (it has no such option), ` +
        `optimizer.epochs of ${GREEDY} (it belongs to the algorithm), loss.clipHigh of ${GREEDY} (it belongs to the algorithm)`,
    );
  });
});

describe('every value has an origin', () => {
  const set = { loss: { clipLow: 0.3 }, optimizer: { epochs: 3 } };
  const given: Given = { constrain: 'file', set: { loss: { clipLow: 'file' }, optimizer: { epochs: 'flag' } } };
  it.each<[name: string, change: Partial<OptionChoices>, value: unknown, origin: string]>([
    ['loss.clipHigh', {}, 0.28, 'algorithm'],
    ['optimizer.batch', {}, 64, 'model'],
    ['optimizer.batch', { env: GREEDY }, 32, 'environment'],
    ['optimizer.microBatchTokens', { model: 'small' }, 8192, 'model'],
    ['optimizer.batch', { model: './a-folder' }, 128, 'algorithm'],
    ['optimizer.learningRate.initial', {}, 2e-4, 'environment'],
    ['optimizer.learningRate.initial', { env: PLAIN }, 6e-5, 'model'],
    ['reward.scale', { env: GREEDY }, 5, 'environment'],
    ['rollout.maxNewTokens', { env: PLAIN }, 64, 'default'],
    ['advantage.gamma', { algorithm: 'vl-dac' }, 0.95, 'environment'],
    ['advantage.gamma', { algorithm: 'vl-dac', env: PLAIN }, 0.995, 'algorithm'],
    ['advantage.gamma', { algorithm: 'vl-dac', replicate: true }, 0.9, 'published'],
    ['rollout.temperature', { algorithm: 'rl4vlm', replicate: true }, 0.2, 'published'],
    ['rollout.maxNewTokens', { algorithm: 'vl-dac', replicate: true }, 24, 'environment'],
    ['loss.clipLow', { set, given }, 0.3, 'file'],
    ['optimizer.epochs', { set, given }, 3, 'flag'],
    ['optimizer.epochs', { set }, 3, 'flag'],
    ['rollout.constrain', { set, given, constrain: 'json' }, 'json', 'file'],
    ['rollout.constrain', {}, undefined, 'algorithm'],
    ['rollout.earlyTruncation', { env: 'vlgym/EZPoints-v1' }, { rewards: [-1] }, 'environment'],
    ['rollout.earlyTruncation', {}, null, 'algorithm'],
  ])('%s with %j: %j of %s', (name, change, value, origin) => {
    expect(option(name, change)).toEqual({ value, origin });
  });

  it('of a control too', () => {
    const permute = { guidance: { permute: true } };
    const placebo = { algorithm: 'gtr-turbo-kl', set: permute, given: { set: givenBy('control', permute) } };
    expect(option('guidance.permute', placebo)).toEqual({ value: true, origin: 'control' });
  });
});

describe('the line at the start of a run', () => {
  it('names what is not the algorithm’s own, with that and with who set it', () => {
    expect(optionNotices(choices({ algorithm: 'vl-dac', env: PLAIN, set: { optimizer: { epochs: 1 } } }))).toEqual([
      'vl-dac, but for rollout.temperature 0.5 instead of 1 (model), rollout.maxNewTokens 64 instead of 256 (default), ' +
        'optimizer.epochs 1 instead of 2 (flag), optimizer.batch 64 instead of 16 (model), ' +
        'optimizer.learningRate.initial 0.00006 instead of 0.00001 (model), ' +
        'optimizer.learningRate.final 0.00002 instead of 1e-7 (model), ' +
        'optimizer.learningRate.period 10 instead of 100 (model), loss.temperature 0.5 instead of 1 (model)',
    ]);
  });

  it('says of a replication what differs from the published code', () => {
    const [line] = optionNotices(choices({ algorithm: 'vl-dac', replicate: true }));
    expect(line).toMatch(
      /^vl-dac as its published code, but for rollout\.maxNewTokens 24 instead of 1024 \(environment\)/,
    );
    expect(line).not.toMatch(/clip|temperature|epochs|reward/);
  });

  it('is left out for a control without an algorithm', () => {
    expect(optionNotices({ ...choices({ algorithm: 'imitation' }), control: 'imitation' })).toEqual([]);
  });
});
