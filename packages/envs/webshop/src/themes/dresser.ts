/** Makes the pages of a shop in a theme; loads the renderer of the photographs when a shop opens. */
import { GymError, InvalidOptionError } from '@vlgym/core';
import type { Product } from '../catalog/product.js';
import { photoAddress, pictureAddress, specOf } from '../server/picture.js';
import type { Element } from '../shop/element.js';
import type { Session } from '../shop/session.js';
import type { Shop } from '../shop/shop.js';
import { dressed } from './dress.js';
import { ORIGINAL_STYLE, originalPage } from './original.js';
import { ARRANGED } from './styles/arrangements.js';
import { BASE } from './styles/base.js';
import { LOOK_STYLES } from './styles/looks.js';
import { type Disturbance, isPlain, type Theme } from './theme.js';

/** Pictures on the first page. */
const SHELF = 6;

export interface Dresser {
  readonly style: string;
  page(session: Session): Element;
  /** Address of the picture of a product with chosen options (name → value). */
  picture(product: Product, options?: ReadonlyMap<string, string>): string;
  close(): void;
}

/**
 * @returns `undefined` for the theme `parity`, whose pages are not dressed.
 * @throws {GymError} `RENDERER_MISSING`
 */
export async function dresserOf(
  shop: Shop,
  theme: Theme,
  disturbances: readonly Disturbance[] = [],
): Promise<Dresser | undefined> {
  checkAppearance(theme, disturbances);
  if (theme === 'parity') return undefined;
  if (theme === 'original') {
    return {
      style: ORIGINAL_STYLE,
      page: (session) => originalPage(shop.page(session, pictureAddress), session),
      picture: pictureAddress,
      close() {},
    };
  }
  const studio = new (await loadStudio()).Studio();
  const appearance = { theme, disturbances: new Set(disturbances) };
  const picture = (product: Product, options?: ReadonlyMap<string, string>) => {
    const photo = photoAddress(product, options);
    if (photo !== undefined) return photo;
    const { color, pattern, pack } = specOf(product, options);
    return studio.address({ kind: product.query, category: product.category, color, pattern, pack });
  };
  let shelf: readonly string[] | undefined;
  const shelfOf = () => {
    const step = Math.max(1, Math.floor(shop.products.size / SHELF));
    shelf ??= Array.from({ length: SHELF }, (_, index) =>
      picture(shop.products.at((index * step) % shop.products.size)),
    );
    return shelf;
  };
  return {
    style: BASE + LOOK_STYLES + ARRANGED,
    picture,
    page(session) {
      const product = session.asin === null ? undefined : shop.productOf(session.asin);
      const visit = {
        session,
        product,
        productOf: (asin: string) => shop.productOf(asin),
        shelf: session.page === 'index' ? shelfOf() : [],
      };
      return dressed(shop.page(session, picture), appearance, visit);
    },
    close: () => studio.close(),
  };
}

/** @throws {InvalidOptionError} */
export function checkAppearance(theme: Theme, disturbances: readonly Disturbance[]): void {
  if (!isPlain(theme) || disturbances.length === 0) return;
  throw new InvalidOptionError(
    'disturbances',
    disturbances,
    `nothing with the theme "${theme}"`,
    "choose another theme, e.g. theme: 'market'",
  );
}

async function loadStudio(): Promise<typeof import('../pictures/studio.js')> {
  try {
    return await import('../pictures/studio.js');
  } catch (cause) {
    throw new GymError('The packages @vlgym/render and three are not installed.', {
      code: 'RENDERER_MISSING',
      expected: '@vlgym/render and three next to @vlgym/webshop',
      hint: "run `npm install @vlgym/render three`; the theme 'parity' does not need them",
      cause,
    });
  }
}
