/** Selects the picture of a product that matches the chosen options. */
import { isDataUrl } from '../catalog/photos.js';
import type { Product } from '../catalog/product.js';
import { combinedSpec, parsePictureSpec, pictureSpec } from '../generator/picture-spec.js';

/**
 * Address of the picture, or empty. A generated product is shown in the chosen color, design, and number; for other
 * products the picture of an option is used, as in the original.
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

/** The address in texts for agents: a picture in it would be longer than its page. */
export function writtenAddress(product: Product, options?: ReadonlyMap<string, string>): string {
  const address = imageAddress(product, options);
  return isDataUrl(address) ? `${address.slice(0, address.search(/[;,]/))},...` : address;
}
