/**
 * Shows the shop on the play page: its real pages, made by the shop's own server.
 *
 * A click on the page becomes an action of the environment, and the server renders the page of the resulting session. So a
 * recording contains the actions of an agent.
 */
import type { Info } from '@vlgym/core';
import type { PlayStage } from '@vlgym/core/registry';
import type { WebShopInfo } from '../env/info.js';
import { type SavedSession, sessionFrom } from '../env/saved-session.js';
import type { WebShopEnv } from '../env/text-env.js';
import type { RewardParts } from '../reward/reward.js';
import { ShopServer } from './shop-server.js';

const parts = (info: Info) => partsOf((info as WebShopInfo).rewardParts);

/** The browser environment shows its own screenshots. */
export const browserStage: PlayStage = { parts };

/** The pages of the text environment's shop. */
export async function openStage(env: WebShopEnv): Promise<Required<PlayStage>> {
  const { shop } = env;
  const server = new ShopServer(shop, { mostSessions: 1 });
  const site = await server.listen();
  // The instruction is shown above the page.
  const sheet = await withFont(site, await fetchText(`${site}/static/shop.css`));
  const style = `${sheet} #instruction-text { display: none; }`;
  return {
    async html() {
      // A copy, so that the server does not change the environment.
      const { session: saved } = env.snapshot().state as { session: SavedSession };
      const session = sessionFrom(saved, shop);
      server.adopt(session);
      const page = await fetchText(server.addressOf(session));
      return page
        .replace(/<link [^>]{1,200}>/, () => `<style>${style}</style>`)
        .replace(/<script [^>]{1,200}><\/script>/, '');
    },
    parts,
    close: () => server.close(),
  };
}

/**
 * Embeds the Latin letters of the page's font in the style sheet, because the page may not load files. Other letters come
 * from the system, to keep the page small.
 */
async function withFont(site: string, sheet: string): Promise<string> {
  const [, file] = /url\((\/static\/fonts\/[\w-]{1,40}-latin-wght-normal\.woff2)\)/.exec(sheet) ?? [];
  if (file === undefined) return sheet;
  const font = Buffer.from(await (await fetch(site + file)).arrayBuffer()).toString('base64');
  return sheet.replace(/@font-face \{[^}]{1,2000}\}/g, (face) =>
    face.includes(file) ? face.replace(file, `data:font/woff2;base64,${font}`) : '',
  );
}

async function fetchText(address: string): Promise<string> {
  return (await fetch(address)).text();
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
