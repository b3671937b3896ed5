/** Paired tests between agents that played the same tasks, corrected for their number. */
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
    const differ = first.dialogue !== undefined && second.dialogue !== undefined && first.dialogue !== second.dialogue;
    return [
      {
        environment: first.environment,
        first: names[0],
        second: names[1],
        ...pairedComparison(first.episodes, second.episodes),
        ...(differ && { dialogues: [first.dialogue!, second.dialogue!] as const }),
      },
    ];
  });
  const adjusted = holm(compared.map(({ pValue }) => pValue));
  return compared.map((comparison, index) => ({ ...comparison, pAdjusted: adjusted[index]! }));
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
