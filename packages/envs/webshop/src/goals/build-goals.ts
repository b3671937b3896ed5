/**
 * Builds all goals of a catalog, in the order of the published splits.
 *
 * Rules follow `princeton-nlp/WebShop`, `web_agent_site/engine/goal.py` (MIT), sections 5.2 to 5.4 of
 * `docs/specs/webshop.md`; the goals in `test/golden/webshop-traces.json.gz` pin them.
 */

import { pythonStrip } from '@vlgym/core/internal';
import type { PythonRandom } from '@vlgym/core/random';
import type { Product } from '../catalog/product.js';
import { compareText } from '../python/text.js';
import type { Goal } from './goal.js';
import { drawBound, enumeratedBounds, type PriceBounds } from './prices.js';

/** `human`: instructions written by people. `synthetic`: one goal per combination of options of a machine-written one. */
export type GoalKind = 'human' | 'synthetic';

/**
 * @param products  In catalog order; those without instructions may be left out.
 * @param priceOf   Price drawn for a product, dollars.
 * @param random    Draws the price bounds, right after the prices.
 * @param bounds    For human goals; those of synthetic goals are always drawn.
 */
export function buildGoals(
  products: Iterable<Product>,
  kind: GoalKind,
  priceOf: (product: Product) => number,
  random: PythonRandom,
  bounds: PriceBounds = 'drawn',
): Goal[] {
  return kind === 'human' ? humanGoals(products, priceOf, random, bounds) : syntheticGoals(products, priceOf, random);
}

function humanGoals(
  products: Iterable<Product>,
  priceOf: (product: Product) => number,
  random: PythonRandom,
  bounds: PriceBounds,
): Goal[] {
  const goals: Goal[] = [];
  for (const product of products) {
    for (const { instruction, attributes, options } of product.instructions ?? []) {
      if (attributes.length === 0) continue; // before any draw, as in the original
      const price = priceOf(product);
      const limits = bounds === 'drawn' ? [drawBound(price, random)] : enumeratedBounds(price);
      for (const { priceUpper, text } of limits) {
        goals.push({
          ...aboutProduct(product),
          instruction: pythonStrip(instruction, '.') + text,
          attributes,
          priceUpper,
          goalOptions: options,
          weight: 1,
        });
      }
    }
  }
  return goals;
}

function syntheticGoals(
  products: Iterable<Product>,
  priceOf: (product: Product) => number,
  random: PythonRandom,
): Goal[] {
  const goals: Goal[] = [];
  const withAttribute = new Map<string, number>();
  for (const product of products) {
    const { instruction, instructionAttributes: attributes = [] } = product;
    if (instruction === undefined) continue;
    const { priceUpper, text } = drawBound(priceOf(product), random);
    for (const goalOptions of combinations(product)) {
      const wanted = [...goalOptions].map(([name, value]) => `${name}: ${value}`).join(', and ');
      goals.push({
        ...aboutProduct(product),
        instruction: instruction + (wanted && ` with ${wanted}`) + text,
        attributes,
        priceUpper,
        goalOptions,
        weight: 1,
      });
      for (const attribute of attributes) withAttribute.set(attribute, (withAttribute.get(attribute) ?? 0) + 1);
    }
  }
  return goals.map((goal) => ({ ...goal, weight: rareness(goal.attributes, withAttribute) }));
}

/** Mean over the goal's attributes of 1 / (number of goals with the attribute). */
function rareness(attributes: readonly string[], counts: ReadonlyMap<string, number>): number {
  if (attributes.length === 0) return 1;
  let sum = 0;
  for (const attribute of attributes) sum += 1 / counts.get(attribute)!;
  return sum / attributes.length;
}

/** All choices of one value per option group, in the order of names; the last group varies fastest. */
function combinations({ options }: Product): ReadonlyMap<string, string>[] {
  const groups = [...options].sort((a, b) => compareText(a.name, b.name));
  let partial: [string, string][][] = [[]];
  for (const { name, values } of groups) {
    partial = partial.flatMap((chosen) => values.map((value): [string, string][] => [...chosen, [name, value]]));
  }
  return partial.map((chosen) => new Map(chosen));
}

function aboutProduct(product: Product) {
  const { asin, category, query, title, productCategory, nouns } = product;
  return { asin, category, query, name: title, productCategory, ...(nouns && { nouns }) };
}
