/**
 * VAGEN's bi-level GAE: an advantage for each turn first, then one for each token inside its turn.
 *
 *     turns:  δ_t = r_t + γ_turn·V_{t+1} − V_t,   A_t = δ_t + γ_turn·λ·A_{t+1},   V_t read at the last token of turn t
 *     tokens: GAE inside each turn, restarted at each turn, with A_t + V_t as the reward of its last token
 *     L       = mean over tokens of max(−ρ_l·A_l, −clip(ρ_l, 1 − ε, 1 + ε)·A_l) + c · ½·mean (V_l − R_l)²
 *
 * So a reward reaches the turns before it at γ_turn, and the tokens of a turn without a discount. `turn-wise` gives all tokens
 * of a turn its advantage. Source: "VAGEN: Reinforcing World Model Reasoning for Multi-Turn VLM Agents" and its published
 * code (NOTICE); `docs/specs/algorithms.md` 9.6. Pinned by `test/golden/algos/gae_multilevel.json`.
 */
import { defineAlgorithm } from '@vlgym/rl';
import type { Advantages } from '@vlgym/rl/advantages';
import {
  commonOptions,
  criticOptions,
  optionGroup,
  regularizerOptions,
  taskOption,
  tokenLossOptions,
} from '@vlgym/rl/config';
import { clipRatio, max, ratioOf, regularize, valueLoss } from '@vlgym/rl/losses';
import { optimize } from '@vlgym/rl/update';
import { z } from 'zod';
import { playTokens, type TokenRewards, tokenGae } from './ppo-token.js';

const share = z.number().min(0).max(1);

const options = z.strictObject({
  ...commonOptions,
  advantage: optionGroup({
    estimator: z
      .enum(['bi-level', 'turn-wise'])
      .default('bi-level')
      .describe('advantages of tokens inside their turn, or that of the turn on all of its tokens'),
    gammaTurn: taskOption(share.default(0.95).describe('discount per turn, γ_turn')),
    gamma: share.default(1).describe('discount per token inside a turn'),
    lambda: share.default(1).describe('decay of generalized advantage estimation on both levels, λ'),
  }),
  value: criticOptions,
  regularizer: regularizerOptions,
  loss: tokenLossOptions,
});

export const vagen = defineAlgorithm({
  name: 'vagen',
  title: 'VAGEN',
  source: 'RAGEN-AI/VAGEN',
  options,
  recommended: {
    loss: { clipLow: 0.2, clipHigh: 0.2, aggregation: 'token_mean' },
    value: { epochs: null },
    optimizer: { epochs: 1, batch: 128, learningRate: { initial: 1e-6, final: 1e-6 } },
  },

  async update(run) {
    const { advantage, loss, regularizer, value } = run.config;
    const estimate = advantage.estimator === 'bi-level' ? biLevelGae : turnWiseGae;
    const { buffer, targets } = await playTokens(run, (tokens) => estimate(tokens, advantage));
    await optimize(run, buffer, targets, {
      actor: ({ logProbs }, { oldLogProbs, advantages: A }) => {
        const ratio = ratioOf(logProbs, oldLogProbs);
        const clipped = clipRatio(ratio, loss);
        return { loss: max(ratio.mul(A).neg(), clipped.mul(A).neg()), ratio, clipped };
      },
      critic: ({ tokenValues }, batch) => valueLoss(tokenValues, batch, value.clip),
      regularizer: (outputs, batch) => regularize(outputs, batch, regularizer),
      averaging: loss,
    });
    return buffer;
  },
});

export interface TurnRewards extends TokenRewards {
  /** [L] 1 on the last token of each turn. */
  readonly endOfTurn: ArrayLike<number>;
}

export interface TurnGaeOptions {
  readonly gamma: number;
  readonly lambda: number;
  readonly gammaTurn: number;
}

export interface TurnAdvantages extends Advantages {
  /** [turns] in order. */
  readonly turnAdvantages: Float64Array;
}

/** GAE over the ends of turns; its returns are the rewards there of a GAE over the tokens of each turn. */
export function biLevelGae(tokens: TurnRewards, { gamma, lambda, gammaTurn }: TurnGaeOptions): TurnAdvantages {
  const { rewards, values, mask, endOfTurn } = tokens;
  const turns = turnGae(tokens, { gamma: gammaTurn, lambda });
  const advantages = new Float64Array(rewards.length);
  const returns = new Float64Array(rewards.length);
  // model tokens after the last end of turn are a separate part
  for (const [turn, [start, end]] of partsOf(endOfTurn).entries()) {
    const cut = (list: ArrayLike<number>) => Float64Array.from({ length: end - start }, (_, i) => list[start + i]!);
    const own = cut(rewards);
    if (endOfTurn[end - 1]) own[own.length - 1] = turns.returns[turn]!;
    const part = tokenGae({ rewards: own, values: cut(values), ...(mask && { mask: cut(mask) }) }, { gamma, lambda });
    advantages.set(part.advantages, start);
    returns.set(part.returns, start);
  }
  return { advantages, returns, turnAdvantages: turns.advantages };
}

/** Every token of a turn has the advantage of its turn; returns are advantage plus value. */
export function turnWiseGae(tokens: TurnRewards, { lambda, gammaTurn }: TurnGaeOptions): TurnAdvantages {
  const { rewards, values, mask, endOfTurn } = tokens;
  const turnAdvantages = turnGae(tokens, { gamma: gammaTurn, lambda }).advantages;
  const advantages = new Float64Array(rewards.length);
  const returns = new Float64Array(rewards.length);
  for (const [turn, [start, end]] of partsOf(endOfTurn).entries()) {
    for (let l = start; l < end; l++) {
      // model tokens after the last end of turn belong to no finished turn
      if ((mask && !mask[l]) || turn >= turnAdvantages.length) continue;
      advantages[l] = turnAdvantages[turn]!;
      returns[l] = advantages[l]! + values[l]!;
    }
  }
  return { advantages, returns, turnAdvantages };
}

/** [turns] GAE over the last tokens of turns. */
function turnGae(
  { rewards, values, endOfTurn, nextValue = 0 }: TurnRewards,
  options: { readonly gamma: number; readonly lambda: number },
): Advantages {
  const ends = Array.from(endOfTurn, (bit, l) => (bit ? l : -1)).filter((l) => l >= 0);
  const at = (list: ArrayLike<number>) => ends.map((l) => list[l]!);
  return tokenGae({ rewards: at(rewards), values: at(values), nextValue }, options);
}

/** [start, end) of each turn, and of what follows the last one. */
function partsOf(endOfTurn: ArrayLike<number>): [start: number, end: number][] {
  const parts: [number, number][] = [];
  let start = 0;
  for (let l = 0; l < endOfTurn.length; l++) {
    if (!endOfTurn[l] && l < endOfTurn.length - 1) continue;
    parts.push([start, l + 1]);
    start = l + 1;
  }
  return parts;
}
