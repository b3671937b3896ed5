/**
 * Logits to the distribution that is sampled from: repetition penalty, then temperature, then top-k, then top-p
 * (`docs/specs/algorithms.md`, section 12; `test/golden/algos/sampler_logprobs.json`).
 */
import { InvalidOptionError } from '@vlgym/core';
import { searchsorted, where } from '../tensor/creation.js';
import type { Tensor } from '../tensor/tensor.js';

export interface LogitOptions {
  /** Divides the logits, >= 0; 0 means greedy and leaves them alone. */
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

/** True when something besides the temperature shapes the distribution. */
export function isReshaped({ topK, topP, repetitionPenalty }: LogitOptions): boolean {
  return topK > 0 || topP < 1 || repetitionPenalty !== 1;
}

/**
 * @param logits  [B, V]
 * @param seen    bool [B, V], the tokens that stand in prompt or response; needed for the penalty only.
 * @returns       [B, V], -inf where an entry was removed.
 */
export function processLogits(logits: Tensor, options: LogitOptions, seen: Tensor | null): Tensor {
  const { temperature, topK, topP, repetitionPenalty } = options;
  let result = logits;
  if (repetitionPenalty !== 1 && seen) {
    const penalized = where(result.gt(0), result.div(repetitionPenalty), result.mul(repetitionPenalty));
    result = where(seen, penalized, result);
  }
  if (temperature !== 0 && temperature !== 1) result = result.div(temperature);
  const vocabulary = result.size(-1);
  if (topK > 0 && topK < vocabulary) {
    const smallestKept = result.topk(topK, -1).values.narrow(-1, topK - 1, 1);
    result = result.maskedFill(result.lt(smallestKept), Number.NEGATIVE_INFINITY);
  }
  if (topP < 1) {
    const { values, indices } = result.sort(-1, { descending: false, stable: true });
    const removed = values
      .softmax(-1)
      .cumsum(-1)
      .le(1 - topP);
    removed.narrow(-1, vocabulary - 1, 1).zero_(); // the largest always stays
    result = result.maskedFill(removed.scatter(-1, indices, removed), Number.NEGATIVE_INFINITY);
  }
  return result;
}

/**
 * The token at which the cumulative probability first exceeds each number: inverse transform sampling, in float64.
 *
 * @param logProbs  [B, V], normalized or not; -inf is never drawn.
 * @param uniforms  [B] float64 in [0, 1).
 * @returns         [B] int64
 */
export function drawTokens(logProbs: Tensor, uniforms: Tensor): Tensor {
  const cumulative = logProbs.to('float64').exp().cumsum(-1);
  const total = cumulative.narrow(-1, cumulative.size(-1) - 1, 1);
  // beyond the last token only where the scores are NaN, which the caller reports
  return searchsorted(cumulative, total.mul(uniforms.unsqueeze(-1)), { right: true })
    .squeeze(-1)
    .clamp(0, cumulative.size(-1) - 1);
}
