/** Limits on what a model consumes, counted over all episodes of one agent. */
import { GymError } from '@vlgym/core';
import { names } from '@vlgym/core/internal';
import type { Usage } from '../agent.js';

/**
 * Limits; a request is refused once one of them is reached. They hold for all lanes together: a request waits while those
 * that are running may use up what is left.
 *
 * With the setting `maxOutputTokens` no request is sent that could cross a limit. Without it the size of a response is
 * unknown before it comes, and one last request may cross.
 */
export interface Budget {
  /** Requests sent, those that failed included. */
  readonly requests?: number | undefined;
  /** Repeated requests after failures, over all episodes; then a failure ends its episode at once. */
  readonly retries?: number | undefined;
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
  /** Input and output together. */
  readonly tokens?: number | undefined;
  /** In the currency of `Prices`. */
  readonly cost?: number | undefined;
}

/** Cost of a million tokens. */
export interface Prices {
  readonly inputPerMillion: number;
  readonly outputPerMillion: number;
  /** Input tokens from the provider's cache; default: as other input. */
  readonly cachedInputPerMillion?: number | undefined;
}

export const BUDGET_NAMES = names<Budget>({
  ...{ requests: 0, retries: 0, inputTokens: 0, outputTokens: 0, tokens: 0, cost: 0 },
});
export const PRICE_NAMES = names<Prices>({ inputPerMillion: 0, outputPerMillion: 0, cachedInputPerMillion: 0 });

/** Tokens that one answered request used, as the provider reports them. */
export interface RequestTokens {
  readonly input?: number | undefined;
  readonly output?: number | undefined;
  readonly cachedInput?: number | undefined;
  readonly reasoning?: number | undefined;
}

/** The limits of what is consumed; `retries` ends no run. */
export type BudgetLimit = Exclude<keyof Budget, 'retries'>;

const NAMES: Readonly<Record<BudgetLimit, string>> = {
  requests: 'Request',
  inputTokens: 'Input token',
  outputTokens: 'Output token',
  tokens: 'Token',
  cost: 'Cost',
};

export class BudgetExceededError extends GymError {
  constructor(
    readonly limit: BudgetLimit,
    readonly allowed: number,
    readonly spent: number,
    /** The most that the refused request could have used. */
    readonly needed = 0,
  ) {
    const next = spent < allowed ? ` The next request may need ${rounded(needed)}.` : '';
    super(`${NAMES[limit]} budget exhausted: ${rounded(spent)} of ${allowed} spent.${next}`, {
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
    ...optionalSum('cachedInputTokens', a, b),
    ...optionalSum('reasoningTokens', a, b),
    cost: a.cost + b.cost,
  };
}

/** Absent as long as nobody reported it. */
function optionalSum(key: 'cachedInputTokens' | 'reasoningTokens', a: Usage, b: Usage): Partial<Usage> {
  const sum = (a[key] ?? 0) + (b[key] ?? 0);
  return sum > 0 ? { [key]: sum } : {};
}

/** The usage of one answered request. Tokens that a provider does not report count as 0. */
export function requestUsage(tokens: RequestTokens = {}, prices?: Prices): Usage {
  const [input = 0, output = 0, cached = 0, reasoning = 0] = [
    tokens.input,
    tokens.output,
    tokens.cachedInput,
    tokens.reasoning,
  ];
  return {
    requests: 1,
    inputTokens: input,
    outputTokens: output,
    ...(cached > 0 ? { cachedInputTokens: cached } : {}),
    ...(reasoning > 0 ? { reasoningTokens: reasoning } : {}),
    cost: costOf({ input, output, cached }, prices),
  };
}

/** The cost of tokens; 0 without prices. */
export function costOf(
  { input, output, cached = 0 }: { readonly input: number; readonly output: number; readonly cached?: number },
  prices?: Prices,
): number {
  if (!prices) return 0;
  const { inputPerMillion, outputPerMillion, cachedInputPerMillion = inputPerMillion } = prices;
  const fresh = Math.max(0, input - cached);
  return (fresh * inputPerMillion + Math.min(cached, input) * cachedInputPerMillion + output * outputPerMillion) / 1e6;
}
