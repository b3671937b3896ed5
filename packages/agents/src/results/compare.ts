/** Two results of agents, paired by task: what changed, and whether that is a regression. */
import { InvalidOptionError } from '@vlgym/core';
import { checkNames, names } from '@vlgym/core/internal';
import type { Evaluation } from '../evaluate/types.js';
import { type CellComparison, type CellPair, compareCells } from '../suite/compare.js';
import { RESULT_SCHEMA, type SuiteCell } from '../suite/result.js';
import { type CellName, RegressionError } from './errors.js';
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
  /** Cells of the first without a counterpart in the second, or without a counted episode that both played. */
  readonly undecided: readonly CellName[];
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
  const isCompared = ({ environment, agent }: SuiteCell) =>
    comparisons.some((each) => each.environment === environment && each.first === named(agent, title[0]));
  const significant = comparisons.filter(({ pAdjusted }) => pAdjusted < level);
  const result: ResultComparison = {
    schema: RESULT_SCHEMA,
    names: title,
    comparisons,
    regressions: significant.filter(({ difference }) => difference > 0),
    improvements: significant.filter(({ difference }) => difference < 0),
    undecided: before.filter((cell) => !isCompared(cell)).map(({ environment, agent }) => ({ environment, agent })),
  };
  const { regressions, undecided } = result;
  if (failOnRegression && regressions.length + undecided.length > 0) throw new RegressionError(regressions, undecided);
  return result;
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
