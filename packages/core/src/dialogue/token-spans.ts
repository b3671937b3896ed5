/** Character spans of a parsed response as masks over its tokens (`docs/specs/algorithms.md` 3.3). */
import type { ParsedResponse } from './dialogue.js';

/** Two [T] masks, 1 where a token belongs to the span; disjoint, and together they cover every token. */
export interface TokenSpans {
  readonly thought: Uint8Array;
  readonly action: Uint8Array;
}

/**
 * A token belongs to the action span if its character range ends after the marker starts, however the tokenizer
 * merges `"action` and `":`; all others are thought. Without a thought span every token is action.
 *
 * @param tokenEnds  [T] UTF-16 offset in the response at which each token ends, never decreasing; tokens without
 *                   characters (end of sequence) end where they start.
 */
export function tokenSpans(parsed: Pick<ParsedResponse, 'spans'>, tokenEnds: ArrayLike<number>): TokenSpans {
  const start = parsed.spans.thought ? parsed.spans.action[0] : -1;
  const action = Uint8Array.from(tokenEnds, (end) => (end > start ? 1 : 0));
  return { action, thought: action.map((inside) => 1 - inside) };
}
