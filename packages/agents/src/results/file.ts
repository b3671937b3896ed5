/** `result.json` of a run: its layout, written beside the episodes. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomic } from '@vlgym/core/internal';
import type { EnvBaseline } from '@vlgym/core/registry';
import type { Evaluation } from '../evaluate/types.js';
import { type CellComparison, compareCells, pairsWithin } from '../suite/compare.js';
import { cellOf, RESULT_SCHEMA, type SuiteCell } from '../suite/result.js';

export const RESULT_FILE = 'result.json';

export interface SuiteResult {
  readonly schema: typeof RESULT_SCHEMA;
  readonly attempts: number;
  readonly seeds: readonly number[];
  /** In the order of environments, then agents. */
  readonly cells: readonly SuiteCell[];
  readonly comparisons: readonly CellComparison[];
  /** Published scores of known agents, by environment. */
  readonly baselines: Readonly<Record<string, readonly EnvBaseline[]>>;
  /** True if the signal stopped it. */
  readonly interrupted: boolean;
}

/** An evaluation in the layout of result.json: a suite of one cell. @param environment  Its name in tables. */
export function resultOf(evaluation: Evaluation, environment = evaluation.env ?? 'environment'): SuiteResult {
  return resultOfCells([cellOf(environment, evaluation)]);
}

export function resultOfCells(cells: readonly SuiteCell[]): SuiteResult {
  const episodes = cells.flatMap((cell) => cell.episodes);
  return {
    schema: RESULT_SCHEMA,
    attempts: 1 + Math.max(0, ...new Set(episodes.map(({ repeat }) => repeat))),
    seeds: [...new Set(episodes.map(({ seed }) => seed))],
    cells,
    comparisons: compareCells(pairsWithin(cells)),
    baselines: {},
    interrupted: cells.some(({ stopped }) => stopped === 'interrupted'),
  };
}

/** Writes the result of a run beside its episodes. */
export const writeResultFile = (folder: string, result: SuiteResult): Promise<void> =>
  writeFileAtomic(join(folder, RESULT_FILE), `${JSON.stringify(result, null, 2)}\n`);

/** Before a run continues: its result is that of an earlier state. */
export const removeResultFile = (folder: string): Promise<void> => rm(join(folder, RESULT_FILE), { force: true });
