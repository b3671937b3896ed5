/**
 * Work orders: the episodes of a run, numbered 0, 1, 2, …
 *
 * The content of an order is a function of the run's seed and its number. So any machine can recompute it, a restart needs
 * no list, and the number alone tells whether an episode has been counted.
 */
import { Generator, GymError } from '@vlgym/core';
import { checkNames, names } from '@vlgym/core/internal';
import { SeedSequence } from '@vlgym/core/random';
import { z } from 'zod';

/** Letters, digits, `_` and `-`: job ids and keys are built from it, and `:` means something to both. */
const RUN_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

const count = z.number().int().nonnegative();

export const workOrderSchema = z.strictObject({
  run: z.string().regex(RUN_NAME),
  order: count,
  /** Seed of the environment; equal within a group. */
  seed: count,
  group: count,
  /** Position in the group. */
  index: count,
  /** Weights may not be older than this version. */
  minVersion: count,
  /** Term of the orchestrator that issued it; grows with every new one. */
  epoch: count,
});
export type WorkOrder = z.infer<typeof workOrderSchema>;

export interface PlanOptions {
  readonly run: string;
  /** The seed of the run: every order's seed and generators follow from it. */
  readonly seed: number;
  /** Episodes that begin in the same state; default 1. */
  readonly groupSize?: number | undefined;
}

export type Plan = (order: number) => Pick<WorkOrder, 'run' | 'order' | 'seed' | 'group' | 'index'>;

const PLAN_OF_OPTIONS = names<PlanOptions>({ run: 0, seed: 0, groupSize: 0 });

/** @throws {GymError} `INVALID_OPTION`: the name of the run cannot be part of a key. */
export function planOf(options: PlanOptions): Plan {
  checkNames('options', options, PLAN_OF_OPTIONS);
  const { run, seed, groupSize = 1 } = options;
  checkRunName(run);
  return (order) => {
    const group = Math.floor(order / groupSize);
    const generator = new Generator(new SeedSequence(seed, { spawnKey: [0, group] }));
    return { run, order, seed: generator.integers(0, 2 ** 31), group, index: order % groupSize };
  };
}

/** The generator of the tokens and fallback actions of one order, on any machine. */
export const generatorOf = (runSeed: number, order: number): Generator =>
  new Generator(new SeedSequence(runSeed, { spawnKey: [1, order] }));

export function checkRunName(run: string): void {
  if (RUN_NAME.test(run)) return;
  throw new GymError(`Invalid run: ${JSON.stringify(run)}.`, {
    code: 'INVALID_OPTION',
    value: run,
    expected: '1 to 64 letters, digits, `_` or `-`, starting with a letter or digit',
  });
}
