/** JSON Schemas for lists. */

import type { JsonSchema } from '../space.js';
import { isPlainEqual } from './json-data.js';

/** Lists in lists of the given lengths, with one schema per element in C order. */
export function nestedSchema(elements: readonly JsonSchema[], shape: readonly number[]): JsonSchema {
  const [length, ...inner] = shape;
  if (length === undefined) return elements[0]!;
  const size = elements.length / length;
  return fixedList(
    Array.from({ length }, (_, index) => nestedSchema(elements.slice(index * size, (index + 1) * size), inner)),
  );
}

/** Lists in lists of the given lengths, with the same schema for all elements. */
export function uniformSchema(element: JsonSchema, shape: readonly number[]): JsonSchema {
  return shape.reduceRight<JsonSchema>(
    (items, length) => ({ type: 'array', items, minItems: length, maxItems: length }),
    element,
  );
}

/** A list with one schema per position; shorter if all are equal. */
function fixedList(places: readonly JsonSchema[]): JsonSchema {
  const length = places.length;
  const alike = length > 1 && places.every((place) => isPlainEqual(place, places[0]));
  if (alike) return { type: 'array', items: places[0], minItems: length, maxItems: length };
  return tupleSchema(places);
}

/** A list with one schema per position. */
export function tupleSchema(places: readonly JsonSchema[]): JsonSchema {
  const length = places.length;
  return {
    type: 'array',
    ...(length > 0 ? { prefixItems: places } : {}), // an empty `prefixItems` is not a valid schema
    items: false,
    minItems: length,
    maxItems: length,
  };
}
