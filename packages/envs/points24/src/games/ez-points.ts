/**
 * EZPoints: make 12 from two cards with `+` and `*`. Every hand has a solution.
 *
 * Rules follow `gym_cards/EZPoints-v0` of RL4VLM/RL4VLM (MIT), `gym-cards/gym_cards/envs/ezpoints.py`;
 * `test/golden/gym-cards.json` pins hands and rewards.
 */
import type { PythonRandom } from '@vlgym/core/random';
import { face, rankOf, SUITS } from './cards.js';
import type { ObservationKind } from './observations.js';
import { checkedOptions, type EZPointsOptions, type EZPointsV1Options } from './options.js';
import { PointsEnv } from './points-env.js';
import type { Hand, PointsGame } from './points-game.js';
import { type PointsRules, paperRules, publishedRules } from './points-rules.js';

export type { EZPointsOptions, EZPointsV1Options } from './options.js';

/** `gym_cards/EZPoints-v0`: the published rules, including unintended ones. */
export class EZPointsEnv<Kind extends ObservationKind = 'image'> extends PointsEnv<Kind> {
  constructor(options: EZPointsOptions<Kind> = {}) {
    const checked = checkedOptions('ezPoints', options);
    super(ezPoints(checked.target ?? 12, publishedRules({ maxEntries: 5 })), checked);
  }
}

/** `vlgym/EZPoints-v1`: the same hands. An illegal action costs 1 and does not change the formula. */
export class EZPointsV1Env<Kind extends ObservationKind = 'image'> extends PointsEnv<Kind> {
  constructor(options: EZPointsV1Options<Kind> = {}) {
    const checked = checkedOptions('ezPointsV1', options);
    const { target = 12, maxSteps = 20 } = checked;
    super(ezPoints(target, paperRules({ maxSteps })), checked);
  }
}

function ezPoints(target: number, rules: PointsRules): PointsGame {
  return {
    name: 'ezpoints',
    target,
    handSize: 2,
    highest: 10,
    signs: ['+', '*', '='],
    rules,
    deal,
    numberOf: (card) => Math.min(rankOf(card), 10),
  };
}

/** Draws in the order of the published code. */
function deal(random: PythonRandom): Hand {
  const rank = random.randint(2, 13);
  const first = { card: random.choice(SUITS) + face(rank), number: Math.min(rank, 10) };
  // Only divisors of 12 allow a product, and only they draw to choose between a product and a sum.
  const byProduct = 12 % first.number === 0 && random.random() <= 0.5;
  const number = byProduct ? 12 / first.number : 12 - first.number;
  const second = { card: random.choice(SUITS) + face(number), number };
  const hand = random.random() <= 0.5 ? [second, first] : [first, second];
  return { cards: hand.map(({ card }) => card), numbers: hand.map((dealt) => dealt.number) };
}
