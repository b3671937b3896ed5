/** Errors of results of agents. */
import { GymError } from '@vlgym/core';
import type { CellComparison } from '../suite/compare.js';
import type { SuiteCell } from '../suite/result.js';

/** A cell that cannot be compared, and why. */
export interface UndecidedCell extends Pick<SuiteCell, 'environment' | 'agent'> {
  /** Counted episodes of the first whose counterpart in the second was excluded, or was not played because it was stopped. */
  readonly excluded: number;
  readonly why: string;
}

/** A path that holds no result of agents. */
export class NoResultError extends GymError {
  constructor(path: string, why: string, cause?: unknown) {
    super(`${path} ${why}.`, {
      code: 'NO_RESULT',
      value: path,
      expected: 'a folder of `evaluate`, `suite` or `vlgym eval --record`, or its result.json',
      hint: 'make one: evaluate({ …, record: FOLDER })',
      cause,
    });
  }
}

/** The second result is worse than the first, or cannot be compared with it. */
export class RegressionError extends GymError {
  constructor(
    readonly regressions: readonly CellComparison[],
    readonly undecided: readonly UndecidedCell[],
  ) {
    const lost = regressions.map(
      ({ environment, second, difference, pAdjusted }) =>
        `${second} lost ${(100 * difference).toFixed(1)} points on ${environment} (p = ${pAdjusted.toPrecision(2)})`,
    );
    const missing = undecided.map(
      ({ environment, agent, why }) => `${agent} on ${environment} cannot be compared: ${why}`,
    );
    super(`${[...lost, ...missing].join('; ')}.`, {
      code: 'REGRESSION',
      value: regressions.length + undecided.length,
      expected: 'no significant loss of success, and counted episodes on the same seeds',
      hint: 'watch the episodes that failed: vlgym watch FOLDER',
    });
  }
}
