/** The rule baseline of the WebShop paper: search for the instruction, open the first product, buy it. It closes pop-ups first. */
import type { WebShopInfo } from '../env/info.js';
import { click, searchFor } from '../shop/action.js';

/** The rule's action on the page that `info` describes. */
export function ruleAction({ page, instruction, availableActions, popUp }: WebShopInfo): string {
  if (popUp !== undefined) return click(popUp);
  const { clickables } = availableActions;
  if (page === 'index') return searchFor(instruction.replace(/[[\]\n]/g, ' '));
  if (page === 'item') return click('buy now');
  if (page === 'cart') return click('place order');
  const product = clickables.find((name) => !['back to search', '< prev', 'next >'].includes(name));
  return click(page === 'results' && product ? product : 'back to search');
}
