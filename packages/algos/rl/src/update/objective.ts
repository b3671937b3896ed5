/** The terms of an algorithm's loss, unreduced: one number per token or per step. */
import type { LossTerms } from '../losses/regularizer.js';
import type { PolicyOutputs } from '../policy.js';
import type { Tensor } from '../tensor.js';
import type { CriticLoss } from './critic.js';
import type { LossBatch } from './loss-batch.js';
import type { Averaging } from './reduce.js';

/** An actor's loss on a micro-batch: one number per token [B, L], or per step [B], before masks, weights and sums. */
export interface ActorLoss {
  readonly loss: Tensor;
  /** ρ that the loss is made of; left out by a loss without one. */
  readonly ratio?: Tensor;
  /** ρ after its clip, of the same shape: which gradients were cut follows from it. */
  readonly clipped?: Tensor;
}

/** A policy loss as an algorithm writes it down. */
export type Actor<Options> = (outputs: PolicyOutputs, batch: LossBatch, options: Options) => ActorLoss;

/**
 * The parts of the loss of one micro-batch, unreduced. `optimize` leaves out what the policy does not learn from, weighs by
 * importance, averages, measures ratios and sums.
 */
export interface Objective {
  readonly actor: (outputs: PolicyOutputs, batch: LossBatch) => ActorLoss;
  /** A function of the values alone where the critic is fitted separately. Needs `value` options. */
  readonly critic?: CriticLoss;
  /** Further addends, averaged like the loss of the actor. */
  readonly regularizer?: (outputs: PolicyOutputs, batch: LossBatch) => LossTerms;
  /** How token losses become one; default: the mean over the tokens of a response, then over responses. */
  readonly averaging?: Averaging;
}
