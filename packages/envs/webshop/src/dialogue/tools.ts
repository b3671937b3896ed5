/** Actions of the shop as tools. */
import { type ActionTool, tool } from '@vlgym/site/text';

export const SEARCH_TOOL = tool(
  'search_action',
  'Search the shop. Works on the page with the search box.',
  'keywords',
  'Words to search for.',
);

export const CLICK_TOOL = tool(
  'click_action',
  'Click a button, a product or an option of the page.',
  'value',
  'What to click, as it stands in the list of actions, e.g. "buy now".',
);

/** The shop as two tools. */
export const SHOP_TOOLS: readonly ActionTool[] = [SEARCH_TOOL, CLICK_TOOL];
