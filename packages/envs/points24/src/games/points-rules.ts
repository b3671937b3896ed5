/**
 * The two rule books of EZPoints and Points24.
 *
 * `publishedRules` is the public code, `RL4VLM/RL4VLM` (MIT), `gym-cards/gym_cards/envs/{ezpoints,points}.py`;
 * `paperRules` is the text of the GTR-Turbo paper: an illegal action leaves the state alone, an episode has T steps.
 */
import { formulaEquals } from '../formula/evaluate.js';
import type { FormulaEntry } from '../formula/values.js';

/** The state of an episode. */
export interface Table {
  /** Card names, and the numbers they count for. */
  readonly cards: readonly string[];
  readonly numbers: readonly number[];
  readonly target: number;
  /** Grows in place while the episode lasts. */
  readonly formula: FormulaEntry[];
  /** Actions so far. */
  steps: number;
}

/** Why an action is illegal. */
export type Illegality = 'number-unavailable' | 'digits-joined' | 'operator-doubled';

export interface Outcome {
  readonly reward: number;
  readonly terminated: boolean;
  readonly truncated: boolean;
  /** Told in `info`; the published rules tell nothing. */
  readonly illegality?: Illegality;
}

export interface PointsRules {
  /** What forbids appending this entry; `undefined` for a legal one. `=` is always legal. */
  illegality(numbers: readonly number[], formula: readonly FormulaEntry[], entry: FormulaEntry): Illegality | undefined;
  /** Entries that can still be appended so that an `=` after them counts. */
  room(table: Table): number;
  /** Carries an action out on `table`. */
  play(table: Table, entry: FormulaEntry): Outcome;
}

/** What the published code leaves for an illegal number; it shows and takes up room. */
export const BLANK = ' ';

const SOLVED = 10;
const FAILED = -1;

/** @param maxEntries  The formula may have one more than this; the next action then ends the episode unheard. */
export function publishedRules({ maxEntries }: { readonly maxEntries: number }): PointsRules {
  const illegality: PointsRules['illegality'] = (numbers, formula, entry) =>
    typeof entry === 'number' && !isAvailable(numbers, formula, entry) ? 'number-unavailable' : undefined;
  return {
    illegality,
    room: ({ formula }) => maxEntries - formula.length,
    play(table, entry) {
      const { numbers, formula } = table;
      // tested before the action is looked at: even `=` is ignored, and the penalty comes without a termination
      if (formula.length > maxEntries) return { ...going(FAILED), truncated: true };
      if (illegality(numbers, formula, entry)) {
        formula.push(BLANK);
        return going(FAILED);
      }
      if (entry === '=') return finish(table);
      formula.push(entry);
      return going(0);
    },
  };
}

/** @param maxSteps  Actions after which the episode is truncated. */
export function paperRules({ maxSteps }: { readonly maxSteps: number }): PointsRules {
  const illegality: PointsRules['illegality'] = (numbers, formula, entry) => {
    const last = formula.at(-1);
    if (typeof entry === 'number') {
      if (!isAvailable(numbers, formula, entry)) return 'number-unavailable';
      // in the published code `2` and `4` in a row are 24, and `*` `*` is a power: tricks, not card play
      return typeof last === 'number' ? 'digits-joined' : undefined;
    }
    return (entry === '*' || entry === '/') && entry === last ? 'operator-doubled' : undefined;
  };
  return {
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

const going = (reward: number): Outcome => ({ reward, terminated: false, truncated: false });

/** `=`: all numbers must stand in the formula, and its value must be the target. */
function finish({ numbers, formula, target }: Table): Outcome {
  const used = formula.filter((entry) => typeof entry === 'number').length;
  const solved = used === numbers.length && formulaEquals(formula, target);
  return { reward: solved ? SOLVED : FAILED, terminated: true, truncated: false };
}
