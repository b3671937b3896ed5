/** Actions as tools with JSON Schema, for models that call functions. */
export interface ShopTool {
  readonly name: string;
  readonly description: string;
  /** Name of the main argument; empty if the tool has none. */
  readonly argument: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

export function tool(
  name: string,
  description: string,
  argument = '',
  about = '',
  type: 'string' | 'integer' = 'string',
): ShopTool {
  return {
    name,
    description,
    argument,
    parameters: {
      type: 'object',
      properties: {
        thoughts: { type: 'string', description: 'What you see and plan.' },
        ...(argument && { [argument]: { type, description: about } }),
      },
      required: argument ? [argument] : [],
      additionalProperties: false,
    },
  };
}

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
export const SHOP_TOOLS: readonly ShopTool[] = [SEARCH_TOOL, CLICK_TOOL];
