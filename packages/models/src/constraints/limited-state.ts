/**
 * A place in a grammar with the number of tokens that are left: as long as there is room, everything that the grammar
 * allows; then only tokens after which the text can still end in time, and where there are none, nothing optional.
 *
 * A token has at least one byte, so the bytes of the longest way out are a bound for its tokens.
 */
import type { AutomatonState } from './automaton.js';
import type { ConstraintState, TokenConstraint } from './token-constraint.js';

/** The successor states of one state, for the tokens of a vocabulary. */
export interface TokenTable {
  /** [vocabulary] 1 for allowed tokens. */
  readonly flags: Uint8Array;
  /** [vocabulary] tokens that suffice after each, the end included; 0 after the end. */
  readonly reserves: Int32Array;
  /** The largest of them. */
  readonly most: number;
}

export interface Grammar {
  readonly start: AutomatonState;
  /** Tokens of a whole text, its end included; infinity where any length will do. */
  readonly maxTokens: number;
  /** At least the ids of the tokenizer. */
  readonly vocabulary: number;
  readonly tableOf: (state: AutomatonState, vocabulary: number) => TokenTable;
  /** The state after a token; null if the token has no text. */
  readonly after: (id: number, state: AutomatonState) => AutomatonState | null;
}

/** Equal places with equally many tokens left are one object. */
export function limitedConstraint({ start, maxTokens, vocabulary, tableOf, after }: Grammar): TokenConstraint {
  const known = new Map<AutomatonState, Map<number, ConstraintState>>();

  const inTime = (state: AutomatonState, remaining: number, size: number) => {
    const { flags, reserves, most } = tableOf(state, size);
    if (most < remaining || state.closing === state) return { flags, from: state };
    const some = flags.map((flag, id) => (flag === 1 && reserves[id]! < remaining ? 1 : 0));
    if (some.includes(1)) return { flags: some, from: state };
    return { flags: tableOf(state.closing, size).flags, from: state.closing };
  };

  const of = (state: AutomatonState, remaining: number): ConstraintState => {
    const places = known.get(state) ?? new Map<number, ConstraintState>();
    known.set(state, places);
    const found = places.get(remaining);
    if (found) return found;
    let allowed: ReturnType<typeof inTime> | undefined;
    const made: ConstraintState = {
      allowed(size) {
        allowed ??= inTime(state, remaining, size);
        return allowed.flags;
      },
      next(id) {
        allowed ??= inTime(state, remaining, vocabulary);
        const reached = allowed.flags[id] === 1 ? after(id, allowed.from) : null;
        return reached && of(reached, remaining - 1);
      },
    };
    places.set(remaining, made);
    return made;
  };

  return { start: of(start, maxTokens) };
}
