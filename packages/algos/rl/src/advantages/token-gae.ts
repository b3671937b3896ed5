/**
 * Advantages per token of one trajectory: masked token GAE, bi-level GAE and turn-wise GAE.
 *
 * Tokens of the environment (mask 0) are skipped: the next token is the next one the model produced.
 * Rules: `docs/specs/algorithms.md` 9.5 and 9.6 (VAGEN). Pinned by `test/golden/algos/gae_multilevel.json`.
 */
import type { Advantages } from './step-gae.js';

export interface TokenRewards {
  /** [L] */
  readonly rewards: ArrayLike<number>;
  /** [L] */
  readonly values: ArrayLike<number>;
  /** [L] 1 on tokens that the model produced. */
  readonly mask: ArrayLike<number>;
}

export interface TurnRewards extends TokenRewards {
  /** [L] 1 on the last model token of each turn. */
  readonly endOfTurn: ArrayLike<number>;
}

export interface TokenGaeOptions {
  /** Discount per token, usually 1. */
  readonly gamma: number;
  readonly lambda: number;
}

export interface TurnGaeOptions extends TokenGaeOptions {
  /** Discount per turn, 0.95 in VAGEN's full recipe. */
  readonly gammaTurn: number;
}

export interface TurnAdvantages extends Advantages {
  /** [turns] advantage of each turn, in order. */
  readonly turnAdvantages: Float64Array;
}

/** GAE over model tokens only; advantage and return are 0 elsewhere. */
export function tokenGae({ rewards, values, mask }: TokenRewards, { gamma, lambda }: TokenGaeOptions): Advantages {
  const size = rewards.length;
  const advantages = new Float64Array(size);
  const returns = new Float64Array(size);
  let nextValue = 0;
  let nextAdvantage = 0;
  for (let i = size - 1; i >= 0; i--) {
    if (!mask[i]) continue;
    nextAdvantage = rewards[i]! + gamma * nextValue - values[i]! + gamma * lambda * nextAdvantage;
    nextValue = values[i]!;
    advantages[i] = nextAdvantage;
    returns[i] = nextAdvantage + nextValue;
  }
  return { advantages, returns };
}

/**
 * First GAE over the ends of turns with `gammaTurn`; the reward there becomes the turn's return; then token GAE inside
 * each turn, which starts anew (next value 0, running sum 0) at every end of turn.
 */
export function biLevelGae(tokens: TurnRewards, { gamma, lambda, gammaTurn }: TurnGaeOptions): TurnAdvantages {
  const { rewards, values, mask, endOfTurn } = tokens;
  const size = rewards.length;
  const turnAdvantages = turnGae(tokens, { gamma: gammaTurn, lambda });
  const advantages = new Float64Array(size);
  const returns = new Float64Array(size);
  let turn = turnAdvantages.length;
  let nextValue = 0;
  let nextAdvantage = 0;
  for (let i = size - 1; i >= 0; i--) {
    if (!mask[i]) continue;
    let reward = rewards[i]!;
    if (endOfTurn[i]) {
      turn -= 1;
      reward = turnAdvantages[turn]! + values[i]!;
      nextValue = 0;
      nextAdvantage = 0;
    }
    nextAdvantage = reward + gamma * nextValue - values[i]! + gamma * lambda * nextAdvantage;
    nextValue = values[i]!;
    advantages[i] = nextAdvantage;
    returns[i] = nextAdvantage + nextValue;
  }
  return { advantages, returns, turnAdvantages };
}

/** Every model token of a turn gets the advantage of its turn; returns are advantage plus value. */
export function turnWiseGae(
  tokens: TurnRewards,
  { gammaTurn, lambda }: Pick<TurnGaeOptions, 'gammaTurn' | 'lambda'>,
): TurnAdvantages {
  const { rewards, values, mask, endOfTurn } = tokens;
  const size = rewards.length;
  const turnAdvantages = turnGae(tokens, { gamma: gammaTurn, lambda });
  const advantages = new Float64Array(size);
  const returns = new Float64Array(size);
  let turn = turnAdvantages.length;
  for (let i = size - 1; i >= 0; i--) {
    if (!mask[i]) continue;
    if (endOfTurn[i]) turn -= 1;
    // model tokens after the last end of turn belong to no finished turn
    if (turn === turnAdvantages.length) continue;
    advantages[i] = turnAdvantages[turn]!;
    returns[i] = advantages[i]! + values[i]!;
  }
  return { advantages, returns, turnAdvantages };
}

/** [turns] GAE over the end-of-turn tokens. */
function turnGae({ rewards, values, endOfTurn }: TurnRewards, { gamma, lambda }: TokenGaeOptions): Float64Array {
  const ends: number[] = [];
  for (let i = 0; i < rewards.length; i++) if (endOfTurn[i]) ends.push(i);
  const at = (source: ArrayLike<number>) => Float64Array.from(ends, (i) => source[i]!);
  const mask = new Float64Array(ends.length).fill(1);
  return tokenGae({ rewards: at(rewards), values: at(values), mask }, { gamma, lambda }).advantages;
}
