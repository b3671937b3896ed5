/** The words of the shop for a person: goal, rules and score, why an action is not possible, how the visit ended. */
import { closest } from '@vlgym/core';
import type { EnvGuide } from '@vlgym/core/registry';
import { click, parseAction } from '../shop/action.js';
import type { AvailableActions } from '../shop/observe.js';
import type { Session } from '../shop/session.js';

export const SHOP_GUIDE: EnvGuide = {
  goal: 'Find the product that the instruction describes, and buy it.',
  rules:
    'Search with a few words, open a product, choose its options, then buy. Description, Features and Reviews tell more ' +
    'about a product. The first purchase ends the visit.',
  score:
    'The purchase gives up to 1: for the attributes and options that were asked for, for the price, and for the right kind ' +
    'of product. Nothing else counts.',
};

/** @param action  One that the page refuses. */
export function refusalOf(action: string, { hasSearchBar, clickables }: AvailableActions, strict = false): string {
  const { name, argument } = parseAction(action, strict);
  const form = 'Write search[words] or click[name], for example click[buy now].';
  if (argument === undefined) {
    const bare = clickables.find((each) => each.toLowerCase() === action.trim().toLowerCase());
    return bare === undefined ? form : `Write ${click(bare)}.`;
  }
  if (name === 'search' || argument === 'search') {
    return hasSearchBar
      ? 'Write what to search for: search[words].'
      : 'This page has no search box; click[back to search] leads to it.';
  }
  if (name !== 'click') return `Unknown action "${name.slice(0, 40)}". ${form}`;
  if (argument === 'next >' && clickables.includes(argument)) return 'There are no more results.';
  const near = closest(argument, clickables);
  const more = near === undefined ? '' : ` Did you mean ${click(near)}?`;
  return `There is nothing named "${argument.slice(0, 60)}" on this page.${more}`;
}

export function endWords(isBought: boolean, { reward, asin, goal }: Session): string {
  if (!isBought) return 'The last step is used, and nothing was bought.';
  if (reward === 1) return 'The product fits everything that was asked for.';
  return asin === goal.asin
    ? 'It is the right product, but not all that was asked for was chosen.'
    : 'Another product fits the instruction better.';
}

export const scoreWords = ({ reward }: Session): string =>
  `Thank you for shopping with us! Your score is ${Math.round(100 * (reward ?? 0))} of 100.`;
