/** Identity of a visit's task: the product and the shopper's wishes, independent of wording. */
import { taskKey } from '@vlgym/core';
import { compareText } from '../python/text.js';
import type { Goal } from './goal.js';

/** E.g. `webshop:B07XYZ:["easy care"]["color: blue"]30`: product, attributes, options, and price bound in dollars. */
export function goalKey({ asin, attributes, goalOptions, priceUpper }: Goal): string {
  const options =
    goalOptions instanceof Map
      ? [...goalOptions].map(([name, value]) => `${name}: ${value}`)
      : (goalOptions as readonly string[]);
  const listed = (words: readonly string[]) => JSON.stringify([...words].sort(compareText));
  return taskKey('webshop', `${asin}:${listed(attributes)}${listed(options)}${priceUpper}`);
}
