/**
 * Presets that take part in episodes, keep a replay buffer or have a teacher: each learns the bandit or the corridor for
 * every seed by the end of a fixed budget, starts every update with ratios of one, and logs the same for the same
 * seed (`docs/specs/algorithms.md` 15.1, 15.13, 15.14).
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  archer,
  arpo,
  earlyExperience,
  igpo,
  prefixRft,
  scalingInter,
  simpleTir,
  spear,
  vinePpo,
} from '@vlgym/baselines';
import type { ResetOptions } from '@vlgym/core';
import { type Corrector, expertCorrector, gtrWith } from '@vlgym/gtr-turbo';
import { type AlgorithmOverrides, type Preset, train, type UpdateRecord } from '@vlgym/rl';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { BanditEnv, CorridorEnv, colorPicture, smallPolicy, teachLetters } from './algos-tasks.js';
import { learningSeeds } from './support/learning-seeds.js';

vi.setConfig({ testTimeout: 300_000 });

/** Updates at the end that say whether a run solved its task. */
const LAST = 3;

interface Task {
  readonly makeEnv: () => BanditEnv | CorridorEnv;
  readonly contexts: number;
  readonly actions: number;
  readonly right: (context: number) => number;
  /** Share of right answers among those that the policy was taught. */
  readonly hint: number;
  readonly environments: number;
  /** Mean reward per environment step of a policy that has hardly learned, and of one that has. */
  readonly start: number;
  readonly solved: number;
}

const tasks = {
  bandit: {
    makeEnv: () => new BanditEnv(),
    contexts: 4,
    actions: 4,
    right: (context) => context,
    hint: 0.5,
    environments: 64,
    start: 0.75,
    solved: 0.9,
  },
  corridor: {
    makeEnv: () => new CorridorEnv(),
    contexts: 5,
    actions: 2,
    right: () => 1,
    hint: 0,
    environments: 32,
    start: 0.15,
    solved: 1 / 5,
  },
} satisfies Record<string, Task>;

interface Course {
  readonly name: string;
  readonly preset: Preset;
  readonly task: keyof typeof tasks;
  readonly updates: number;
  readonly stepsPerUpdate: number;
  readonly environments?: number;
  readonly decorate?: <E extends BanditEnv | CorridorEnv>(env: E) => E;
  /** Default: that of the task. */
  readonly solved?: number;
  /** Default true. */
  readonly hasRatios?: boolean;
  readonly overrides?: AlgorithmOverrides;
}

/** The expert, in a word that the policy was taught: a new one would first unlearn the actions that follow the old ones. */
const familiarCorrector: Corrector = async (turn, signal) => {
  const verdict = await expertCorrector(turn, signal);
  return verdict.verdict === 'wrong' ? { ...verdict, correction: verdict.correction.replace('x', 'A') } : verdict;
};

/** Names the right answer, as questions do and games do not. */
function withGoldAnswer<E extends BanditEnv | CorridorEnv>(env: E): E {
  const named = <R extends { readonly info: object }>(result: R) => {
    const action = env.oracle();
    return { ...result, info: { ...result.info, goldAnswer: env.dialogue.demonstrate!(undefined as never, action) } };
  };
  const [reset, step] = [env.reset.bind(env), env.step.bind(env)];
  return Object.assign(env, {
    reset: (options?: ResetOptions) => named(reset(options)),
    step: (action: number) => named(step(action)),
  });
}

/** A group compares returns without a discount: only a limit makes haste better. */
const SHORT = { rollout: { maxNewTokens: 3, earlyTruncation: { moreThanActions: 5 } } };

const EPISODES = { group: { size: 8 } };

const courses: readonly Course[] = [
  {
    name: 'vineppo',
    preset: vinePpo,
    task: 'corridor',
    updates: 9,
    stepsPerUpdate: 32,
    environments: 4,
    overrides: { advantage: { forks: 3, gamma: 0.9 } },
  },
  {
    name: 'gtr',
    preset: gtrWith(familiarCorrector),
    task: 'bandit',
    updates: 18,
    stepsPerUpdate: 128,
    overrides: { value: { warmupUpdates: 1 }, guidance: { sftCoefficient: 0.1 } },
  },
  {
    name: 'archer',
    preset: archer,
    task: 'bandit',
    // its critic has to learn first, and learns from few steps here
    solved: 0.8,
    updates: 16,
    stepsPerUpdate: 128,
    overrides: {
      replay: { states: 128 },
      critic: { width: 16, learningRate: 4e-3, steps: 200, batch: 16, warmupUpdates: 1 },
      optimizer: { epochs: 1, batch: 64, microBatch: 64, learningRate: { initial: 4e-3, final: 1.5e-3, period: 18 } },
    },
  },
  {
    name: 'spear',
    preset: spear,
    task: 'bandit',
    updates: 14,
    stepsPerUpdate: 128,
    overrides: { ...EPISODES, replay: { rise: 6, coefficient: 0.5 }, exploration: { decay: 6 } },
  },
  {
    name: 'igpo',
    preset: igpo,
    task: 'bandit',
    updates: 14,
    stepsPerUpdate: 128,
    decorate: withGoldAnswer,
    overrides: EPISODES,
  },
  {
    name: 'arpo',
    preset: arpo,
    task: 'corridor',
    // a reward of 1 in less than six steps
    solved: 1 / 6,
    updates: 16,
    stepsPerUpdate: 96,
    environments: 16,
    overrides: {
      ...SHORT,
      ...EPISODES,
      branching: { budget: 4 },
      optimizer: { epochs: 2, batch: 128, microBatch: 128, learningRate: { initial: 4e-3, final: 1e-3, period: 16 } },
    },
  },
  {
    name: 'simple-tir',
    preset: simpleTir,
    task: 'bandit',
    updates: 14,
    stepsPerUpdate: 128,
    overrides: EPISODES,
  },
  {
    name: 'scaling-inter',
    preset: scalingInter,
    task: 'corridor',
    // a reward of 1 in less than six steps
    solved: 1 / 6,
    updates: 14,
    stepsPerUpdate: 96,
    environments: 16,
    overrides: { ...EPISODES, horizon: { turns: [5, 6], every: 4 } },
  },
  {
    name: 'prefix-rft',
    preset: prefixRft,
    task: 'corridor',
    // a reward of 1 in less than six steps
    solved: 1 / 6,
    updates: 12,
    stepsPerUpdate: 96,
    environments: 16,
    overrides: { ...SHORT, ...EPISODES, prefix: { period: 8, groups: 0.5, final: 0 } },
  },
  {
    name: 'early-experience',
    preset: earlyExperience,
    task: 'bandit',
    updates: 14,
    stepsPerUpdate: 128,
    hasRatios: false,
    overrides: { world: { updates: 1 } },
  },
];

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vlgym-presets-'));
  for (const [name, task] of Object.entries(tasks)) {
    const policy = await smallPolicy({ seed: 0 });
    await teachLetters(policy, { ...task, env: task.makeEnv(), steps: 100 });
    await policy.save(join(folder, name));
    policy.close();
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe.each(courses.map((course, turn) => ({ ...course, turn })))('$name', (course) => {
  const { preset, task: name, updates, stepsPerUpdate, overrides, environments, hasRatios = true } = course;
  const { decorate = (env) => env } = course;
  const task: Task = tasks[name];
  const { solved = task.solved } = course;

  const seeds = learningSeeds(course.turn);

  it(`solves the ${name} with seeds ${seeds} at the end of its budget`, async () => {
    for (const seed of seeds) {
      const policy = await smallPolicy({ seed });
      await policy.load(join(folder, name));
      const rewards: number[] = [];
      await train({
        policy,
        algorithm: preset({
          rollout: { maxNewTokens: 3 },
          optimizer: {
            epochs: 4,
            batch: 128,
            microBatch: 128,
            learningRate: { initial: 4e-3, final: 1.5e-3, period: updates },
          },
          ...overrides,
        }),
        makeEnv: () => decorate(task.makeEnv()),
        updates,
        stepsPerUpdate,
        numEnvs: environments ?? task.environments,
        seed,
        onMetrics: ({ metrics }) => rewards.push(metrics['rollout/reward-mean']!),
      });
      policy.close();
      const last = rewards.slice(-LAST).toSorted((a, b) => a - b);
      expect(rewards[0], `seed ${seed} at the start`).toBeLessThan(task.start);
      expect(last[Math.floor(LAST / 2)], `seed ${seed} at the end`).toBeGreaterThan(solved);
    }
  });

  it('starts every update with ratios of one, with pictures, and continues bit for bit after a resume', async () => {
    const run = async (updates: number, place: string) => {
      const policy = await smallPolicy({ seed: 1 });
      const records: UpdateRecord[] = [];
      await train({
        policy,
        algorithm: preset({
          rollout: { maxNewTokens: 4 },
          ...overrides,
          optimizer: { epochs: 2, batch: 8, microBatch: 3, learningRate: { initial: 1e-3, final: 1e-3 } },
        }),
        makeEnv: () => decorate(new CorridorEnv({ picture: colorPicture })),
        updates,
        stepsPerUpdate: 16,
        numEnvs: Math.min(8, environments ?? 8),
        seed: 1,
        folder: join(folder, place),
        resume: true,
        onMetrics: (record) => records.push(record),
      });
      const weights = Object.fromEntries([...policy.adapterState()].map(([each, tensor]) => [each, tensor.toArray()]));
      policy.close();
      const log = records.map(({ metrics }) => Object.entries(metrics).filter(([each]) => !each.startsWith('time/')));
      return { records, last: log.at(-1), weights };
    };
    const whole = await run(3, 'whole');
    const deviations = whole.records.flatMap(({ metrics }) => metrics['ratio/first-pass-deviation'] ?? []);
    expect(deviations.length > 0).toBe(hasRatios);
    for (const deviation of deviations) expect(deviation).toBeLessThan(1e-5);
    await run(2, 'broken');
    const { last, weights } = await run(3, 'broken');
    expect(last).toEqual(whole.last);
    expect(weights).toEqual(whole.weights);
    await rm(join(folder, 'whole'), { recursive: true });
    await rm(join(folder, 'broken'), { recursive: true });
  });
});
