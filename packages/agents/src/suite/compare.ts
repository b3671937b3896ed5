/** Paired tests between agents that played the same tasks, corrected for their number. */
import type { Fallback } from '../fallback.js';
import { holm } from '../statistics/holm.js';
import { type PairedComparison, pairedComparison } from '../statistics/paired-comparison.js';
import type { SuiteCell } from './result.js';

export interface CellComparison extends PairedComparison {
  readonly environment: string;
  readonly first: string;
  readonly second: string;
  /** The p-value after Holm's correction for all comparisons made together. */
  readonly pAdjusted: number;
  /** Set where the two were prompted differently: the test then compares agent and prompt together. */
  readonly dialogues?: readonly [first: string, second: string];
  /** Set where an unreadable answer had other consequences for one than for the other. */
  readonly fallbacks?: readonly [first: Fallback, second: Fallback];
}

/** Two cells to compare, and what to call them. */
export interface CellPair {
  readonly first: SuiteCell;
  readonly second: SuiteCell;
  readonly names?: readonly [first: string, second: string];
}

/** Pairs without a common counted episode are left out. */
export function compareCells(pairs: readonly CellPair[]): CellComparison[] {
  const compared = pairs.flatMap(({ first, second, names = [first.agent, second.agent] }) => {
    if (!haveCommon(first, second)) return [];
    const dialogues = unequal(first.dialogue, second.dialogue);
    const fallbacks = unequal(first.fallback, second.fallback);
    return [
      {
        environment: first.environment,
        first: names[0],
        second: names[1],
        ...pairedComparison(first.episodes, second.episodes),
        ...(dialogues && { dialogues }),
        ...(fallbacks && { fallbacks }),
      },
    ];
  });
  const adjusted = holm(compared.map(({ pValue }) => pValue));
  return compared.map((comparison, index) => ({ ...comparison, pAdjusted: adjusted[index]! }));
}

/** Both, where they are known and differ. */
function unequal<T>(first: T | undefined, second: T | undefined): readonly [T, T] | undefined {
  return first === undefined || second === undefined || first === second ? undefined : [first, second];
}

/** All pairs of agents on each environment, in the order of the cells. */
export function pairsWithin(cells: readonly SuiteCell[]): CellPair[] {
  return cells.flatMap((first, index) =>
    cells.slice(index + 1).flatMap((second) => (first.environment === second.environment ? [{ first, second }] : [])),
  );
}

function haveCommon(first: SuiteCell, second: SuiteCell): boolean {
  const attempts = (cell: SuiteCell) =>
    cell.episodes.filter(({ counted }) => counted).map(({ seed, repeat }) => `${seed}#${repeat}`);
  const known = new Set(attempts(first));
  return attempts(second).some((attempt) => known.has(attempt));
}
