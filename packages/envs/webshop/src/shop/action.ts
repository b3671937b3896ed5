/** The action grammar (`docs/specs/webshop.md` 4.5): `search[words]` and `click[thing]`. */
import { pythonLower } from '../python/lower-case.js';

export interface ShopAction {
  readonly name: string;
  /** Argument in lower case. */
  readonly argument: string | undefined;
}

/**
 * Reads the name before the last bracket that can open an argument, and the argument up to the last `]`. The rest is
 * ignored. A text with a line feed before the bracket, or an empty argument, is not an action.
 *
 * @param strict  Everything after `click[` or `search[` is the argument, including brackets. In the original
 *   `click[8 [us] men]` has the name `click[8 `, so such an option cannot be chosen.
 */
export function parseAction(text: string, strict = false): ShopAction {
  const line = text.indexOf('\n');
  const first = line < 0 ? text : text.slice(0, line);
  const close = first.lastIndexOf(']');
  const open = close < 2 ? -1 : openBracket(first, close, strict);
  if (open < 1) return { name: text, argument: undefined };
  return { name: first.slice(0, open), argument: pythonLower(first.slice(open + 1, close)) };
}

function openBracket(line: string, close: number, strict: boolean): number {
  const known = strict && /^(?:click|search)\[/.test(line) ? line.indexOf('[') : -1;
  if (known > 0 && known < close - 1) return known;
  // Greedy: the last "[" that is followed by at least one character and a "]".
  return line.lastIndexOf('[', close - 2);
}

export const searchFor = (words: string): string => `search[${words}]`;
export const click = (thing: string): string => `click[${thing}]`;
