/** An expert's judgment of a formula before an action: complete, completable, or lost. */
import { formulaEquals } from '../formula/evaluate.js';
import type { FormulaEntry } from '../formula/values.js';
import type { PointsInfo } from '../games/info.js';
import type { PointsGame } from '../games/points-game.js';
import { remainingNumbers } from '../games/points-rules.js';
import { completeFormula } from '../solver/complete.js';

export type Plan =
  /** The formula is complete and equals the target. */
  | { readonly kind: 'complete' }
  /** The action leads to this formula, which equals the target. */
  | { readonly kind: 'leads'; readonly text: string }
  /** No formula that starts like this equals the target. */
  | { readonly kind: 'lost' }
  /** The action spoils a formula that could still succeed. */
  | { readonly kind: 'aside' };

/** Maximum number of entries of a finished formula. */
const MAX_ENTRIES = 20;

export function planOf(game: PointsGame, { Numbers, Formula }: PointsInfo, entry: FormulaEntry): Plan {
  const finish = (formula: readonly FormulaEntry[]) => completionOf(game, Numbers, formula);
  const used = Formula.filter((part) => typeof part === 'number').length;
  if (used === Numbers.length && formulaEquals(Formula, game.target)) {
    return { kind: entry === '=' ? 'complete' : 'aside' };
  }
  if (entry !== '=' && !game.rules.illegality(Numbers, Formula, entry)) {
    const formula = [...Formula, entry];
    const rest = finish(formula);
    if (rest) return { kind: 'leads', text: [...formula, ...rest].join('') };
  }
  return { kind: finish(Formula) ? 'aside' : 'lost' };
}

/** True if this prefix can be completed to a formula that equals the target. */
export const canReach = (game: PointsGame, { Numbers, Formula }: PointsInfo): boolean =>
  completionOf(game, Numbers, Formula) !== undefined;

function completionOf(game: PointsGame, numbers: readonly number[], formula: readonly FormulaEntry[]) {
  return completeFormula({
    formula,
    remaining: remainingNumbers(numbers, formula),
    target: game.target,
    signs: game.signs.join(''),
    room: MAX_ENTRIES - formula.length,
  });
}
