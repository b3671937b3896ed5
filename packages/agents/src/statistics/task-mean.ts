/** The score of one run on a fixed test set: every task has the same weight, however often it was attempted. */

export interface TaskCount {
  readonly task: string;
  /** Hits in one attempt, e.g. 1 for a success, or its number of right thoughts. */
  readonly hits: number;
  /** Trials in the attempt, e.g. 1, or its readable thoughts; an attempt with 0 trials is not scored. */
  readonly of: number;
}

/** Share of hits of each task over its attempts; tasks without any are left out. */
export function taskShares(counts: readonly TaskCount[]): Map<string, number> {
  const totals = new Map<string, { hits: number; of: number }>();
  for (const { task, hits, of } of counts) {
    const found = totals.get(task) ?? { hits: 0, of: 0 };
    totals.set(task, { hits: found.hits + hits, of: found.of + of });
  }
  return new Map([...totals].filter(([, { of }]) => of > 0).map(([task, { hits, of }]) => [task, hits / of] as const));
}

/** Mean over tasks of `taskShares`; `undefined` if no attempt says anything. */
export function equalTaskMean(counts: readonly TaskCount[]): number | undefined {
  const shares = [...taskShares(counts).values()];
  return shares.length === 0 ? undefined : shares.reduce((sum, share) => sum + share, 0) / shares.length;
}
