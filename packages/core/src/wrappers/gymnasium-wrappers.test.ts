/** actionRepeat, stickyAction, normalize…, rescale…, flattenObservation: Gymnasium's semantics. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BaseEnv, type EnvSnapshot, spaces } from '../index.js';
import { ScriptedEnv } from '../testing/scripted-env.js';
import { builtInWrappers } from './built-in.js';
import {
  actionRepeat,
  flattenObservation,
  normalizeObservation,
  normalizeReward,
  rescaleAction,
  rescaleObservation,
  stickyAction,
} from './index.js';

/** Observes the sum of its actions and the number of steps; pays the action; ends after ten steps. */
class Sums extends BaseEnv<Float32Array, Float32Array, Record<string, unknown>> {
  readonly observationSpace = spaces.box({ low: [-100, 0], high: [100, 10] });
  readonly actionSpace = spaces.box({ low: [-10], high: [30] });
  readonly executed: number[] = [];
  sum = 0;
  steps = 0;

  reset() {
    [this.sum, this.steps] = [0, 0];
    return { observation: Float32Array.of(0, 0), info: {} };
  }

  step(action: Float32Array) {
    this.executed.push(action[0]!);
    this.sum += action[0]!;
    this.steps += 1;
    const terminated = this.steps === 10;
    return {
      observation: Float32Array.of(this.sum, this.steps),
      reward: action[0]!,
      terminated,
      truncated: false,
      info: {},
    };
  }

  snapshot(): EnvSnapshot {
    return { kind: 'sums/1', state: [this.sum, this.steps] };
  }

  restore({ state }: EnvSnapshot): void {
    [this.sum, this.steps] = state as [number, number];
  }
}

const act = (value: number) => Float32Array.of(value);

describe('actionRepeat', () => {
  it('sums rewards and stops at the end of the episode', async () => {
    const env = actionRepeat(4)(new Sums());
    await env.reset();
    expect(await env.step(act(2))).toMatchObject({ reward: 8, terminated: false });
    expect(await env.step(act(1))).toMatchObject({ reward: 4, terminated: false });
    expect(await env.step(act(3))).toMatchObject({ reward: 6, terminated: true });
    expect(() => actionRepeat(0)(new Sums())).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }));
  });

  it('may be long, stays synchronous until a promise appears, and sums both kinds', async () => {
    const env = actionRepeat(20_000)(new ScriptedEnv());
    await env.reset();
    expect(env.step(0)).toMatchObject({ observation: 20_000, reward: 20_000 });
    const mixed = actionRepeat(4)(new ScriptedEnv({ step: (_, count) => (count % 2 ? {} : Promise.resolve({})) }));
    await mixed.reset();
    expect(await mixed.step(0)).toMatchObject({ observation: 4, reward: 4 });
  });
});

describe('stickyAction', () => {
  const executed = async (probability: number, duration: number | readonly [number, number], seed: number) => {
    const inner = new Sums();
    const env = stickyAction({ probability, duration })(inner);
    await env.reset({ seed });
    for (let step = 0; step < 200; step += 1) await env.step(act(step % 20));
    return inner.executed;
  };

  it('executes the first action, and each later one or the one executed before', async () => {
    const actions = await executed(0.5, 1, 1);
    expect(actions[0]).toBe(0);
    const stuck = actions.filter((action, step) => action !== step % 20);
    for (const [step, action] of actions.entries()) {
      if (action !== step % 20) expect(action).toBe(actions[step - 1]);
    }
    expect(stuck.length / actions.length).toBeGreaterThan(0.3);
    expect(stuck.length / actions.length).toBeLessThan(0.7);
    expect(await executed(0.5, 1, 1)).toEqual(actions);
    expect(await executed(0.5, 1, 2)).not.toEqual(actions);
  });

  it('sticks for as many steps as told, and never at probability 0', async () => {
    expect(await executed(0, 3, 1)).toEqual(Array.from({ length: 200 }, (_, step) => step % 20));
    const actions = await executed(0.2, 3, 1);
    // runs of one action: fresh, then multiples of three
    const runs: number[] = [];
    for (const [step, action] of actions.entries()) {
      if (step > 0 && action === actions[step - 1]) runs[runs.length - 1]! += 1;
      else runs.push(1);
    }
    expect(new Set(runs.slice(0, -1).map((run) => run % 3))).toEqual(new Set([1]));
  });

  it('continues exactly from a snapshot', async () => {
    const env = stickyAction({ probability: 0.5, duration: [1, 4] })(new Sums());
    await env.reset({ seed: 5 });
    for (const value of [1, 2, 3]) await env.step(act(value));
    const saved = structuredClone(await env.snapshot!());
    const rest = async () => {
      const seen: number[] = [];
      for (const value of [4, 5, 6, 7]) seen.push((await env.step(act(value))).reward);
      return seen;
    };
    const first = await rest();
    await env.restore!(saved);
    expect(await rest()).toEqual(first);
  });

  it.each([
    [{ probability: 1 }],
    [{ probability: 0.1, duration: 0 }],
    [{ probability: 0.1, duration: [3, 2] as const }],
    [{ probability: 0.1, duration: null }],
    [{ probability: '0.1' }],
    [undefined],
  ])('refuses %j', (options) => {
    expect(() => stickyAction(options as never)(new Sums())).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTION' }),
    );
  });
});

describe('normalizeObservation', () => {
  it('keeps the mean and variance that two passes over all samples give', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: -9, max: 29 }), { minLength: 2, maxLength: 9 }), async (values) => {
        const env = normalizeObservation()(new Sums());
        await env.reset();
        const seen = [0];
        for (const value of values) {
          await env.step(act(value));
          seen.push(seen.at(-1)! + value);
        }
        // Gymnasium starts with a weight of 1e-4 at mean 0 and variance 1.
        const weight = seen.length + 1e-4;
        const mean = seen.reduce((sum, value) => sum + value, 0) / weight;
        const variance = seen.reduce((sum, value) => sum + (value - mean) ** 2, 1e-4 * (1 + mean * mean)) / weight;
        expect(env.statistics.mean[0]).toBeCloseTo(mean, 8);
        expect(env.statistics.variance[0]).toBeCloseTo(variance, 6);
      }),
    );
  });

  it('stops counting when told, and saves its statistics', async () => {
    const env = normalizeObservation()(new Sums());
    await env.reset();
    await env.step(act(5));
    const saved = structuredClone(await env.snapshot!());
    const before = env.statistics;
    env.update = false;
    const { observation } = await env.step(act(5));
    expect(env.statistics).toEqual(before);
    expect(observation[0]).toBeCloseTo((10 - before.mean[0]!) / Math.sqrt(before.variance[0]! + 1e-8), 5);
    env.update = true;
    await env.step(act(9));
    await env.restore!(saved);
    expect(env.statistics).toEqual(before);
  });

  it('refuses observations that are not boxes', () => {
    const env = flattenObservation()(new Sums());
    expect(() => normalizeObservation()(Object.assign(env, { _: 0 }))).not.toThrow();
    const text = Object.assign(new Sums(), { observationSpace: spaces.text({ maxLength: 3 }) });
    expect(() => normalizeObservation()(text as unknown as Sums)).toThrow(
      expect.objectContaining({ code: 'NOT_A_BOX_SPACE' }),
    );
  });
});

describe('normalizeReward', () => {
  it('divides by the deviation of the discounted return', async () => {
    const env = normalizeReward({ gamma: 0.5 })(new Sums());
    await env.reset();
    let [mean, variance, count, discounted] = [0, 1, 1e-4, 0];
    for (const reward of [4, -2, 6]) {
      discounted = 0.5 * discounted + reward;
      const delta = discounted - mean;
      variance = (variance * count + (delta ** 2 * count) / (count + 1)) / (count + 1);
      mean += delta / (count + 1);
      count += 1;
      expect((await env.step(act(reward))).reward).toBeCloseTo(reward / Math.sqrt(variance + 1e-8), 10);
    }
  });
});

describe('rescaling', () => {
  it('maps observations and actions linearly between the bounds, and back', async () => {
    const inner = new Sums();
    const env = rescaleAction({ min: 0, max: 1 })(rescaleObservation()(inner));
    expect(String(env.actionSpace)).toBe('Box(0.0, 1.0, (1,), float32)');
    const { observation } = await env.reset();
    expect([...observation]).toEqual([0, -1]);
    expect([...(await env.step(act(0.75))).observation]).toEqual([Math.fround(0.2), Math.fround(-0.8)]);
    expect(inner.executed).toEqual([20]);
    await env.step(act(0));
    await env.step(act(1));
    expect(inner.executed).toEqual([20, -10, 30]);
  });

  it('refuses open boxes and swapped bounds', () => {
    expect(() => rescaleObservation()(normalizeObservation()(new Sums()))).toThrow(/open bound/);
    expect(() => rescaleAction({ min: 2, max: 1 })(new Sums())).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTION' }),
    );
  });
});

describe('specs', () => {
  it.each([
    actionRepeat(2)(new Sums()),
    stickyAction({ probability: 0.25, duration: [1, 2] })(new Sums()),
    normalizeObservation({ epsilon: 1e-4 })(new Sums()),
    normalizeReward({ gamma: 0.9 })(new Sums()),
    rescaleObservation({ min: 0 })(new Sums()),
    rescaleAction({ max: [2] })(new Sums()),
    flattenObservation()(new Sums()),
  ])('rebuild the wrapper', (env) => {
    const { wrapperSpec } = env;
    const built = builtInWrappers.get(wrapperSpec.name)!((wrapperSpec.options ?? {}) as never)(new Sums());
    expect((built as typeof env).wrapperSpec).toEqual(wrapperSpec);
  });
});
