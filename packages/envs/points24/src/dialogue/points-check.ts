/**
 * Whether a thought in EZPoints or Points24 is true: the cards it names, the formula it says stands there, the formula it
 * plans, and that there is none.
 */
import { thoughtEntries } from '@vlgym/core';
import { formulaEquals } from '../formula/evaluate.js';
import type { FormulaEntry } from '../formula/values.js';
import type { PointsInfo } from '../games/info.js';
import type { PointsGame } from '../games/points-game.js';
import { allRight, askedFor, type Claim, cardValues, entryClaim, isSameHand, named, thoughtOf } from './claims.js';
import { canReach } from './points-plan.js';
import type { DialogueStyle } from './style.js';

/** Key of the formula so far in an answer; in one style it has neither that nor the cards. */
const FORMULA_KEYS = { 'rl4vlm-v1': 'current formula', 'vl-dac-v1': undefined, 'compact-v1': 'formula' } as const;

export function checkPoints(game: PointsGame, style: DialogueStyle, said: string, info: PointsInfo): Claim {
  const formulaKey = FORMULA_KEYS[style];
  const entries = thoughtEntries(said);
  const thought = thoughtOf(entries);
  const valuesIn = (given: unknown) => cardValues(given, (rank) => rankValue(game, rank));
  const formula = (given: unknown) => typeof given === 'string' && plain(given) === plain(info.Formula.join(''));
  // words that are not a list of cards claim nothing
  const hand = (values: number[] | undefined) => (values === undefined ? undefined : isSameHand(values, info.Numbers));
  const current = named(thought, 'formula is ', ['.']);
  return allRight([
    ...(formulaKey === undefined
      ? []
      : [
          entryClaim(entries, 'cards', (cards) => hand(valuesIn(cards)) === true),
          entryClaim(entries, formulaKey, formula),
        ]),
    hand(valuesIn(named(thought, 'cards are ', [' and ', '.']))),
    hand(valuesIn(named(thought, ' count as ', ['.']))),
    current === undefined ? undefined : formula(current === 'empty' ? '' : current),
    askedFor(planClaim(game, thought, info), style),
  ]);
}

/** The thought's claim about the end: a formula that equals the target, or that none exists. */
function planClaim(game: PointsGame, thought: string, info: PointsInfo): Claim {
  const text = plannedIn(thought, game.target);
  if (text !== undefined) return leadsToTarget(game, text, info);
  if (/uses every card and equals/i.test(thought)) return leadsToTarget(game, info.Formula.join(''), info);
  const isLost = /^none$|cannot reach|no formula/i.test(thought.trim());
  return isLost ? !canReach(game, info) : undefined;
}

/** `7+10+7*1=24`; `It can become 7+10+7*1, which equals 24`; the last formula of a written search, `…|2:10-8=(7+5)*(10-8);`. */
function plannedIn(thought: string, target: number): string | undefined {
  const [, alone, value] = /^([\d+\-*/() ]+)= ?(\d+)$/.exec(thought.trim()) ?? [];
  if (alone !== undefined) return Number(value) === target ? alone : '';
  const planned = named(thought, 'can become ', [', which equals']);
  if (planned !== undefined) return planned;
  const unfolding = thought.slice(thought.lastIndexOf('|') + 1).split(';', 1)[0]!;
  return thought.includes('|') ? unfolding.slice(unfolding.lastIndexOf('=') + 1) : undefined;
}

/** It begins with the formula so far, has every number of the hand once, and equals the target. */
function leadsToTarget(game: PointsGame, text: string, { Numbers, Formula }: PointsInfo): boolean {
  const entries = (text.match(/\d+|[^\d\s]/g) ?? []).map((entry): FormulaEntry => {
    return /^\d/.test(entry) ? Number(entry) : entry;
  });
  const numbers = entries.filter((entry) => typeof entry === 'number');
  return (
    plain(text).startsWith(plain(Formula.join(''))) &&
    isSameHand(numbers, Numbers) &&
    formulaEquals(entries, game.target)
  );
}

const plain = (formula: string): string => formula.replace(/\s+/g, '');

/** The value of a rank in this game: `K` is 10 or 13. */
const rankValue = (game: PointsGame, rank: string): number =>
  /^\d/.test(rank) ? Number(rank) : game.numberOf(`S${rank}`);
