/**
 * A run in several processes: each executes the whole program and plays its share of the environments (`SharedCollector`), the
 * policy shares out its work (`@vlgym/models`, `DataParallelPolicy`), and rank 0 alone writes files, evaluates and reports.
 */
import { GymError } from '@vlgym/core';
import { firstDifference } from '@vlgym/core/internal';

/** The part of a process group that a run needs; `ProcessGroup` of `@vlgym/gpu` implements it. */
export interface Ranks {
  /** This process, from 0 to `size` - 1. */
  readonly rank: number;
  readonly size: number;
  /** The values of all ranks, by rank. All ranks must call it. */
  gather<T>(value: T): Promise<T[]>;
}

/** True for the process that writes, evaluates and reports. */
export const isFirst = ({ ranks }: { readonly ranks?: Ranks | undefined }): boolean =>
  ranks === undefined || ranks.rank === 0;

/**
 * @param name  What the message calls the value.
 * @throws {GymError} `RANKS_DIFFER`: two ranks have another value; it names the first entry that differs.
 */
export async function assertEqualOnAllRanks(ranks: Ranks, name: string, value: unknown): Promise<void> {
  const [first, ...others] = await ranks.gather(value);
  for (const [i, other] of others.entries()) {
    const difference = firstDifference(first, other, name);
    if (difference === undefined) continue;
    throw new GymError(`Ranks 0 and ${i + 1} of this run differ in ${difference}.`, {
      code: 'RANKS_DIFFER',
      value: difference,
      expected: 'the same on all ranks',
      hint: 'start all ranks with one command, on machines that share the folder of the run',
    });
  }
}
