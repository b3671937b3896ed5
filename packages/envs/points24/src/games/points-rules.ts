/**
 * The two sets of rules of EZPoints and Points24.
 *
 * `publishedRules` follow the public code, `RL4VLM/RL4VLM` (MIT), `gym-cards/gym_cards/envs/{ezpoints,points}.py`.
 * `paperRules` follow the text of the GTR-Turbo paper: an illegal action does not change the state, and an episode has
 * T steps.
 */
import { formulaEquals } from '../formula/evaluate.js';
import type { FormulaEntry } from '../formula/values.js';

/** The state of an episode. */
export interface Table {
  /** Card names, and the values of the cards. */
  readonly cards: readonly string[];
  readonly numbers: readonly number[];
  readonly target: number;
  /** Grows in place while the episode lasts. */
  readonly formula: FormulaEntry[];
  /** Actions so far. */
  steps: number;
}

/** The reason why an action is illegal. */
export type Illegality = 'number-unavailable' | 'digits-joined' | 'operator-doubled';

interface Outcome {
  readonly reward: number;
  readonly terminated: boolean;
  readonly truncated: boolean;
  /** Reported in `info`; not set by the published rules. */
  readonly illegality?: Illegality;
}

export interface PointsRules {
  /** The most actions of an episode. */
  readonly stepLimit: number;
  /** The reason why this entry is illegal; `undefined` for a legal one. `=` is always legal. */
  illegality(numbers: readonly number[], formula: readonly FormulaEntry[], entry: FormulaEntry): Illegality | undefined;
  /** Number of entries that can be appended before an `=` that still counts. */
  room(table: Table): number;
  /** Executes an action on `table`. */
  play(table: Table, entry: FormulaEntry): Outcome;
}

/** The entry that the published code appends for an illegal number; it is visible and counts as an entry. */
export const BLANK = ' ';

const SOLVED = 10;
const FAILED = -1;

/** @param maxEntries  The formula can have one entry more; then any further action ends the episode. */
export function publishedRules({ maxEntries }: { readonly maxEntries: number }): PointsRules {
  const illegality: PointsRules['illegality'] = (numbers, formula, entry) =>
    typeof entry === 'number' && !isAvailable(numbers, formula, entry) ? 'number-unavailable' : undefined;
  return {
    // a full formula has one entry more, and then one action is ignored
    stepLimit: maxEntries + 2,
    illegality,
    room: ({ formula }) => maxEntries - formula.length,
    play(table, entry) {
      const { numbers, formula } = table;
      // Tested before the action is read, so even `=` is ignored; the penalty comes with a truncation.
      if (formula.length > maxEntries) return { ...unfinished(FAILED), truncated: true };
      if (illegality(numbers, formula, entry)) {
        formula.push(BLANK);
        return unfinished(FAILED);
      }
      if (entry === '=') return finish(table);
      formula.push(entry);
      return unfinished(0);
    },
  };
}

/** @param maxSteps  Maximum number of actions before truncation. */
export function paperRules({ maxSteps }: { readonly maxSteps: number }): PointsRules {
  const illegality: PointsRules['illegality'] = (numbers, formula, entry) => {
    const last = formula.at(-1);
    if (typeof entry === 'number') {
      if (!isAvailable(numbers, formula, entry)) return 'number-unavailable';
      // In the published code `2` followed by `4` reads as 24, and `*` followed by `*` is a power. Both are exploits.
      return typeof last === 'number' ? 'digits-joined' : undefined;
    }
    return (entry === '*' || entry === '/') && entry === last ? 'operator-doubled' : undefined;
  };
  return {
    stepLimit: maxSteps,
    illegality,
    room: ({ steps }) => maxSteps - steps - 1,
    play(table, entry) {
      const { numbers, formula, steps } = table;
      const illegal = illegality(numbers, formula, entry);
      if (!illegal && entry === '=') return finish(table);
      if (!illegal) formula.push(entry);
      return {
        reward: illegal ? FAILED : 0,
        terminated: false,
        truncated: steps >= maxSteps,
        ...(illegal && { illegality: illegal }),
      };
    },
  };
}

/** The numbers of the hand that the formula has not used yet. */
export function remainingNumbers(numbers: readonly number[], formula: readonly FormulaEntry[]): number[] {
  const remaining = [...numbers];
  for (const entry of formula) {
    const place = typeof entry === 'number' ? remaining.indexOf(entry) : -1;
    if (place >= 0) remaining.splice(place, 1);
  }
  return remaining;
}

function isAvailable(numbers: readonly number[], formula: readonly FormulaEntry[], number: number): boolean {
  const count = (list: readonly FormulaEntry[]) => list.reduce<number>((sum, x) => sum + (x === number ? 1 : 0), 0);
  return count(formula) < count(numbers);
}

const unfinished = (reward: number): Outcome => ({ reward, terminated: false, truncated: false });

/** `=`: the formula must use all numbers and equal the target. */
function finish({ numbers, formula, target }: Table): Outcome {
  const used = formula.filter((entry) => typeof entry === 'number').length;
  const solved = used === numbers.length && formulaEquals(formula, target);
  return { reward: solved ? SOLVED : FAILED, terminated: true, truncated: false };
}
