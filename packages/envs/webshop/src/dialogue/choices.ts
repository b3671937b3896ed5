/** The actions that are possible on a page, and the error for one that is not. */
import type { ParseFailure } from '@vlgym/core';
import type { WebShopInfo } from '../env/info.js';
import { click, parseAction, searchFor } from '../shop/action.js';

/** Choices on the page: its clickable elements and, with a search box, a search for the instruction's words. */
export function choices({ availableActions, instruction }: WebShopInfo): string[] {
  const { hasSearchBar, clickables } = availableActions;
  const clicks = clickables.filter((name) => name !== 'search').map(click);
  return hasSearchBar ? [searchFor(instruction.replace(/[[\]\n]/g, ' ')), ...clicks] : clicks;
}

export function failure(action: string, { availableActions }: WebShopInfo): ParseFailure | undefined {
  const { name, argument } = parseAction(action);
  if (argument === undefined) return 'no-action';
  if (name === 'search') return availableActions.hasSearchBar ? undefined : 'unavailable-action';
  if (argument === 'search') return 'unavailable-action';
  return availableActions.clickables.includes(argument) ? undefined : 'unavailable-action';
}

export function hint(action: string, info: WebShopInfo): string {
  const listed = choices(info).slice(0, 60).join(', ');
  return `${JSON.stringify(action.slice(0, 60))} cannot be done on this page. Do one of: ${listed}.`;
}
