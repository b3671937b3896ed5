/** Drawing a goal by weight (section 5.4 of `docs/specs/webshop.md`). */
import type { PythonRandom } from '@vlgym/core/random';
import type { Goal } from './goal.js';

/**
 * `parity` keeps a bug of the original: it bisects a list of sums that starts with an extra zero, so the first goal is
 * never drawn and the last one twice as often. `fixed` draws each goal by its weight.
 */
export type GoalDraw = 'parity' | 'fixed';

export class GoalDrawer {
  readonly #sums: Float64Array;

  constructor(
    goals: readonly Pick<Goal, 'weight'>[],
    readonly draw: GoalDraw = 'parity',
  ) {
    let sum = 0;
    this.#sums = Float64Array.from([0, ...goals.map(({ weight }) => (sum += weight))]);
  }

  /** Draws an index of a goal. */
  index(random: PythonRandom): number {
    const sums = this.#sums;
    const last = sums.length - 2;
    if (last < 0) throw new RangeError('there are no goals to draw from');
    const found = bisectRight(sums, random.uniform(0, sums[last + 1]!));
    return Math.min(this.draw === 'parity' ? found : found - 1, last);
  }
}

/**
 * Draws `count` different goals, as the original's `limit_goals` does with the generator that shuffled them, including its
 * bug that the first goal is never drawn.
 *
 * @param count  Less than the number of goals.
 */
export function drawnGoals(goals: readonly Goal[], count: number, random: PythonRandom): Goal[] {
  const drawer = new GoalDrawer(goals, 'parity');
  const drawn = new Set<number>();
  while (drawn.size < count) drawn.add(drawer.index(random));
  return Array.from(drawn, (index) => goals[index]!);
}

function bisectRight(sums: Float64Array, value: number): number {
  let [low, high] = [0, sums.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (value < sums[middle]!) high = middle;
    else low = middle + 1;
  }
  return low;
}
