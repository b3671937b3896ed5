/**
 * The training loop with a real policy: ratios of one, frozen weights, equal logs, failures as data
 * (`docs/specs/algorithms.md` 15.1, 15.7, 15.14, 15.16).
 */
import { presets as baselines, ppoToken, rl4vlm, rl4vlmStabilized, vagen } from '@vlgym/baselines';
import type { AnyEnv } from '@vlgym/core';
import { checkTrajectory, type Trajectory } from '@vlgym/core/trajectory';
import { gtrTurboKl, gtrTurboSft, mergeable } from '@vlgym/gtr-turbo';
import type { VlmPolicy } from '@vlgym/models';
import {
  type Alarm,
  type AlgorithmOverrides,
  type Policy,
  type Preset,
  type TrainOptions,
  train,
  type UpdateRecord,
} from '@vlgym/rl';
import { vlDac } from '@vlgym/vl-dac';
import { describe, expect, it, vi } from 'vitest';
import { BanditEnv, CorridorEnv, colorPicture, smallPolicy, teachLetters } from './algos-tasks.js';

vi.setConfig({ testTimeout: 300_000 });

const presets: readonly [string, Preset][] = [
  ['rl4vlm', rl4vlm],
  ['rl4vlm-stabilized', rl4vlmStabilized],
  ['vl-dac', vlDac],
  ['ppo-token', ppoToken],
  ['vagen', vagen],
  ['gtr-turbo-kl', gtrTurboKl],
  ['gtr-turbo-sft', (overrides) => gtrTurboSft({ ...overrides, guidance: { teacherTries: 2 } })],
];

const QUICK: AlgorithmOverrides = {
  rollout: { maxNewTokens: 4 },
  value: { warmupUpdates: 0 },
  optimizer: { epochs: 2, batch: 8, microBatch: 3, learningRate: { initial: 1e-3, final: 1e-3 } },
};

/** A few updates in a corridor with pictures. */
async function run(preset: Preset, options: Partial<TrainOptions> & { overrides?: AlgorithmOverrides } = {}) {
  const { overrides = {}, policy = await smallPolicy({ seed: 1 }), ...others } = options;
  const records: UpdateRecord[] = [];
  const alarms: Alarm[] = [];
  const report = await train({
    policy,
    algorithm: preset({ ...QUICK, ...overrides }),
    makeEnv: () => new CorridorEnv({ picture: colorPicture }),
    updates: 2,
    stepsPerUpdate: 16,
    numEnvs: 4,
    seed: 1,
    onMetrics: (record) => records.push(record),
    onAlarm: (alarm) => alarms.push(alarm),
    ...others,
  });
  return { records, alarms, report, policy };
}

/** A policy that answers in two letters. */
async function speaker() {
  const policy = await smallPolicy({ seed: 1 });
  const env = new CorridorEnv({ picture: colorPicture });
  await teachLetters(policy, { env, contexts: 5, actions: 2, right: () => 1, hint: 0, steps: 40 });
  return policy;
}

const withoutTimes = (records: readonly UpdateRecord[]) =>
  records.map(({ metrics, ...record }) => ({
    ...record,
    metrics: Object.fromEntries(Object.entries(metrics).filter(([name]) => !name.startsWith('time/'))),
  }));

it.each([
  ['float32', 1e-3],
  ['bfloat16', 2e-2],
] as const)('ratios of a policy in %s are held against the rounding of its dtype', async (dtype, tolerance) => {
  const { records, policy } = await run(vlDac, { policy: await smallPolicy({ seed: 1, dtype }), updates: 1 });
  expect(records[0]!.metrics['ratio/tolerance']).toBe(tolerance);
  expect(records[0]!.metrics['kl/reference-limit']).toBe(1); // VL-DAC asks for a KL to the reference
  policy.close();
});

it('says where the time of an update goes', async () => {
  const { records, policy } = await run(vlDac, { updates: 1 });
  const { metrics } = records[0]!;
  const parts = ['sample', 'score', 'optimize', 'diagnostics'].map((part) => metrics[`time/${part}`]!);
  for (const seconds of parts) expect(seconds).toBeGreaterThan(0);
  expect(parts.reduce((sum, seconds) => sum + seconds)).toBeLessThanOrEqual(metrics['time/update']!);
  policy.close();
});

describe.each(presets)('%s', (_, preset) => {
  it('starts every update with ratios of one: pictures, changing prompts, padding, several environments', async () => {
    const { records, alarms, policy } = await run(preset);
    for (const { metrics } of records) expect(metrics['ratio/first-pass-deviation']).toBeLessThan(1e-5);
    expect(alarms.map(({ code }) => code)).not.toContain('RATIO_NOT_ONE');
    expect(policy.version).toBe(2 * 2 * 2); // updates, epochs, optimizer steps per epoch
    policy.close();
  });

  it('writes the same log for the same seed, and another for another', async () => {
    const logs = [];
    for (const seed of [1, 1, 2]) {
      const { records, policy } = await run(preset, { seed });
      logs.push(withoutTimes(records));
      policy.close();
    }
    expect(logs[0]).toEqual(logs[1]);
    expect(logs[0]).not.toEqual(logs[2]);
  });

  it('trains only the critic during the warm-up: every other weight stays as it was, bit for bit', async () => {
    const policy = await smallPolicy({ seed: 1 });
    const before = weightsOf(policy);
    const question = policy.encode([{ role: 'user', content: 'A' }]);
    const valueNow = async () => (await policy.score([{ input: question, responseIds: Int32Array.of(65) }])).values[0];
    const value = await valueNow();
    await run(preset, {
      policy,
      updates: 1,
      overrides: { value: { warmupUpdates: 1, stopGradient: false, epochs: null } },
    });
    expect(weightsOf(policy)).toEqual(before);
    expect(await valueNow()).not.toBe(value);
    await run(preset, { policy, updates: 1 });
    expect(weightsOf(policy)).not.toEqual(before);
    policy.close();
  });
});

it('GTR-Turbo refuses a policy that cannot merge its checkpoints before it plays', async () => {
  const policy = await smallPolicy({ seed: 1 });
  const other = Object.assign(Object.create(policy), { delta: undefined });
  expect(() => mergeable(other)).toThrow(expect.objectContaining({ code: 'POLICY_NOT_MERGEABLE', value: ['delta'] }));
  expect(mergeable(policy)).toBe(policy);
  policy.close();
});

it.each([['full' as const], [{ lora: { r: 4, alpha: 8 } }]])(
  'the exact KL to the old policy is trained on: 0 with the weights of the rollout, more after a step (%o)',
  async (train) => {
    const regularizer = { kl: 'exact', klTo: 'old', klCoefficient: 1 } as const;
    const klAfter = async (epochs: number, batch: number) => {
      const policy = await smallPolicy({ seed: 1, train });
      const optimizer = { ...(QUICK.optimizer as object), epochs, batch };
      const { records } = await run(vlDac, { policy, updates: 1, overrides: { regularizer, optimizer } });
      policy.close();
      return records[0]!.metrics['loss/kl']!;
    };
    expect(await klAfter(1, 16)).toBeCloseTo(0, 6);
    expect(await klAfter(2, 4)).toBeGreaterThan(1e-5);
  },
);

it('entropy enters the loss only where its coefficient is not zero', async () => {
  for (const entropyCoefficient of [0, 0.01]) {
    const { records, policy } = await run(vlDac, { updates: 1, overrides: { regularizer: { entropyCoefficient } } });
    expect(records[0]!.metrics['entropy/response']).toBeGreaterThan(0);
    expect(records[0]!.metrics['loss/entropy'] !== undefined).toBe(entropyCoefficient > 0);
    policy.close();
  }
});

/** Tested in `algos-presets.long.test.ts`: some of them need more of a task. */
const ELSEWHERE = [
  ...['vineppo', 'archer', 'spear', 'igpo', 'arpo', 'simple-tir', 'scaling-inter', 'prefix-rft', 'early-experience'],
];
const withoutCritic = Object.entries(baselines).filter(
  ([name, preset]) => !('value' in preset().config) && !ELSEWHERE.includes(name),
);

it.each(withoutCritic)('%s, which has no critic, starts every update with ratios of one', async (_, preset) => {
  const { value: _critic, ...overrides } = QUICK;
  const { records, policy } = await run((options) => preset({ ...options, ...overrides, value: undefined } as never), {
    numEnvs: 8,
  });
  for (const { metrics } of records) expect(metrics['ratio/first-pass-deviation']).toBeLessThan(1e-5);
  policy.close();
});

function weightsOf(policy: Pick<VlmPolicy, 'adapterState'>): Record<string, unknown> {
  const state = policy.adapterState();
  const data = Object.fromEntries([...state].map(([name, tensor]) => [name, tensor.toArray()]));
  for (const tensor of state.values()) tensor.dispose();
  return data;
}

it('a value loss with the gradient stopped leaves every gradient of the backbone exactly zero', async () => {
  const policy = await smallPolicy({ seed: 1 });
  const before = weightsOf(policy);
  const input = policy.encode([{ role: 'user', content: 'A' }]);
  const sequences = [{ input, responseIds: Int32Array.of(65, 66) }];
  const loss = ({ values }: { values: { sub(x: number): { abs(): { sum(): never } } } }) => values.sub(3).abs().sum();
  await policy.accumulate(sequences, loss as never, { stopGradient: true });
  await policy.step({ learningRate: 1, maxGradNorm: 1 });
  expect(weightsOf(policy)).toEqual(before);
  await policy.accumulate(sequences, loss as never, { stopGradient: false });
  await policy.step({ learningRate: 1e-3, maxGradNorm: 1 });
  expect(weightsOf(policy)).not.toEqual(before);
  policy.close();
});

describe('failures become data', () => {
  /** Fails at its third step, in every episode. */
  class BrokenEnv extends CorridorEnv {
    override step(action: number) {
      if (this.steps === 2) throw new Error('the lift is stuck');
      return super.step(action);
    }
  }

  it('an environment that throws ends its episode; its siblings and the training go on', async () => {
    const trajectories: Trajectory[] = [];
    const { records, policy } = await run(vlDac, {
      makeEnv: (index): AnyEnv => (index === 0 ? new BrokenEnv() : new CorridorEnv()),
      onTrajectory: (trajectory) => trajectories.push(trajectory),
    });
    expect(records.map(({ metrics }) => metrics['response/environment-errors'])).toEqual([
      expect.closeTo(1 / 16),
      expect.closeTo(1 / 16),
    ]);
    expect(records[0]!.metrics['end/environment-error']).toBeGreaterThan(0);
    const failed = trajectories.find(({ outcome }) => outcome.endedBy === 'error')!;
    expect(failed.steps.at(-1)?.error).toMatchObject({ boundary: 'environment', message: 'the lift is stuck' });
    for (const trajectory of trajectories) expect((await checkTrajectory(trajectory)).problems).toEqual([]);
    policy.close();
  });

  it('an environment that cannot be reset at all is an error that names it', async () => {
    class DeadEnv extends CorridorEnv {
      override reset(): never {
        throw new Error('no such room');
      }
    }
    const failing = run(vlDac, { makeEnv: () => new DeadEnv() });
    await expect(failing).rejects.toMatchObject({
      code: 'ENVIRONMENT_FAILED',
      index: 0,
      cause: { message: 'no such room' },
    });
  });

  it('an environment without words is refused at once', async () => {
    class SilentEnv extends CorridorEnv {
      override readonly dialogue = undefined as never;
    }
    await expect(run(vlDac, { makeEnv: () => new SilentEnv() })).rejects.toMatchObject({ code: 'NO_DIALOGUE' });
  });

  it.each([
    ['throws', () => Promise.reject(new Error('timeout'))],
    ['cannot be parsed', async (inputs: readonly unknown[]) => inputs.map(() => answer('?'))],
    [
      'is cut by length',
      async (inputs: readonly unknown[]) => inputs.map(() => ({ ...answer('AB'), finishReason: 'length' })),
    ],
  ])('a teacher that %s is asked again a few times, then gives no label and no penalty', async (_, reply) => {
    const policy = await speaker();
    let asked = 0;
    const broken = new Proxy(policy, {
      get(target, key) {
        if (key !== 'sample') {
          const value = Reflect.get(target, key, target);
          return typeof value === 'function' ? value.bind(target) : value;
        }
        return (...[inputs, options]: Parameters<Policy['sample']>) => {
          if (options.weights !== 'teacher') return target.sample(inputs, options);
          asked += 1;
          return reply(inputs);
        };
      },
    });
    const { records, report } = await run(gtrTurboSft, {
      policy: broken,
      overrides: { guidance: { teacherTries: 2 } },
    });
    expect(records[0]!.metrics['response/format-valid']).toBeGreaterThan(0.5);
    expect(report).toMatchObject({ updates: 2, stopped: false });
    expect(asked).toBe(2 * 2); // tries per update, updates
    for (const { metrics } of records) {
      expect(metrics).toMatchObject({ 'teacher/labeled-share': 0, 'teacher/dagger-size': 0 });
      expect(metrics['loss/sft']).toBeUndefined();
    }
    // the same run without any teacher: nobody was punished
    const { records: alone } = await run(rl4vlmStabilized, { policy: await speaker() });
    expect(records[0]!.metrics['advantage/mean']).toBe(alone[0]!.metrics['advantage/mean']);
    policy.close();
  });
});

/** A completion with this text. */
const answer = (text: string) => ({
  text,
  tokenIds: Int32Array.of(1),
  logProbs: new Float32Array(1),
  behaviorLogProbs: new Float32Array(1),
  tokenEnds: Int32Array.of(text.length),
  finishReason: 'stop',
  promptTokenIds: Int32Array.of(1),
  value: 0,
});

it('a loss that is not finite is skipped and counted, and too many stop the run', async () => {
  const nan = { advantage: { normalize: 'none' as const }, reward: { formatValid: Number.NaN } };
  await expect(run(vlDac, { overrides: nan })).rejects.toMatchObject({ code: 'INVALID_CONFIG' });

  const huge = {
    advantage: { normalize: 'none' as const },
    reward: { formatValid: 1e300, formatInvalid: 1e300, formatEntry: 'advantage' as const },
  };
  const few = await run(vlDac, { overrides: huge, updates: 1 });
  expect(few.records[0]!.metrics['optimizer/skipped-sequences']).toBe(2 * 16);
  const many = run(vlDac, { overrides: huge, updates: 1, stepsPerUpdate: 64 });
  await expect(many).rejects.toMatchObject({ code: 'NON_FINITE_LOSS' });
});

describe.each([[Number.NaN], [Number.NEGATIVE_INFINITY], [1e308], ['1'], [undefined]])('a reward of %s', (reward) => {
  class BadRewardEnv extends BanditEnv {
    override step(action: number) {
      return { ...super.step(action), reward: reward as number };
    }
  }

  it('fails its step, is counted, rings an alarm, and leaves the other episodes their learning', async () => {
    const trajectories: Trajectory[] = [];
    const { records, alarms, policy } = await run(vlDac, {
      makeEnv: (index) => (index === 0 ? new BadRewardEnv() : new BanditEnv()),
      onTrajectory: (trajectory) => trajectories.push(trajectory),
    });
    for (const { metrics } of records) {
      expect(metrics).toMatchObject({
        'rollout/invalid-rewards': 0.25,
        'response/environment-errors': 0.25,
        'end/environment-error': 0.25,
        'rollout/reward-mean': expect.any(Number),
        'train/return': expect.any(Number),
      });
      expect(metrics['optimizer/skipped-sequences'] ?? 0).toBe(0);
    }
    expect(alarms).toContainEqual(expect.objectContaining({ code: 'REWARDS_INVALID', update: 1, value: 0.25 }));
    const failed = trajectories.filter(({ outcome }) => outcome.endedBy === 'error');
    expect(failed).toHaveLength(8);
    expect(failed[0]!.steps.at(-1)?.error).toMatchObject({ boundary: 'environment', code: 'INVALID_REWARD' });
    policy.close();
  });

  it('in every step stops the run instead of training on nothing', async () => {
    const failing = run(vlDac, { makeEnv: () => new BadRewardEnv(), updates: 1 });
    await expect(failing).rejects.toMatchObject({
      code: 'NO_VALID_REWARD',
      steps: 16,
      cause: { code: 'INVALID_REWARD' },
    });
  });
});

it('stops at once when asked to, and says so', async () => {
  const controller = new AbortController();
  const { report } = await run(vlDac, { updates: 50, signal: controller.signal, onMetrics: () => controller.abort() });
  expect(report).toMatchObject({ updates: 1, environmentSteps: 16, stopped: true });
});

it.each([
  ['updates', { updates: 0 }],
  ['stepsPerUpdate', { stepsPerUpdate: 15 }],
  ['numEnvs', { numEnvs: 0 }],
  ['seed', { seed: -1 }],
])('refuses a wrong %s', async (_, options) => {
  await expect(run(vlDac, options)).rejects.toMatchObject({ code: 'INVALID_OPTION' });
});
