/** Where rows stand among the tokens that a model reads: each on a line of its own, or turns of a conversation on one. */
import type { Tensor } from '@vlgym/gpu';
import type { BatchBuilder, TokenBatch } from '../../batch/batch-builder.js';
import type { TokenRow } from '../../batch/token-rows.js';

/** A prompt with its response. */
export type ResponseRow = TokenRow & { readonly responseIds: Int32Array };

export interface Lines {
  readonly tokens: TokenBatch;
  /** Columns that are read. */
  readonly width: number;
  /** Hidden states of all lines [lines, T, D] → those that the response tokens follow from [B, L, D]; L is the longest. */
  readonly statesOf: (hidden: Tensor) => Tensor;
}

/** Responses start in one column. */
export function ownLines(builder: BatchBuilder, rows: readonly ResponseRow[]): Lines {
  const longest = longestResponse(rows);
  // the last token is predicted, never read
  const tokens = builder.tokens(rows, longest - 1);
  const { promptLength } = tokens;
  return {
    tokens,
    width: promptLength + longest - 1,
    statesOf: (hidden) => hidden.narrow(1, promptLength - 1, longest),
  };
}

/**
 * Each conversation is read once, its longest row alone; a row's states are picked from there. Padding stands on the
 * right, where no token attends to it: lines of any length need no mask, and attention without one takes less time.
 *
 * @param conversations  Positions of rows, each once: groups whose last row continues all others.
 */
export function sharedLines(
  builder: BatchBuilder,
  rows: readonly ResponseRow[],
  conversations: readonly (readonly number[])[],
): Lines {
  const longest = longestResponse(rows);
  const last = conversations.map((group) => rows[group.at(-1)!]!);
  const width = Math.max(...last.map(({ promptIds, responseIds }) => promptIds.length + responseIds.length - 1));
  const tokens = builder.tokens(
    last.map((row) => wholeLine(row, width, builder.imageToken)),
    0,
  );
  const places = new Int32Array(rows.length * longest);
  for (const [line, group] of conversations.entries()) {
    for (const row of group) {
      const { promptIds, responseIds } = rows[row]!;
      // padding repeats the last state, which a mask hides
      for (let token = 0; token < longest; token += 1)
        places[row * longest + token] = line * width + promptIds.length - 1 + Math.min(token, responseIds.length - 1);
    }
  }
  const index = builder.ints(places, [places.length]);
  const statesOf = (hidden: Tensor) =>
    hidden
      .flatten(0, 1)
      .indexSelect(0, index)
      .view([rows.length, longest, hidden.size(2)]);
  return { tokens, width, statesOf };
}

/** Prompt and response as one prompt of `width` tokens; padding is any token but that of pictures. */
function wholeLine({ promptIds, images, responseIds }: ResponseRow, width: number, imageToken: number): TokenRow {
  const ids = new Int32Array(width).fill(imageToken === 0 ? 1 : 0);
  ids.set(promptIds);
  ids.set(responseIds.subarray(0, -1), promptIds.length);
  return { promptIds: ids, images };
}

function longestResponse(rows: readonly ResponseRow[]): number {
  return Math.max(...rows.map(({ responseIds }) => responseIds.length));
}
