/** The action grammar of section 4.5: `search[words]` and `click[thing]`. */

export interface ShopAction {
  readonly name: string;
  /** In lower case. */
  readonly argument: string | undefined;
}

/**
 * The part before the last bracket that can open an argument, and the argument up to the last `]`. What follows is
 * ignored; a line feed before the bracket, or an empty argument, makes it no action.
 */
export function parseAction(text: string): ShopAction {
  const line = text.indexOf('\n');
  const first = line < 0 ? text : text.slice(0, line);
  // greedy: the last "[" such that at least one character and a "]" follow
  const close = first.lastIndexOf(']');
  const open = close < 2 ? -1 : first.lastIndexOf('[', close - 2);
  if (open < 1) return { name: text, argument: undefined };
  return { name: first.slice(0, open), argument: first.slice(open + 1, close).toLowerCase() };
}

export const searchFor = (words: string): string => `search[${words}]`;
export const click = (thing: string): string => `click[${thing}]`;
