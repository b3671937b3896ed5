/** Searchable text of a product: title, description, first bullet, options, in lower case (`docs/specs/webshop.md` 8.1). */
import type { Product } from '../catalog/product.js';
import { pythonLower } from '../python/lower-case.js';

export function documentText({
  title,
  description,
  bulletPoints,
  options,
}: Pick<Product, 'title' | 'description' | 'bulletPoints' | 'options'>): string {
  const choices = options.map(({ name, values }) => `${name}: ${values.join(', ')}`).join(', and ');
  const text = `${title} ${description} ${bulletPoints[0] ?? ''} ${choices}`;
  return pythonLower(text);
}
