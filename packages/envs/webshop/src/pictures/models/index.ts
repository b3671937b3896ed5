/** A model for every kind of product of the generated catalog, by the query that finds it. */
import type { Materials, Model } from '../parts.js';
import { BEAUTY } from './beauty.js';
import { ELECTRONICS } from './electronics.js';
import { FASHION } from './fashion.js';
import { GARDEN } from './garden.js';
import { GROCERY } from './grocery.js';

export const MODELS: Readonly<Record<string, (materials: Materials) => Model>> = {
  ...BEAUTY,
  ...ELECTRONICS,
  ...FASHION,
  ...GARDEN,
  ...GROCERY,
};

/** Models of products that were not generated, by category. */
export const CATEGORY_MODELS: Readonly<Record<string, string>> = {
  beauty: 'shampoos',
  electronics: 'bluetooth speakers',
  fashion: "men's t-shirts",
  garden: 'table lamps',
  grocery: 'pancake mixes',
};
