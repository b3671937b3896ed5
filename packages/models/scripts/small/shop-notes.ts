/**
 * Actions and thoughts of a shopper without hidden knowledge: take the first product below the price, choose the options
 * that the instruction names, buy. A model that must state the price and the names looks for them on every page.
 */
import type { WebShopInfo } from '@vlgym/webshop';

/** An answer: a thought, and the action as the environment takes it. */
export interface Choice {
  readonly thought?: string;
  readonly action: string;
}

export interface Offer {
  readonly code: string;
  /** As the page has it: `$28.99 to $41.95`. */
  readonly price: string;
}

const SEPARATOR = ' [SEP] ';
const BUTTONS = ['back to search', '< prev', 'next >', 'description', 'features', 'reviews', 'buy now'];

/**
 * @param search  The search for the whole instruction.
 * @param chosen  Options that were clicked on this page.
 */
export function shopperChoice(
  page: string,
  info: WebShopInfo,
  search: string,
  chosen: readonly string[] = [],
): Choice | undefined {
  switch (info.page) {
    case 'index':
      return { action: search };
    case 'results': {
      const offers = offersOf(page);
      return offers.length > 0 ? productBelow(offers, limitOf(info.instruction)) : undefined;
    }
    case 'item': {
      const open = namedOptions(page, info).filter((name) => !chosen.includes(name));
      return { thought: choiceOf(open), action: `click[${open[0] ?? 'buy now'}]` };
    }
    default:
      return undefined;
  }
}

/** `choose pink, small.` */
export const choiceOf = (options: readonly string[]): string => `choose ${options.join(', ') || 'none'}.`;

/** The price in an instruction, as written. */
const limitOf = (instruction: string): string | undefined => /lower than ([\d.]+) dollars/.exec(instruction)?.[1];

/** The first product at or below a price; without one, the first product. */
export function productBelow(offers: readonly Offer[], limit: string | undefined): Choice {
  const lowest = ({ price }: Offer) => /\$[\d.]+/.exec(price)![0];
  const found = offers.find((offer) => limit === undefined || Number(lowest(offer).slice(1)) <= Number(limit));
  const { code } = found ?? offers[0]!;
  const thought = `${limit === undefined ? 'any price' : `below ${limit}`}: ${found ? lowest(found) : 'none'}.`;
  return { thought, action: `click[${code.toLowerCase()}]` };
}

/** The products of a page of results, in order. */
export function offersOf(page: string): Offer[] {
  const parts = page.split(SEPARATOR);
  return parts.flatMap((code, place) => (/^B0[A-Z0-9]{8}$/.test(code) ? [{ code, price: parts[place + 2]! }] : []));
}

/** Options of an item's page that the instruction names, in the order of the page, the longest name of each group. */
export function namedOptions(page: string, { instruction, availableActions }: WebShopInfo): string[] {
  const said = ` ${words(instruction)} `;
  const named = new Map<string, string>();
  let group = '';
  for (const part of page.split(SEPARATOR).map((each) => each.toLowerCase())) {
    if (BUTTONS.includes(part)) continue;
    // names of groups cannot be clicked
    if (!availableActions.clickables.includes(part)) group = part;
    else if (said.includes(` ${words(part)} `) && part.length > (named.get(group)?.length ?? 0)) named.set(group, part);
  }
  return [...named.values()];
}

const words = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\w&$.]+|\.(?!\d)/g, ' ')
    .trim();
