/**
 * Numbers that Python's generator draws before a shop opens: a price per product, a price bound per goal.
 *
 * Rules: `docs/specs/webshop.md` 5.1 and 5.2.
 */
import type { PythonRandom } from '@vlgym/core/random';

/** One price, or a uniform draw between the ends of a range; dollars. */
export function drawPrice(pricing: readonly number[], random: PythonRandom): number {
  const [low, high] = pricing;
  if (low === undefined) return 100;
  return high === undefined ? low : random.uniform(low, high);
}

export interface PriceBound {
  readonly priceUpper: number;
  /** Text added to the instruction; empty for products of 980 dollars and more. */
  readonly text: string;
}

/** Price bounds of instructions: one is drawn, or, as in AgentGym's fork, there is a goal for each possible bound. */
export type PriceBounds = 'drawn' | 'enumerated';

const UNBOUNDED: PriceBound = { priceUpper: 1_000_000, text: '' };
const MAX_BOUNDS = 4;

/** The larger of two of the next four multiples of ten, up to 990. */
export function drawBound(price: number, random: PythonRandom): PriceBound {
  const candidates = boundsAbove(price);
  return candidates.length < 2 ? UNBOUNDED : boundedBy(Math.max(...random.sample(candidates, 2)));
}

/** All possible bounds; for a product without bounds, four equal goals (`WooooDyy/AgentGym`, `engine/goal.py`). */
export function enumeratedBounds(price: number): PriceBound[] {
  const candidates = boundsAbove(price);
  return candidates.length < 2 ? Array.from({ length: MAX_BOUNDS }, () => UNBOUNDED) : candidates.map(boundedBy);
}

function boundsAbove(price: number): number[] {
  const bounds: number[] = [];
  for (let bound = 10; bound < 1000 && bounds.length < MAX_BOUNDS; bound += 10) if (bound > price) bounds.push(bound);
  return bounds;
}

const boundedBy = (priceUpper: number): PriceBound => ({
  priceUpper,
  text: `, and price lower than ${priceUpper}.00 dollars`,
});
