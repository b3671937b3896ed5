/**
 * The shop on the page: its real pages, served by the shop's own server, beside the environment.
 *
 * The environment holds the truth: a click on the page becomes an action, the environment takes the step, and the shop's
 * server is asked for the page of the address where it has led. So a recording holds what an agent would have done.
 */
import type { AnyEnv, Info } from '@vlgym/core';
import { type RewardParts, ShopServer, WebShopBrowserEnv, WebShopEnv, type WebShopInfo } from '@vlgym/webshop';
import { type PlayView, type Stage, shortNumber } from './view.js';

const VISITOR = 'person';

export interface ShopStage extends Stage {
  close(): Promise<void>;
}

/** How the shop is shown; `undefined` for every other environment. */
export async function shopStage({ unwrapped }: AnyEnv): Promise<ShopStage | undefined> {
  const parts = (info: Info) => partsOf((info as WebShopInfo).rewardParts);
  if (unwrapped instanceof WebShopBrowserEnv) return { parts, close: async () => {} };
  if (!(unwrapped instanceof WebShopEnv)) return undefined;
  const server = new ShopServer(unwrapped.shop);
  const site = await server.listen();
  // the instruction stands above the page, where it stays
  const style = `${await fetchText(`${site}/static/shop.css`)} #instruction-text { display: none; }`;
  return {
    async html(info) {
      const { url, goalIndex } = info as WebShopInfo;
      server.open(VISITOR, goalIndex);
      const page = await fetchText(site + pathOf(url));
      return page.replace(/<link [^>]*>/, () => `<style>${style}</style>`).replace(/<script [^>]*><\/script>/, '');
    },
    parts,
    close: () => server.close(),
  };
}

async function fetchText(address: string): Promise<string> {
  return (await fetch(address)).text();
}

const FORMS: Readonly<Record<string, RegExp>> = {
  search_results: /^(.*)\/(\d+)$/s,
  item_page: /^([^/]*)\/(.*?)\/(\d+)\/(\{.*\})$/s,
  item_sub_page: /^([^/]*)\/(.*?)\/(\d+)\/(\w+)\/(\{.*\})$/s,
  done: /^([^/]*)\/(\{.*\})$/s,
};

/** The environment writes addresses as the original does, nothing encoded: here each part is, and the visit is ours. */
function pathOf(url: string): string {
  const [page = '', , ...rest] = url.replace(/^\w+:\/\/[^/]+\//, '').split('/');
  const parts = FORMS[page]?.exec(rest.join('/'))?.slice(1);
  return parts ? `/${[page, VISITOR, ...parts].map(encodeURIComponent).join('/')}` : `/${VISITOR}`;
}

/** reward = kind x (attributes + options + price), each of the three a share of its weight. */
function partsOf(parts: RewardParts | undefined): PlayView['parts'] {
  if (!parts) return [];
  const share = (value: number, weight: number) => `${shortNumber(value * weight)} of ${shortNumber(weight)}`;
  return [
    ['attributes', share(parts.r_att, parts.w_att)],
    ...(parts.r_option === undefined ? [] : [['options', share(parts.r_option, parts.w_option ?? 0)] as const]),
    ['price', share(Number(parts.r_price), parts.w_price)],
    ['× kind of product', shortNumber(parts.r_type)],
  ];
}
