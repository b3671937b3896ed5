/** Limits on what a model consumes, counted over all episodes of one agent. */
import { GymError } from '@vlgym/core';
import type { Usage } from '../agent.js';

/** Limits; a request is refused once one of them is reached. The request that crosses a limit still completes. */
export interface Budget {
  readonly requests?: number;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  /** Input and output together. */
  readonly tokens?: number;
  /** In the currency of `Prices`. */
  readonly cost?: number;
}

/** Cost of a million tokens. */
export interface Prices {
  readonly inputPerMillion: number;
  readonly outputPerMillion: number;
}

const NAMES: Readonly<Record<keyof Budget, string>> = {
  requests: 'Request',
  inputTokens: 'Input token',
  outputTokens: 'Output token',
  tokens: 'Token',
  cost: 'Cost',
};

export class BudgetExceededError extends GymError {
  constructor(
    readonly limit: keyof Budget,
    readonly allowed: number,
    readonly spent: number,
  ) {
    super(`${NAMES[limit]} budget exhausted: ${rounded(spent)} of ${allowed} spent.`, {
      code: 'BUDGET_EXCEEDED',
      value: spent,
      hint: 'raise the budget and resume; recorded episodes are not played again',
    });
  }
}

/** Without the trailing digits of sums in floating point. */
const rounded = (spent: number) => Number(spent.toPrecision(6));

export const NO_USAGE: Usage = { requests: 0, inputTokens: 0, outputTokens: 0, cost: 0 };

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    requests: a.requests + b.requests,
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cost: a.cost + b.cost,
  };
}

/** The usage of one answered request. Tokens that a provider does not report count as 0. */
export function requestUsage(inputTokens = 0, outputTokens = 0, prices?: Prices): Usage {
  const cost = prices ? (inputTokens * prices.inputPerMillion + outputTokens * prices.outputPerMillion) / 1e6 : 0;
  return { requests: 1, inputTokens, outputTokens, cost };
}

/** @throws {BudgetExceededError}  A limit is reached. */
export function checkBudget(budget: Budget, spent: Usage): void {
  const used = { ...spent, tokens: spent.inputTokens + spent.outputTokens };
  for (const limit of Object.keys(budget) as (keyof Budget)[]) {
    const allowed = budget[limit] ?? Number.POSITIVE_INFINITY;
    if (used[limit] >= allowed) throw new BudgetExceededError(limit, allowed, used[limit]);
  }
}
