/** Prices of a product: one, or a range by its options. */
import { pythonFloat } from '../python/text.js';
import type { Draws } from './draws.js';
import type { Family } from './family.js';

/** As in earlier versions. */
export function priceOf({ price: base }: Family, draws: Draws): { pricing: number[]; price: string } {
  if (draws.chance(0.08)) return { pricing: [100], price: '$100.0' };
  const ends = [0.99, 0.49, 0.95, 0];
  const round = (value: number) => Number((Math.max(3, Math.floor(value)) + draws.pick(ends)).toFixed(2));
  const low = round(base * (0.85 + 0.3 * draws.random()));
  if (!draws.chance(0.2)) return { pricing: [low], price: `$${pythonFloat(low)}` };
  const high = round(low * (1.15 + draws.random()));
  return { pricing: [low, high], price: `$${pythonFloat(low)} to $${pythonFloat(high)}` };
}

/** Every product has a price, with two digits. */
export function shopPrice({ price: base }: Family, draws: Draws): { pricing: number[]; price: string } {
  const low = Number(
    (Math.max(2, Math.floor(base * (0.85 + 0.3 * draws.random()))) + draws.pick([0.99, 0.49, 0.95, 0])).toFixed(2),
  );
  if (!draws.chance(0.2)) return { pricing: [low], price: `$${low.toFixed(2)}` };
  const high = Number((Math.ceil(low * (1.15 + draws.random())) - 0.01).toFixed(2));
  return { pricing: [low, high], price: `$${low.toFixed(2)} to $${high.toFixed(2)}` };
}
