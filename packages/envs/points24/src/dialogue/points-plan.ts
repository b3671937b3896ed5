/** What an expert thinks about a formula before an action: is it complete, can it be completed, is it lost? */
import { formulaEquals } from '../formula/evaluate.js';
import type { FormulaEntry } from '../formula/values.js';
import type { PointsGame, PointsInfo } from '../games/points-env.js';
import { remainingNumbers } from '../games/points-rules.js';
import { completeFormula } from '../solver/complete.js';

export type Plan =
  /** The formula stands and makes the target. */
  | { readonly kind: 'complete' }
  /** The formula that the action leads to. */
  | { readonly kind: 'leads'; readonly text: string }
  /** Nothing that starts with the formula so far makes the target. */
  | { readonly kind: 'lost' }
  /** The action spoils a formula that could still succeed. */
  | { readonly kind: 'aside' };

/** Entries a finished formula may have. */
const MAX_ENTRIES = 20;

export function planOf(game: PointsGame, { Numbers, Formula }: PointsInfo, entry: FormulaEntry): Plan {
  const finish = (formula: readonly FormulaEntry[]) =>
    completeFormula({
      formula,
      remaining: remainingNumbers(Numbers, formula),
      target: game.target,
      signs: game.signs.join(''),
      room: MAX_ENTRIES - formula.length,
    });
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
