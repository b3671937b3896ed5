/**
 * A run in several processes: each executes the whole program and plays its share of the environments (`SharedCollector`), the
 * policy shares out its work (`@vlgym/models`, `DataParallelPolicy`), and rank 0 alone writes files, evaluates and reports.
 */
import { GymError } from '@vlgym/core';

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

/** @throws {GymError} `RANKS_DIFFER`: the value is not the same on all ranks. */
export async function assertEqualOnAllRanks(ranks: Ranks, what: string, value: unknown): Promise<void> {
  const values = (await ranks.gather(value)).map((each) => JSON.stringify(each));
  if (values.every((each) => each === values[0])) return;
  throw new GymError(`The processes of this run differ in ${what}.`, {
    code: 'RANKS_DIFFER',
    value: values,
    expected: 'the same on all ranks',
    hint: 'start all ranks with one command, on machines that share the folder of the run',
  });
}
