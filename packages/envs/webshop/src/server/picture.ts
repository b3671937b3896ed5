/**
 * Draws pictures of products from shape, color, pattern, and pack size.
 *
 * A generated catalog specifies them. For other products the color comes from the chosen option or the title, and the shape
 * from the category. Pictures contain no letters, so that they show what the text does not say.
 */

import { isDataUrl, PHOTO_NAME, PHOTOS } from '../catalog/photos.js';
import type { Product } from '../catalog/product.js';
import type { Shape } from '../generator/kinds.js';
import { type PictureSpec, parsePictureSpec } from '../generator/picture-spec.js';
import { COLORS } from '../generator/words.js';
import { imageAddress } from '../shop/product-image.js';

/** The picture of a product with chosen options, name → value. */
export function specOf(product: Product, options?: ReadonlyMap<string, string>): PictureSpec {
  const spec = parsePictureSpec(imageAddress(product, options));
  if (spec) return spec;
  const text = `${[...(options?.values() ?? [])].join(' ')} ${product.title}`.toLowerCase();
  const color = Object.keys(COLORS).find((name) => text.includes(name)) ?? 'grey';
  return { shape: SHAPES[product.category] ?? 'box', color, pattern: 'plain', pack: 1 };
}

const SHAPES: Readonly<Record<string, Shape>> = {
  beauty: 'bottle',
  electronics: 'device',
  fashion: 'shirt',
  garden: 'seat',
  grocery: 'bag',
};

/** Outlines in a box of 100 by 100. */
const OUTLINES: Readonly<Record<Shape, string>> = {
  bottle: 'M40 8h20v16l10 12v54q0 4-4 4H34q-4 0-4-4V36l10-12z',
  jar: 'M28 14h44v12h4v62q0 6-6 6H30q-6 0-6-6V26h4z',
  box: 'M16 26 50 12l34 14v50L50 90 16 76z',
  bag: 'M24 30h52l8 62H16zM36 30q0-20 14-20t14 20h-6q0-13-8-13t-8 13z',
  shirt: 'M34 12q16 12 32 0l24 14-10 20-10-5v51H30V41l-10 5L10 26z',
  trousers: 'M28 8h44l8 86H58L50 40 42 94H20z',
  shoe: 'M8 40l22-4 24 22q30 4 38 14v12H8z',
  round: 'M12 62q0-44 38-44t38 44l8 10H4z',
  device: 'M22 10h56q6 0 6 6v68q0 6-6 6H22q-6 0-6-6V16q0-6 6-6z',
  cable: 'M10 74q0-40 30-40t30 20 10 20h10v10H76q-14 0-14-26T40 44 20 74v12H10z',
  lamp: 'M34 8h32l16 40H54v34h16v10H30V82h16V48H18z',
  seat: 'M22 10h56v44h10v22H78v16h-8V76H30v16h-8V76H12V54h10z',
  sheet: 'M10 14h80v72H10z',
  brush: 'M42 6h16l4 34h6v18l-8 4-4 32H44l-4-32-8-4V40h6z',
};

/** Draws an SVG of 240 by 240. */
export function drawPicture(spec: PictureSpec): string {
  const fill = COLORS[spec.color] ?? '#8c8c8c';
  const mark = isLight(fill) ? '#3a3a3a' : '#f2f2f2';
  const outline = OUTLINES[spec.shape] ?? OUTLINES.box;
  const columns = Math.ceil(Math.sqrt(spec.pack));
  const rows = Math.ceil(spec.pack / columns);
  const size = 100 / Math.max(columns, rows);
  const items = Array.from({ length: spec.pack }, (_, index) => {
    const x = (index % columns) * size + (100 - columns * size) / 2;
    const y = Math.floor(index / columns) * size + (100 - rows * size) / 2;
    const paths = [`<path d="${outline}" fill="${fill}"/>`];
    if (spec.pattern !== 'plain') paths.push(`<path d="${outline}" fill="url(#pattern)"/>`);
    paths.push(`<path d="${outline}" fill="none" stroke="#444" stroke-width="2"/>`);
    return `<g transform="translate(${round(x)} ${round(y)}) scale(${round(size / 104)})">${paths.join('')}</g>`;
  });
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="240" height="240" viewBox="-2 -2 104 104"><defs>${pattern(spec, mark)}</defs>` +
    `<rect x="-2" y="-2" width="104" height="104" fill="#fbfaf7"/>${items.join('')}</svg>`
  );
}

function pattern({ pattern: kind }: PictureSpec, mark: string): string {
  const shapes = {
    plain: '',
    striped: `<rect width="5" height="14" fill="${mark}"/>`,
    dotted: `<circle cx="7" cy="7" r="3.5" fill="${mark}"/>`,
    checked: `<path d="M0 0h7v7H0zM7 7h7v7H7z" fill="${mark}"/>`,
  };
  return `<pattern id="pattern" width="14" height="14" patternUnits="userSpaceOnUse">${shapes[kind]}</pattern>`;
}

const round = (value: number) => Number(value.toFixed(3));

function isLight(hex: string): boolean {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as [
    number,
    number,
    number,
  ];
  return 0.3 * red + 0.6 * green + 0.1 * blue > 140;
}

/** The photograph that a product brings, if it does: an address that pages of the shop can show. */
export function photoAddress(product: Product, options?: ReadonlyMap<string, string>): string | undefined {
  const address = imageAddress(product, options);
  if (isDataUrl(address)) return address;
  return address.startsWith(PHOTOS) && PHOTO_NAME.test(address.slice(PHOTOS.length)) ? `/static/${address}` : undefined;
}

/** Its photograph, or a drawing as a data URL: a request per picture would cost more than the picture. */
export function pictureAddress(product: Product, options?: ReadonlyMap<string, string>): string {
  const photo = photoAddress(product, options);
  if (photo !== undefined) return photo;
  return `data:image/svg+xml,${encodeURIComponent(drawPicture(specOf(product, options)))}`;
}
