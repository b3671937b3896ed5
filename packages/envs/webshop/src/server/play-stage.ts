/**
 * Shows the shop on the play page: its pages in the theme `market`, with another end.
 *
 * A click on the page becomes an action of the environment, and the page of the resulting session is written. So a recording
 * contains the actions of an agent, and the pages of agents stay as they are.
 */
import { GymError, type Info } from '@vlgym/core';
import type { PlayStage } from '@vlgym/core/registry';
import type { WebShopInfo } from '../env/info.js';
import { type SavedSession, sessionFrom } from '../env/saved-session.js';
import type { WebShopEnv } from '../env/text-env.js';
import type { RewardParts } from '../reward/reward.js';
import { toHtml } from '../shop/element.js';
import type { Session } from '../shop/session.js';
import type { Shop } from '../shop/shop.js';
import { type Dresser, dresserOf } from '../themes/dresser.js';
import { STYLE } from './assets.js';
import { withEnd } from './end-page.js';
import { fontFile, fontRules } from './font.js';
import { PEOPLE_STYLE } from './people-style.js';
import { pictureAddress } from './picture.js';

const parts = (info: Info) => partsOf((info as WebShopInfo).rewardParts);

/** The browser environment shows its own screenshots. */
export const browserStage: PlayStage = { parts };

/** The pages of the text environment's shop. */
export async function openStage(env: WebShopEnv): Promise<Required<PlayStage>> {
  const { shop } = env;
  const dresser = await dresserForPeople(shop);
  const style = embeddedFont() + (dresser.style + PEOPLE_STYLE);
  return {
    html() {
      // A copy, so that the page does not change the environment.
      const { session: saved } = env.snapshot().state as { session: SavedSession };
      return documentOf(sessionFrom(saved, shop), style, shop, dresser);
    },
    parts,
    close: () => dresser.close(),
  };
}

function documentOf(session: Session, style: string, shop: Shop, dresser: Dresser): string {
  const page = dresser.page(session);
  const product = session.page === 'done' && session.asin !== null ? shop.productOf(session.asin) : undefined;
  const shown = product ? withEnd(page, session, product, dresser.picture(product, session.options)) : page;
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">' +
    `<title>The shop</title><style>${style}</style></head><body><main tabindex="-1">${toHtml(shown)}</main></body></html>`
  );
}

/** Photographs where the renderer is installed, drawings elsewhere. */
async function dresserForPeople(shop: Shop): Promise<Dresser> {
  try {
    return (await dresserOf(shop, 'market'))!;
  } catch (error) {
    if (!GymError.isInstance(error) || error.code !== 'RENDERER_MISSING') throw error;
    const page = (session: Session) => shop.page(session, pictureAddress);
    return { style: STYLE, page, picture: pictureAddress, close() {} };
  }
}

/**
 * Embeds the Latin letters of the page's font in the style sheet, because the page may not load files. Other letters come
 * from the system, to keep the page small.
 */
function embeddedFont(): string {
  const rules = fontRules();
  const [, file = ''] = /url\((\/static\/fonts\/[\w-]{1,40}-latin-wght-normal\.woff2)\)/.exec(rules) ?? [];
  const face = rules.match(/@font-face \{[^}]{1,2000}\}/g)?.find((each) => file !== '' && each.includes(file));
  const font = fontFile(file);
  return face && font ? face.replace(file, `data:font/woff2;base64,${font.toString('base64')}`) : '';
}

/** reward = kind x (attributes + options + price), each of the three a share of its weight. */
function partsOf(parts: RewardParts | undefined): (readonly [name: string, value: string])[] {
  if (!parts) return [];
  const share = (value: number, weight: number) => `${shortNumber(value * weight)} of ${shortNumber(weight)}`;
  return [
    ['attributes', share(parts.r_att, parts.w_att)],
    ...(parts.r_option === undefined ? [] : [['options', share(parts.r_option, parts.w_option ?? 0)] as const]),
    ['price', share(Number(parts.r_price), parts.w_price)],
    ['× kind of product', shortNumber(parts.r_type)],
  ];
}

const shortNumber = (value: number) => String(Number(value.toFixed(3)));
