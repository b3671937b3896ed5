/** A micro-batch as the tensors that losses are written in; each is made when it is asked for. */
import { GymError } from '@vlgym/core';
import { type SpanOptions, spanWeights, stepLogProbs } from '../losses/ratio.js';
import type { Tensor } from '../tensor.js';
import type { MicroBatch } from './minibatches.js';

/** A loss for steps was asked for advantages of tokens. */
class TokenAdvantagesError extends GymError {
  constructor(tokens: number) {
    super('The advantages are per token, but the loss needs one per step.', {
      code: 'TOKEN_ADVANTAGES',
      value: tokens,
      expected: 'advantages [B], one per step',
      hint: 'use `advantages` [B, L] in place of `stepAdvantages`, or estimate one advantage per step',
    });
  }
}

/** B steps with responses of up to L tokens; constants of the dtype and device of the log-probabilities. */
export class LossBatch {
  /** @param like  A tensor of the back end that computes the loss. */
  constructor(
    readonly data: MicroBatch,
    readonly like: Tensor,
  ) {}

  /** [B, L] advantage of each token: its own, or that of its step. */
  get advantages(): Tensor {
    return this.#perToken(this.data.tokenAdvantages);
  }

  /** [B] @throws {TokenAdvantagesError} The advantages are per token. */
  get stepAdvantages(): Tensor {
    const { stepAdvantages, tokenAdvantages } = this.data;
    if (!stepAdvantages) throw new TokenAdvantagesError(tokenAdvantages.length);
    return this.#perStep(stepAdvantages);
  }

  /** [B, L] log-probabilities before the update; 0 on padding. */
  get oldLogProbs(): Tensor {
    return this.#perToken(this.data.oldLogProbs);
  }

  /** [B, L] log-probabilities of the reference; 0 if the regularizer needs none. */
  get referenceLogProbs(): Tensor {
    return this.#perToken(this.data.referenceLogProbs);
  }

  /** [B, L] 1 on response tokens that the policy loss uses. */
  get mask(): Tensor {
    return this.#perToken(this.data.mask);
  }

  /** [B, L] 1 on tokens of the thought. */
  get thoughtMask(): Tensor {
    return this.#perToken(this.data.thoughtMask);
  }

  /** [B, L] 1 on tokens of the action. */
  get actionMask(): Tensor {
    return this.#perToken(this.data.actionMask);
  }

  /** Targets of the critic, in units of success (`reward.scale`): [B], or [B, L] if they were estimated per token. */
  get returns(): Tensor {
    return this.#eitherWay(this.data.returns);
  }

  /** Values before the update, of the shape of `returns`. */
  get oldValues(): Tensor {
    return this.#eitherWay(this.data.oldValues);
  }

  /** [B*L] λ on tokens of the thought, 1 on those of the action. */
  spanWeights(options: SpanOptions): Float64Array {
    return spanWeights(this.data, this.data.rows, options);
  }

  /** [B*L] 1 / length on the tokens of each response: their weighted sum is a mean. */
  meanWeights(): Float64Array {
    const { steps, rows, length } = this.data;
    return Float64Array.from({ length: rows * length }, (_, i) => {
      const own = steps[Math.floor(i / length)]!.responseIds.length;
      return i % length < own ? 1 / own : 0;
    });
  }

  /** [B] Σ_l w_l·log π_old(y_l), added in float64. @param weights [B*L] */
  oldStepLogProbs(weights: ArrayLike<number>): Tensor {
    return this.#perStep(stepLogProbs(this.data.oldLogProbs, weights, this.data.rows));
  }

  #eitherWay(values: ArrayLike<number>): Tensor {
    return this.data.isTokenCritic ? this.#perToken(values) : this.#perStep(values);
  }

  #perToken(values: ArrayLike<number>): Tensor {
    return this.like.newTensor(values, [this.data.rows, this.data.length]);
  }

  #perStep(values: ArrayLike<number>): Tensor {
    return this.like.newTensor(values, [this.data.rows]);
  }
}
