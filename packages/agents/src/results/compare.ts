/** Two results of agents, paired by task: what changed, and whether that is a regression. */
import { InvalidOptionError } from '@vlgym/core';
import { checkNames, names } from '@vlgym/core/internal';
import type { Evaluation } from '../evaluate/types.js';
import { type CellComparison, type CellPair, compareCells } from '../suite/compare.js';
import { type CellEpisode, RESULT_SCHEMA, type SuiteCell } from '../suite/result.js';
import { RegressionError, type UndecidedCell } from './errors.js';
import { resultOf } from './file.js';
import { readEvaluation } from './read.js';

/** Anything with cells: a result of `suite`, `readEvaluation` or `resultOf`, or the contents of a result.json. */
export interface CellResult {
  readonly cells: readonly SuiteCell[];
}

export interface CompareOptions {
  /** Throw `RegressionError` if the second is worse, or if a cell of the first cannot be compared; default `false`. */
  readonly failOnRegression?: boolean | undefined;
  /** Level of the corrected tests, in (0, 1); default 0.05. */
  readonly level?: number | undefined;
  /** Names of the two, for texts; default: their paths, or `first` and `second`. */
  readonly names?: readonly [first: string, second: string] | undefined;
}

const COMPARE_OPTIONS = names<CompareOptions>({ failOnRegression: 0, level: 0, names: 0 });

export interface ResultComparison {
  readonly schema: typeof RESULT_SCHEMA;
  readonly names: readonly [first: string, second: string];
  readonly comparisons: readonly CellComparison[];
  /** Comparisons in which the second solves less often, significantly after the correction. */
  readonly regressions: readonly CellComparison[];
  /** The same with the second solving more often. */
  readonly improvements: readonly CellComparison[];
  /**
   * Cells of the first that cannot be judged: without a counterpart in the second, without a counted episode that both played, or
   * with excluded episodes in the second that would make it a regression if all of them had failed.
   */
  readonly undecided: readonly UndecidedCell[];
}

type Comparable = string | Evaluation | CellResult;

/**
 * Agents of equal name are paired; where each result has one agent on an environment, these two.
 *
 * @param first   The result before: a path for `readEvaluation`, an evaluation, or a result.
 * @param second  The result now.
 * @throws {NoResultError}    A path holds no result.
 * @throws {RegressionError}  With `failOnRegression`.
 *
 * @example
 * await compare('runs/main', await evaluate({ env, agent, episodes: 100 }), { failOnRegression: true });
 */
export async function compare(
  first: Comparable,
  second: Comparable,
  options: CompareOptions = {},
): Promise<ResultComparison> {
  checkNames('options', options, COMPARE_OPTIONS);
  const { failOnRegression = false, level = 0.05 } = options;
  if (!(level > 0 && level < 1)) throw new InvalidOptionError('level', level, 'a number between 0 and 1');
  const title = options.names ?? [nameOf(first, 'first'), nameOf(second, 'second')];
  const [before, now] = [await cellsOf(first), await cellsOf(second)];
  const pairs = pairsBetween(before, now, title);
  const comparisons = compareCells(pairs);
  const isOf = (each: CellComparison, { environment, agent }: SuiteCell) =>
    each.environment === environment && each.first === named(agent, title[0]);
  const significant = comparisons.filter(({ pAdjusted }) => pAdjusted < level);
  const regressions = significant.filter(({ difference }) => difference > 0);
  const worst = compareCells(pairs.map(atWorst)).filter((each) => each.pAdjusted < level && each.difference > 0);
  const undecided = before.flatMap((cell) => {
    const { second } = pairs.find(({ first: own }) => own === cell) ?? {};
    const isCompared = comparisons.some((each) => isOf(each, cell));
    const isHidden = worst.some((each) => isOf(each, cell)) && !regressions.some((each) => isOf(each, cell));
    return isCompared && !isHidden ? [] : [undecidedCell(cell, second)];
  });
  const result: ResultComparison = {
    schema: RESULT_SCHEMA,
    names: title,
    comparisons,
    regressions,
    improvements: significant.filter(({ difference }) => difference < 0),
    undecided,
  };
  if (failOnRegression && regressions.length + undecided.length > 0) throw new RegressionError(regressions, undecided);
  return result;
}

const attemptOf = ({ seed, repeat }: CellEpisode) => `${seed}#${repeat}`;
const countedIn = ({ episodes }: SuiteCell) => episodes.filter(({ counted }) => counted);

/** Counted attempts of the first whose counterpart does not count: excluded, or not played because the run was stopped. */
function openAttempts(first: SuiteCell, second: SuiteCell): CellEpisode[] {
  const judged = new Set(countedIn(second).map(attemptOf));
  const played = new Set(second.episodes.map(attemptOf));
  const isOpen = (attempt: string) => !judged.has(attempt) && (second.stopped !== undefined || played.has(attempt));
  return countedIn(first).filter((row) => isOpen(attemptOf(row)));
}

/** The pair if all of these attempts had failed. */
const atWorst = ({ first, second, ...rest }: CellPair): CellPair => {
  const failed = openAttempts(first, second).map((row) => ({ ...row, success: false }));
  return { first, second: { ...second, episodes: [...countedIn(second), ...failed] }, ...rest };
};

function undecidedCell(first: SuiteCell, second: SuiteCell | undefined): UndecidedCell {
  const { environment, agent } = first;
  const excluded = second ? openAttempts(first, second).length : 0;
  const why = !second
    ? 'the second result does not have it'
    : excluded > 0
      ? `${excluded} of ${countedIn(first).length} episodes do not count in the second result`
      : 'no episode that both played counts';
  return { environment, agent, excluded, why };
}

const nameOf = (result: Comparable, otherwise: string) => (typeof result === 'string' ? result : otherwise);

async function cellsOf(result: Comparable): Promise<readonly SuiteCell[]> {
  if (typeof result === 'string') return (await readEvaluation(result)).cells;
  return 'cells' in result ? result.cells : resultOf(result).cells;
}

const named = (agent: string, result: string) => `${agent} (${result})`;

function pairsBetween(
  first: readonly SuiteCell[],
  second: readonly SuiteCell[],
  title: readonly [string, string],
): CellPair[] {
  const on = (cells: readonly SuiteCell[], environment: string) =>
    cells.filter((cell) => cell.environment === environment);
  return first.flatMap((cell) => {
    const others = on(second, cell.environment);
    const isOnly = others.length === 1 && on(first, cell.environment).length === 1;
    const other = isOnly ? others[0] : others.find(({ agent }) => agent === cell.agent);
    if (!other) return [];
    return [{ first: cell, second: other, names: [named(cell.agent, title[0]), named(other.agent, title[1])] }];
  });
}
