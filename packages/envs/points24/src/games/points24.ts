/**
 * Points24: make 24 from four cards with `+ - * /` and parentheses. About one hand in four has no solution.
 *
 * Rules follow `gym_cards/Points24-v0` of RL4VLM/RL4VLM (MIT), `gym-cards/gym_cards/envs/points.py`;
 * `test/golden/gym-cards.json` pins hands, rewards and the evaluation of formulas.
 */
import { GymError } from '@vlgym/core';
import type { PythonRandom } from '@vlgym/core/random';
import { isSolvable } from '../solver/solve.js';
import { face, rankOf, SUITS } from './cards.js';
import type { ObservationKind } from './observations.js';
import { checkedOptions, type Points24Options, type Points24V1Options } from './options.js';
import { PointsEnv } from './points-env.js';
import type { Hand, PointsGame } from './points-game.js';
import { type PointsRules, paperRules, publishedRules } from './points-rules.js';

export type { Points24Options, Points24V1Options } from './options.js';

/** `gym_cards/Points24-v0`: the published rules, including unintended ones. */
export class Points24Env<Kind extends ObservationKind = 'image'> extends PointsEnv<Kind> {
  constructor(options: Points24Options<Kind> = {}) {
    const checked = checkedOptions('points24', options);
    const { target = 24, treatFaceCardsAs10 = true } = checked;
    super(points24(target, treatFaceCardsAs10, publishedRules({ maxEntries: 20 })), checked);
  }
}

/** `vlgym/Points24-v1`: the rules of the GTR-Turbo paper; joined digits, `**` and `//` are illegal. */
export class Points24V1Env<Kind extends ObservationKind = 'image'> extends PointsEnv<Kind> {
  constructor(options: Points24V1Options<Kind> = {}) {
    const checked = checkedOptions('points24V1', options);
    const { target = 24, faceCardsAsTen = true, solvableOnly = false, maxSteps = 20 } = checked;
    const game = points24(target, faceCardsAsTen, paperRules({ maxSteps }));
    super(solvableOnly ? { ...game, deal: (random) => dealSolvable(game, random) } : game, checked);
  }
}

function points24(target: number, faceCardsAsTen: boolean, rules: PointsRules): PointsGame {
  const numberOf = (card: string) => Math.min(rankOf(card), faceCardsAsTen ? 10 : 13);
  return {
    name: 'points24',
    target,
    handSize: 4,
    highest: faceCardsAsTen ? 10 : 13,
    signs: ['+', '-', '*', '/', '(', ')', '='],
    rules,
    deal(random) {
      // As published: all ranks before all suits, without a check for equal cards or for a solution.
      const ranks = [1, 2, 3, 4].map(() => random.randint(1, 13));
      const cards = ranks.map((rank) => random.choice(SUITS) + face(rank));
      return { cards, numbers: cards.map(numberOf) };
    },
    numberOf,
  };
}

/** Maximum number of hands to deal in search of a solvable one. */
const MAX_DEALS = 20_000;

function dealSolvable(game: PointsGame, random: PythonRandom): Hand {
  for (let deals = 0; deals < MAX_DEALS; deals += 1) {
    const hand = game.deal(random);
    if (isSolvable(hand.numbers, { target: game.target })) return hand;
  }
  throw new GymError(`No solvable hand found for target ${game.target} in ${MAX_DEALS} deals.`, {
    code: 'NO_SOLVABLE_HAND',
    value: game.target,
    expected: 'a target that four cards can make',
    hint: 'choose another `target`, or set `solvableOnly: false`',
  });
}
