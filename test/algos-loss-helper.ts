/** Micro-batches out of plain numbers, and the losses of algorithms over them as `optimize` reduces them. */
import type { Tensor } from '@vlgym/gpu';
import type { PolicyOutputs } from '@vlgym/rl';
import { totalsOf } from '@vlgym/rl/losses';
import { type ActorLoss, type Averaging, LossBatch, type MicroBatch, reduceLoss } from '@vlgym/rl/update';

export interface Numbers {
  /** [B*L] 1 on the tokens of the responses; [B] entries of 1 where the loss is per step. */
  readonly mask: ArrayLike<number>;
  /** [B*L] */
  readonly oldLogProbs?: ArrayLike<number>;
  /** [B] or [B*L] */
  readonly advantages?: ArrayLike<number>;
  readonly thoughtMask?: ArrayLike<number>;
  readonly actionMask?: ArrayLike<number>;
  /** [B] */
  readonly returns?: ArrayLike<number>;
  readonly oldValues?: ArrayLike<number>;
  /** Counts of the whole optimizer step; those of this batch by default. */
  readonly totals?: { readonly tokens: number; readonly sequences: number };
}

export function microBatch(rows: number, numbers: Numbers): MicroBatch {
  const { mask, advantages = new Float64Array(rows), totals = totalsOf(mask, rows) } = numbers;
  const length = mask.length / rows;
  const perStep = advantages.length === rows && length !== 1;
  return {
    rows,
    length,
    thoughtMask: new Float64Array(mask.length),
    actionMask: mask,
    oldLogProbs: new Float64Array(mask.length),
    returns: new Float64Array(rows),
    oldValues: new Float64Array(rows),
    ...numbers,
    tokenAdvantages: Float64Array.from(mask, (_, i) => advantages[perStep ? Math.floor(i / length) : i]!),
    ...(advantages.length === rows && { stepAdvantages: Float64Array.from(advantages) }),
    stepMask: new Uint8Array(rows).fill(1),
    isTokenCritic: false,
    totals: { ...totals, steps: totals.sequences, responseTokens: totals.tokens },
  } as unknown as MicroBatch;
}

export interface ReducedActor extends ActorLoss {
  /** The mean that `optimize` computes. */
  readonly mean: Tensor;
}

/** The loss of an algorithm on log-probabilities [B, L], before and after its mean. */
export function actorOf<Options>(
  actor: (outputs: PolicyOutputs, batch: LossBatch, options: Options) => ActorLoss,
  logProbs: Tensor,
  batch: MicroBatch,
  options: Options,
  averaging?: Averaging,
): ReducedActor {
  const found = actor({ logProbs } as unknown as PolicyOutputs, new LossBatch(batch, logProbs), options);
  return { ...found, mean: reduceLoss(found.loss, batch, { averaging }) as Tensor };
}

export interface TokenLogProbs {
  /** [B, L] log-softmax(logits / temperature) at the ids; 0 on padding. */
  readonly logProbs: Tensor;
  /** [B, L] nats; 0 on padding. */
  readonly entropies: Tensor;
}

/** @param logits [B, L, V]; position l predicts id l. */
export function tokenLogProbs(logits: Tensor, ids: Tensor, mask: Tensor, temperature = 1): TokenLogProbs {
  const distribution = logits.div(temperature).logSoftmax(-1);
  const logProbs = distribution.gather(2, ids.unsqueeze(2)).squeeze(2);
  const entropies = distribution.exp().mul(distribution).sum(-1).neg();
  return { logProbs: logProbs.mul(mask), entropies: entropies.mul(mask) };
}
