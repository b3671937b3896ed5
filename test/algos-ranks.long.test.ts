/**
 * Two processes with equal options are one run: their gradients are those of one process with the whole batch, their
 * metrics are equal, each plays its own environments, and what one rank writes all can continue.
 *
 * Numbers are those of the table in `packages/queue/README.md`.
 */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { UpdateRecord } from '@vlgym/rl';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Ended, startRanks, startScript } from './support/ranks.js';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 600_000 });

const CHILD = 'algos-ranks-child.ts';

interface Outcome {
  readonly rank: number;
  readonly digest: string;
  readonly weights: Readonly<Record<string, readonly number[]>>;
  readonly records: readonly UpdateRecord[];
  /** Those that it made for the rollout. */
  readonly environments: readonly number[];
  readonly messages?: { readonly buckets: number; readonly early: number; readonly again: number };
}

function outcomes({ code, output, errors }: Ended): Outcome[] {
  expect(code, errors).toBe(0);
  return output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Outcome);
}

const outcome = (ended: Ended): Outcome => outcomes(ended)[0]!;

function largestDifference(a: Outcome['weights'], b: Outcome['weights']): number {
  expect(Object.keys(a)).toEqual(Object.keys(b));
  return Math.max(...Object.keys(a).flatMap((name) => a[name]!.map((value, i) => Math.abs(value - b[name]![i]!))));
}

/** Metrics that are functions of seed and configuration. */
const figures = ({ metrics }: UpdateRecord) =>
  Object.fromEntries(Object.entries(metrics).filter(([name]) => !name.startsWith('time/')));

const PRESETS = [
  'rl4vlm',
  'vl-dac',
  'gtr-turbo-kl',
  'gtr-turbo-sft',
  'grpo',
  'dapo',
  'loop',
  'rloo',
  'gigpo',
  'ppo-token',
  'vagen',
  'reinforce-plus-plus',
  'epo',
  'gspo',
  'gtr',
  'prefix-rft',
];

describe('28. two processes', () => {
  let whole: Outcome[] = [];
  let ranks: readonly (readonly Outcome[])[] = [];
  beforeAll(async () => {
    const args = [PRESETS.join(), '-', '2'];
    const [one, two] = await Promise.all([startScript(CHILD, args), startRanks(2, CHILD, () => args)]);
    whole = outcomes(one);
    ranks = two.map(outcomes);
  });

  it.each(PRESETS)('learn the same as one, to rounding of float64: %s', (preset) => {
    const index = PRESETS.indexOf(preset);
    const one = whole[index]!;
    const [first, second] = ranks.map((all) => all[index]!) as [Outcome, Outcome];
    expect(first.digest).toBe(second.digest);
    expect(largestDifference(one.weights, first.weights)).toBeLessThan(1e-9);
    expect(second.records).toEqual([]);
    expect(first.records).toHaveLength(one.records.length);
    for (const [position, record] of first.records.entries()) {
      const [theirs, ours] = [figures(record), figures(one.records[position]!)];
      expect(Object.keys(theirs)).toEqual(Object.keys(ours));
      for (const [name, value] of Object.entries(ours)) expect(theirs[name], name).toBeCloseTo(value, 6);
    }
  });

  it('each make their share of the environments, and no other', () => {
    for (const [rank, own] of [
      [0, [0, 1, 2, 3]],
      [1, [4, 5, 6, 7]],
    ] as const) {
      expect(ranks[rank]!.map(({ environments }) => environments)).toEqual(PRESETS.map(() => own));
    }
  });

  it('send gradients while the backward pass runs, but where a hook adds more after it', () => {
    const index = PRESETS.indexOf('grpo');
    for (const all of ranks) expect(all[index]!.messages).toMatchObject({ early: expect.toSatisfy((n) => n > 0) });
  });
});

describe('32 and 33. a run with checkpoints', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vlgym-ranks-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('a killed rank ends the others with a clear error, and any number of processes continue the undisturbed run', async () => {
    const plain = (name: string) => ['vl-dac', join(folder, name), '4'];
    const whole = (await startRanks(2, CHILD, () => plain('whole'))).map(outcome);
    // the state of the optimizer is split here, and whole in the checkpoint
    const [killed, survivor] = await startRanks(2, CHILD, (rank) => [
      ...[...plain('broken'), 'shard'],
      ...(rank === 0 ? ['die'] : []),
    ]);
    expect(killed!.signal).toBe('SIGKILL');
    expect(survivor!.code).toBe(1);
    expect(survivor!.errors).toContain('PROCESS_GROUP_FAILED');
    await cp(join(folder, 'broken'), join(folder, 'alone'), { recursive: true });
    const continued = (await startRanks(2, CHILD, () => plain('broken'))).map(outcome);
    expect(continued.map(({ digest }) => digest)).toEqual(whole.map(({ digest }) => digest));
    const alone = outcome(await startScript(CHILD, plain('alone')));
    expect(largestDifference(alone.weights, whole[0]!.weights)).toBeLessThan(1e-9);
  });
});

it('a rank with another seed is refused', async () => {
  const ranks = await startRanks(2, CHILD, (rank) => ['vl-dac', '-', '1', ...(rank === 1 ? ['other-seed'] : [])]);
  for (const { code, errors } of ranks) {
    expect(code).toBe(1);
    expect(errors).toContain('RANKS_DIFFER');
    expect(errors).toContain('Ranks 0 and 1 of this run differ in settings.seed: ');
  }
});
