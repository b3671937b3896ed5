/** Actions of the shop in a browser: its two, by name, and mouse and keyboard. */
import { clickAction, INPUT_ACTIONS, type PageAction } from '@vlgym/site/pages';
import type { ActionTool } from '@vlgym/site/text';
import { pythonLower } from '../python/lower-case.js';
import { CLICK_TOOL, SEARCH_TOOL } from './tools.js';

const SEARCH: PageAction = {
  name: 'search',
  form: 'search[{words}]',
  does: 'searches the shop, on the page with the search box',
  tool: SEARCH_TOOL,
  refusal: (_, { hasSearchBar }) => (hasSearchBar ? undefined : 'this page has no search box'),
  lower: pythonLower,
};

export const BROWSER_ACTIONS: readonly PageAction[] = [SEARCH, clickAction(CLICK_TOOL, pythonLower), ...INPUT_ACTIONS];

/** Tools for the browser environment's `browser-tools-v1`. */
export const BROWSER_TOOLS: readonly ActionTool[] = BROWSER_ACTIONS.map((action) => action.tool);
