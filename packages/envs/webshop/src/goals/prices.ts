/** What Python's generator draws before a shop opens: a price per product, a price bound per goal (sections 5.1, 5.2). */
import type { PythonRandom } from '@vlgym/core';

/** One price, or a uniform draw between the ends of a range; dollars. */
export function drawPrice(pricing: readonly number[], random: PythonRandom): number {
  const [low, high] = pricing;
  if (low === undefined) return 100;
  return high === undefined ? low : random.uniform(low, high);
}

export interface PriceBound {
  readonly priceUpper: number;
  /** What is added to the instruction; empty for products of 980 dollars and more. */
  readonly text: string;
}

/** The larger of two of the next four multiples of ten, up to 990. */
export function drawBound(price: number, random: PythonRandom): PriceBound {
  const candidates: number[] = [];
  for (let bound = 10; bound < 1000 && candidates.length < 4; bound += 10) if (bound > price) candidates.push(bound);
  if (candidates.length < 2) return { priceUpper: 1_000_000, text: '' };
  const priceUpper = Math.max(...random.sample(candidates, 2));
  return { priceUpper, text: `, and price lower than ${priceUpper}.00 dollars` };
}
