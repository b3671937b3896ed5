/** Which picture of a product is shown: the one that goes with the options that are chosen. */
import type { Product } from '../catalog/product.js';
import { combinedSpec, parsePictureSpec, pictureSpec } from '../generator/picture-spec.js';

/**
 * Address of the picture; empty where there is none. A made-up product is shown as chosen, in the chosen color, design
 * and number; of another product, the picture of an option, as the original shows it.
 *
 * @param options  Chosen options, name → value.
 */
export function imageAddress({ optionImages, mainImage }: Product, options?: ReadonlyMap<string, string>): string {
  const chosen = [...(options?.values() ?? [])].flatMap((value) =>
    Object.hasOwn(optionImages, value) ? optionImages[value] || [] : [],
  );
  const main = parsePictureSpec(mainImage);
  if (main) return pictureSpec(combinedSpec(main, chosen));
  return chosen.at(-1) ?? mainImage ?? '';
}
