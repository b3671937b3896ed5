/** Guidance that is measured: its size beside the advantages, its placebo, the teacher beside the student. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Generator } from '@vlgym/core';
import { gtrTurboKl, teacherPenalty } from '@vlgym/gtr-turbo';
import { MetricsTally, train, type UpdateRecord } from '@vlgym/rl';
import { describe, expect, it, vi } from 'vitest';
import { CorridorEnv, smallPolicy } from './algos-tasks.js';

vi.setConfig({ testTimeout: 300_000 });

type Guidance = NonNullable<NonNullable<Parameters<typeof gtrTurboKl>[0]>['guidance']>;

/** Penalties beside advantages of 0, 4 and 8, and their share. */
function penaltiesOf(kls: readonly number[], guidance: Guidance, seed = 1) {
  const { config } = gtrTurboKl({ guidance });
  const metrics = new MetricsTally();
  const advantages = Float64Array.from(kls, (_, i) => (i % 3) * 4);
  const penalties = teacherPenalty(kls, advantages, config.guidance, { rng: new Generator(seed), metrics });
  return { penalties, share: metrics.toMetrics()['teacher/penalty-share']! };
}

const kls = Array.from({ length: 12 }, (_, i) => 0.001 * (i + 1) ** 2);

describe('the penalty', () => {
  it('in nats is β·KL of the thought, however small beside the advantages', () => {
    const { penalties, share } = penaltiesOf(kls, { klCoefficient: 2 });
    expect(penalties).toEqual(kls.map((kl) => expect.closeTo(-2 * kl, 6)));
    expect(share).toBeGreaterThan(0.01);
    expect(share).toBeLessThan(0.05);
  });

  it.each([0.1, 0.5, 2])('in units of the advantage has β = %d times its standard deviation', (klCoefficient) => {
    const { penalties, share } = penaltiesOf(kls, { klCoefficient, klScale: 'advantage-std' });
    expect(share).toBeCloseTo(klCoefficient, 6);
    // the same order and proportions: only the unit is another
    const unit = penalties[0]! / kls[0]!;
    expect(penalties).toEqual(kls.map((kl) => expect.closeTo(unit * kl, 4)));
  });

  it('of a teacher that equals the agent stays next to nothing in either unit', () => {
    const rounding = kls.map((_, i) => (i % 2) * 1e-8);
    for (const klScale of ['nats', 'advantage-std'] as const)
      expect(penaltiesOf(rounding, { klCoefficient: 1, klScale }).share).toBeLessThan(1e-3);
  });

  it('of the placebo has the same sizes in a random order', () => {
    const { penalties } = penaltiesOf(kls, {});
    const placebo = penaltiesOf(kls, { permute: true });
    expect(placebo.penalties).not.toEqual(penalties);
    expect(placebo.penalties.toSorted((a, b) => a - b)).toEqual(penalties.toSorted((a, b) => a - b));
    expect(placebo.penalties).not.toEqual(penaltiesOf(kls, { permute: true }, 2).penalties);
  });
});

/** A corridor that names its tasks: three of them. */
class NamedCorridor extends CorridorEnv {
  override reset(options: { seed?: number } = {}) {
    const result = super.reset(options);
    return { ...result, info: { taskKey: `corridor:${(options.seed ?? 0) % 3}` } };
  }
}

const run = async (updates: number, folder?: string, guidance: Guidance = {}) => {
  const policy = await smallPolicy({ seed: 1 });
  const records: UpdateRecord[] = [];
  const report = await train({
    policy,
    algorithm: gtrTurboKl({
      rollout: { maxNewTokens: 3 },
      value: { warmupUpdates: 0 },
      merge: { density: 1 },
      guidance,
      optimizer: { epochs: 1, batch: 16, microBatch: 16, learningRate: { initial: 1e-3 } },
    }),
    makeEnv: () => new NamedCorridor(),
    updates,
    stepsPerUpdate: 80,
    numEnvs: 4,
    seed: 1,
    evaluation: { seeds: [1, 2, 3, 4, 5, 6], every: 10, temperature: 1, maxSteps: 5 },
    onMetrics: (record) => records.push(record),
    ...(folder !== undefined && { folder, resume: true }),
  });
  policy.close();
  return { report, records: records.filter(({ update }) => update > 0) };
};

it('every m updates teacher and student play the same seeds; a merge of the newest checkpoint alone plays like it', async () => {
  const { records } = await run(3, undefined, { measureEvery: 1 });
  // no checkpoint yet: teacher and student are the start
  expect(records[0]!.metrics['teacher/success-rate']).toBeUndefined();
  for (const { metrics } of records.slice(1)) {
    expect(metrics['teacher/success-episodes']).toBe(6);
    expect(metrics['student/success-episodes']).toBe(6);
  }
  expect(records[1]!.metrics).toMatchObject({ 'teacher/wins': 0, 'teacher/losses': 0 });
  const { records: rare } = await run(3, undefined, { measureEvery: 2 });
  expect(rare.map(({ metrics }) => metrics['teacher/success-rate'] !== undefined)).toEqual([false, false, true]);
});

it('a run keeps the distinct tasks of its training episodes, over a resume too', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vlgym-tasks-'));
  const { report, records } = await run(1, folder);
  expect(new Set(report.taskKeys)).toEqual(new Set(['corridor:0', 'corridor:1', 'corridor:2']));
  expect(records[0]!.metrics['train/distinct-tasks']).toBe(3);
  const { report: resumed } = await run(1, folder);
  expect(resumed.taskKeys).toEqual(report.taskKeys);
  await rm(folder, { recursive: true });
});
