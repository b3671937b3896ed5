/** Training data of a supervised warm start: a teacher, its mistakes, and the batches drawn from its demonstrations. */
import { type AnyEnv, Generator, make } from '@vlgym/core';
import { setNumThreads } from '@vlgym/gpu';
import { createPolicy } from '@vlgym/models';
import '@vlgym/points24';
import { evaluationSettings, type WarmStartPolicy } from '@vlgym/rl';
import { rolloutOptions } from '@vlgym/rl/config';
import { type Demonstration, DemonstrationPool, demonstrations, supervisedWarmStart } from '@vlgym/rl/warm-start';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

setNumThreads(1);

const OPTIONS = { options: { size: { height: 84, width: 112 }, dialogue: 'compact-v1' } } as const;
const EZ_POINTS_ENTRIES = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '+', '*', '='];

let policy: WarmStartPolicy;
let env: AnyEnv;
beforeAll(async () => {
  policy = await createPolicy({ preset: 'tiny', seed: 0 });
  env = (await make('vlgym/EZPoints-v1', OPTIONS)) as AnyEnv;
});
afterAll(async () => {
  policy.close();
  await env.close();
});

interface Shown {
  readonly cards: readonly number[];
  readonly formula: string;
  readonly thoughts: string;
  readonly action: string;
}

async function shown(count: number, options: { mistakes: number; exploration?: number; seed?: number }) {
  const steps: (Demonstration & Shown)[] = [];
  for await (const step of demonstrations({ policy, env, seed: 1, exploration: 0, ...options })) {
    if (steps.push({ ...step, ...(JSON.parse(step.text) as Shown) }) === count) break;
  }
  return steps;
}

describe('demonstrations', () => {
  it('of a teacher without mistakes solve every hand', async () => {
    const steps = await shown(100, { mistakes: 0 });
    expect(steps.every(({ thoughts }) => /^\d+[+*]\d+=12$/.test(thoughts))).toBe(true);
    expect(new Set(steps.map(({ stepIndex }) => stepIndex))).toEqual(new Set([0, 1, 2, 3]));
  });

  it('of a teacher who only errs are uniform over what is allowed', async () => {
    const first = (await shown(600, { mistakes: 1 })).filter(({ stepIndex }) => stepIndex === 0);
    expect(first.every(({ cards, action }) => cards.includes(Number(action)) || '+*='.includes(action))).toBe(true);
    const share = first.filter(({ action }) => action === '=').length / first.length;
    expect(share).toBeGreaterThan(0.1); // one of four or five actions
    expect(share).toBeLessThan(0.4);
  });

  it('err in the given share of steps', async () => {
    // at the start any of the two numbers, both signs and `=` are allowed; the expert never opens with the last three
    const first = (await shown(2000, { mistakes: 0.5 })).filter(({ stepIndex }) => stepIndex === 0);
    const wrong = first.filter(({ action }) => '+*='.includes(action)).length / first.length;
    expect(wrong).toBeGreaterThan(0.2); // 0.5 · 3/5, or 0.5 · 3/4 where both cards are equal
    expect(wrong).toBeLessThan(0.4);
  });

  it('explore without a label for where they go', async () => {
    const steps = await shown(200, { mistakes: 0, exploration: 0.5 });
    const openings = steps.filter(({ stepIndex }) => stepIndex === 0);
    expect(openings.every(({ action }) => EZ_POINTS_ENTRIES.slice(0, 10).includes(action))).toBe(true);
    expect(steps.some(({ formula, stepIndex }) => stepIndex === 1 && !/^\d+$/.test(formula))).toBe(true);
  });

  it('are the same from the same seed, and others from another', async () => {
    const texts = async (seed: number) => (await shown(40, { mistakes: 0.5, seed })).map(({ text }) => text);
    expect(await texts(3)).toEqual(await texts(3));
    expect(await texts(3)).not.toEqual(await texts(4));
  });
});

describe('a pool of demonstrations', () => {
  const at = (stepIndex: number, id: number): Demonstration => ({
    episode: 0,
    stepIndex,
    text: '',
    sample: { input: id as never, responseIds: new Int32Array(0), labelMask: new Uint8Array(0) },
  });
  const ids = (samples: readonly { input: unknown }[]) => samples.map(({ input }) => input as number);

  it('draws every position equally often, or every step', () => {
    const pool = new DemonstrationPool();
    pool.add(at(0, 100));
    for (let id = 0; id < 9; id++) pool.add(at(1, id));
    const share = (drawn: number[]) => drawn.filter((id) => id === 100).length / drawn.length;
    expect(share(ids(pool.drawBalanced(1000, new Generator(1))))).toBe(0.5);
    expect(share(ids(pool.drawUniform(1000, new Generator(1))))).toBeCloseTo(0.1, 1);
  });

  it('keeps the newest of every position', () => {
    const pool = new DemonstrationPool(2);
    for (let id = 0; id < 5; id++) pool.add(at(0, id));
    expect(new Set(ids(pool.drawUniform(100, new Generator(1))))).toEqual(new Set([3, 4]));
  });
});

it('a warm start learns from the episodes it was given and no more', async () => {
  let resets = 0;
  const { loss, examples } = await supervisedWarmStart({
    policy,
    makeEnv: async () => {
      const counted = (await make('vlgym/EZPoints-v1', OPTIONS)) as AnyEnv;
      const reset = counted.reset.bind(counted);
      counted.reset = (options) => {
        resets += 1;
        return reset(options);
      };
      return counted;
    },
    episodes: 4,
    balance: 'none',
    examples: 32 * 12,
    learningRate: 2e-3,
    until: null,
    seed: 1,
  });
  expect(resets).toBe(5); // the fifth shows that the fourth is over
  expect(examples).toBe(384);
  expect(loss).toBeLessThan(6); // from ln 1024 = 6.9
});

it('a warm start of 40 examples learns from 40, in passes of bounded tokens', async () => {
  const passes: { rows: number; tokens: number }[] = [];
  const watched = new Proxy(policy, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      if (name !== 'accumulate') return value.bind(target);
      return (...given: Parameters<typeof policy.accumulate>) => {
        const [sequences] = given;
        const widest = (lengthOf: (sequence: (typeof sequences)[number]) => number) =>
          Math.max(...sequences.map(lengthOf));
        const width = widest(({ input }) => input.promptIds.length) + widest(({ responseIds }) => responseIds.length);
        passes.push({ rows: sequences.length, tokens: sequences.length * width });
        return target.accumulate(...given);
      };
    },
  });
  const { examples } = await supervisedWarmStart({
    policy: watched,
    makeEnv: () => make('vlgym/EZPoints-v1', OPTIONS) as Promise<AnyEnv>,
    examples: 40,
    microBatch: 32,
    batchTokens: 1000,
    until: null,
    seed: 1,
  });
  expect(examples).toBe(40);
  expect(passes.reduce((sum, { rows }) => sum + rows, 0)).toBe(40);
  expect(passes.length).toBeGreaterThan(2);
  for (const { rows, tokens } of passes) expect(rows === 1 || tokens <= 1000).toBe(true);
});

it('is judged by the settings of the training that follows', async () => {
  const own = await createPolicy({ preset: 'tiny', seed: 0 });
  const generate = vi.spyOn(own, 'generate');
  const rollout = rolloutOptions.parse({ maxNewTokens: 5, repetitionPenalty: 1.3, constrain: 'json' });
  await supervisedWarmStart({
    policy: own,
    makeEnv: async () => (await make('vlgym/EZPoints-v1', OPTIONS)) as AnyEnv,
    examples: 4,
    batch: 4,
    seed: 0,
    until: { seeds: [0], maxSteps: 1, settings: evaluationSettings({ rollout }) },
  });
  const [, options] = generate.mock.calls[0]!;
  expect(options).toMatchObject({ temperature: 0, maxNewTokens: 5, repetitionPenalty: 1.3 });
  expect(options.constraints).toBeDefined();
  own.close();
});
