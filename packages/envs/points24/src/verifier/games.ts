/** Episodes for `vlgym verify cards`: games with varied options, and actions that reach every rule. */
import type { Generator } from '@vlgym/core';
import { BlackjackEnv } from '../games/blackjack.js';
import { EZPointsEnv } from '../games/ez-points.js';
import { NumberLineEnv } from '../games/number-line.js';
import { Points24Env } from '../games/points24.js';

type Game = BlackjackEnv | EZPointsEnv | NumberLineEnv | Points24Env;

/** A game, and the same one of the original. */
export interface Pairing {
  readonly id: string;
  /** Arguments of the original's constructor. */
  readonly kwargs: Readonly<Record<string, number | boolean>>;
  readonly env: Game;
}

/** Small, because the art is not compared. */
const SIZE = { height: 16, width: 16 };

/** The four games in turn, half of them with their own options. */
export function pairingOf(episode: number, random: Generator): Pairing {
  const varied = episode % 8 >= 4;
  switch (episode % 4) {
    case 0: {
      const maxPosition = varied ? random.integers(1, 10) : 5;
      const env = new NumberLineEnv({ maxPosition, size: SIZE });
      return { id: 'gym_cards/NumberLine-v0', kwargs: varied ? { max_position: maxPosition } : {}, env };
    }
    case 1: {
      const target = varied ? random.integers(2, 30) : 12;
      const env = new EZPointsEnv({ target, size: SIZE });
      return { id: 'gym_cards/EZPoints-v0', kwargs: varied ? { target_points: target } : {}, env };
    }
    case 2: {
      const [target, treatFaceCardsAs10] = varied ? [random.integers(1, 40), random.integers(0, 2) === 0] : [24, true];
      const env = new Points24Env({ target, treatFaceCardsAs10, size: SIZE });
      const kwargs = { target_points: target, treat_face_cards_as_10: treatFaceCardsAs10 };
      return { id: 'gym_cards/Points24-v0', kwargs: varied ? kwargs : {}, env };
    }
    default: {
      const [natural, sab] = varied ? [random.integers(0, 2) === 0, random.integers(0, 2) === 0] : [false, false];
      return {
        id: 'gym_cards/Blackjack-v0',
        kwargs: varied ? { natural, sab } : {},
        env: new BlackjackEnv({ natural, sab, size: SIZE }),
      };
    }
  }
}

/** One action of an episode: the expert's half of the time, else any. */
export function chooseAction(env: Game, formula: readonly unknown[], random: Generator): number {
  if ('expert' in env) {
    const signs = env.actionSpace.labels ?? [];
    if (random.integers(0, 2) === 0) return env.expert();
    for (;;) {
      const action = random.integers(0, env.actionSpace.n);
      if (!isSecondPower(formula, signs[action])) return action;
    }
  }
  return random.integers(0, 3) === 0 ? random.integers(0, 2) : (env.oracle() ?? 0);
}

/** A power of a power has millions of digits, and the original computes it for minutes. */
function isSecondPower(formula: readonly unknown[], sign: string | undefined): boolean {
  if (sign !== '*' || formula.at(-1) !== '*') return false;
  return formula.some((entry, index) => entry === '*' && formula[index + 1] === '*');
}
