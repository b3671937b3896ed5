import { describe, expect, it } from 'vitest';
import { BaseEnv } from './base-env.js';
import type { ResetOptions } from './env.js';
import { Generator } from './random/generator.js';
import { DiscreteSpace } from './spaces/discrete.js';

class DrawEnv extends BaseEnv<number, number> {
  readonly observationSpace = new DiscreteSpace(1000);
  readonly actionSpace = new DiscreteSpace(2);
  disposals = 0;

  reset({ seed }: ResetOptions = {}) {
    if (seed !== undefined) this.reseed(seed);
    return { observation: this.rng.integers(0, 1000), info: {} };
  }

  step() {
    this.ensureOpen('step');
    return { observation: this.rng.integers(0, 1000), reward: 0, terminated: false, truncated: false, info: {} };
  }

  replace(generator: Generator) {
    this.rng = generator;
  }

  protected override async dispose() {
    this.disposals += 1;
    await Promise.resolve();
    if (this.disposals > 1) throw new Error('disposed twice');
  }
}

describe('BaseEnv', () => {
  it("draws the numbers of NumPy's generator for the seed", () => {
    const env = new DrawEnv();
    const generator = new Generator(42);
    expect([env.reset({ seed: 42 }).observation, env.step().observation]).toEqual([
      generator.integers(0, 1000),
      generator.integers(0, 1000),
    ]);
  });

  it('continues with its generator when reset without a seed', () => {
    const env = new DrawEnv();
    const draws = () => [env.reset({ seed: 5 }), env.reset(), env.reset()].map(({ observation }) => observation);
    expect(draws()).toEqual(draws());
    expect(new Set(draws()).size).toBe(3);
  });

  it('creates its generator on first use, from fresh entropy, and reports the seed', () => {
    const env = new DrawEnv();
    expect(env.rngSeed).toBeUndefined();
    const first = env.reset().observation;
    expect(new DrawEnv().reset({ seed: Number(env.rngSeed) }).observation).toBe(first);
    env.reset({ seed: 7 });
    expect(env.rngSeed).toBe(7);
    const given = new Generator(1);
    given.setState(given.getState());
    env.replace(given);
    expect(env.rngSeed).toBeUndefined();
  });

  it.each([-1, 0.5, Number.NaN])('refuses the seed %s', (seed) => {
    expect(() => new DrawEnv().reset({ seed })).toThrow(expect.objectContaining({ code: 'INVALID_SEED' }));
  });

  it('disposes once, however often it is closed', async () => {
    const env = new DrawEnv();
    await Promise.all([env.close(), env.close(), env[Symbol.asyncDispose]()]);
    expect([env.disposals, env.closed]).toEqual([1, true]);
    expect(() => env.step()).toThrow(expect.objectContaining({ code: 'CLOSED' }));
  });

  it('is its own innermost environment and offers no render mode', () => {
    const env = new DrawEnv();
    expect(env.unwrapped).toBe(env);
    expect([env.renderMode, env.metadata, env.render()]).toEqual([undefined, { renderModes: [] }, undefined]);
  });
});
