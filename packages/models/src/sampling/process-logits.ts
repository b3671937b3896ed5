/**
 * Converts logits to the sampling distribution: repetition penalty, then temperature, then top-k, then top-p
 * (`docs/specs/algorithms.md`, section 12; `test/golden/algos/sampler_logprobs.json`).
 */
import { InvalidOptionError } from '@vlgym/core';
import { nn, type Tensor } from '@vlgym/gpu';

export interface LogitOptions {
  /** Divides the logits, >= 0; 0 means greedy and keeps them unchanged. */
  readonly temperature: number;
  /** Keep entries not below the k-th largest; 0 keeps all. */
  readonly topK: number;
  /** Keep the smallest set of entries with at least this probability, in (0, 1]; 1 keeps all. */
  readonly topP: number;
  /** > 0; positive logits of seen tokens are divided by it, negative ones multiplied. 1 does nothing. */
  readonly repetitionPenalty: number;
}

/** Fills in defaults. @throws {InvalidOptionError} A value is outside its range. */
export function logitOptions({
  temperature = 1,
  topK = 0,
  topP = 1,
  repetitionPenalty = 1,
}: { [Name in keyof LogitOptions]?: LogitOptions[Name] | undefined } = {}): LogitOptions {
  const check = (option: string, value: number, holds: boolean, expected: string) => {
    if (!holds) throw new InvalidOptionError(option, value, expected);
  };
  check('temperature', temperature, temperature >= 0 && temperature < Number.POSITIVE_INFINITY, 'a number >= 0');
  check('topK', topK, Number.isInteger(topK) && topK >= 0, 'a whole number >= 0');
  check('topP', topP, topP > 0 && topP <= 1, 'a number in (0, 1]');
  const penaltyHolds = repetitionPenalty > 0 && repetitionPenalty < Number.POSITIVE_INFINITY;
  check('repetitionPenalty', repetitionPenalty, penaltyHolds, 'a number > 0');
  return { temperature, topK, topP, repetitionPenalty };
}

/**
 * @param logits  [B, V]
 * @param seen    bool [B, V], the tokens that occur in prompt or response; needed for the penalty only.
 * @returns       [B, V], -inf where an entry was removed.
 */
export function processLogits(logits: Tensor, options: LogitOptions, seen: Tensor | null): Tensor {
  return nn.processScores(logits, { ...options, seen });
}
