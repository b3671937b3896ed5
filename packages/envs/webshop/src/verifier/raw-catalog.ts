/** Writes generated products in the layout of the original's files, so that both shops load the same rows. */
import type { RawCatalog } from '../catalog/read-raw.js';
import { generateProducts } from '../generator/generated-store.js';

/** @returns Rows as in `items_shuffle.json`, `items_ins_v2.json` and `items_human_ins.json`. */
export function generatedRaw(products: number, seed: number): Required<Omit<RawCatalog, 'nouns'>> {
  const made = generateProducts({ products, seed, visual: 0.1, wording: seed % 2 === 0 ? 'plain' : 'shop' });
  return {
    products: made.map((product, position) => ({
      asin: product.asin,
      name: product.title,
      full_description: product.description,
      small_description: product.bulletPoints,
      // some rows have no price, and some three
      pricing: position % 11 === 0 ? '' : prices(product.pricing, position % 13 === 0 ? [250] : []),
      customization_options: Object.fromEntries(
        product.options.map(({ name, values }) => [
          name,
          values.map((value) => ({ value, image: product.optionImages[value] ?? null })),
        ]),
      ),
      images: [product.mainImage],
      category: product.category,
      query: product.query,
      product_category: product.productCategory,
    })),
    attributes: Object.fromEntries(
      made.map(({ asin, attributes, instruction, instructionAttributes }) => [
        asin,
        { attributes, instruction: instruction ?? null, instruction_attributes: instructionAttributes ?? null },
      ]),
    ),
    human: Object.fromEntries(
      made.flatMap(({ asin, instructions = [] }) =>
        instructions.length === 0
          ? []
          : [
              [
                asin,
                instructions.map(({ instruction, attributes, options }) => ({
                  instruction,
                  instruction_attributes: attributes,
                  instruction_options: options,
                })),
              ],
            ],
      ),
    ),
  };
}

const prices = (pricing: readonly number[], more: readonly number[]) =>
  [...pricing, ...more].map((price) => `$${price.toFixed(2)}`).join(' ');
