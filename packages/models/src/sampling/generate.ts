/**
 * Sampling responses token by token: the inner loop of every rollout.
 *
 * One forward reads all prompts, then one forward per token reads the new column against the cache. Ended rows leave the
 * batch once they are a quarter of it. Only the drawn tokens and their log-probs leave the device. Draws are inverse-CDF
 * with one `random()` per unfinished row and position, in the order of the rows (`GenerateOptions.rng`): a row with a
 * generator of its own does not depend on its neighbors beyond floating-point rounding.
 */
import { GymError, type Generator as RandomGenerator } from '@vlgym/core';
import type { BatchBuilder, TokenRow } from '../models/batch.js';
import type { VisionLanguageModel } from '../models/vision-language-model.js';
import { Decoding } from './decoding.js';
import type { LogitOptions } from './process-logits.js';

export interface Sampled {
  /** [T] the end token included if it was drawn. */
  readonly tokenIds: Int32Array;
  /** [T] log-softmax(logits / temperature); of the raw logits at temperature 0. */
  readonly logProbs: Float32Array;
  /** [T] log-prob under the distribution really drawn from; 0 at temperature 0. */
  readonly behaviorLogProbs: Float32Array;
  readonly finishReason: 'stop' | 'length';
  /** Read at the last prompt token. */
  readonly value: number;
}

export interface SamplingPlan {
  readonly logits: LogitOptions;
  /** At least 1. */
  readonly maxNewTokens: number;
  /** Tokens that end a response. */
  readonly endTokens: ReadonlySet<number>;
  /** One per row. */
  readonly generators: readonly RandomGenerator[];
  readonly signal?: AbortSignal | undefined;
  /** Runs `compute` without gradients and with the weights to sample from in place; called between awaits only. */
  readonly run: <T>(compute: () => T) => T;
}

/** The model gave scores that are no numbers. */
export class NonFiniteLogitsError extends GymError {
  constructor(readonly position: number) {
    super(`The model's scores for response token ${position} are not finite.`, {
      code: 'NON_FINITE_LOGITS',
      value: position,
      hint: 'the weights have probably diverged: go back to a checkpoint and lower the learning rate',
    });
  }
}

/** The event loop turns after so many tokens, so that timers, signals and progress bars stay alive. */
const TOKENS_PER_TURN = 8;

/**
 * One response per row.
 *
 * @throws {NonFiniteLogitsError}  Nothing sensible can be drawn.
 * @throws  The signal's reason, once it is aborted.
 */
export async function generate(
  model: VisionLanguageModel,
  builder: BatchBuilder,
  rows: readonly TokenRow[],
  plan: SamplingPlan,
): Promise<Sampled[]> {
  if (rows.length === 0) return [];
  plan.signal?.throwIfAborted();
  const decoding = plan.run(() => new Decoding(model, builder, rows, plan));
  try {
    for (let position = 0; position < plan.maxNewTokens; position += 1) {
      if (position > 0) plan.run(() => decoding.read());
      plan.run(() => decoding.draw(position));
      if (decoding.isDone) break;
      if (position % TOKENS_PER_TURN === TOKENS_PER_TURN - 1) {
        await new Promise((resolve) => setImmediate(resolve));
        plan.signal?.throwIfAborted();
      }
    }
    return decoding.results();
  } finally {
    decoding.dispose();
  }
}
