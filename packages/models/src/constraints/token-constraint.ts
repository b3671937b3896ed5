/** A constraint on responses: at each token, the tokens that can still lead to an allowed text. */
export interface TokenConstraint {
  /** Before the first token. */
  readonly start: ConstraintState;
}

/** After some tokens. Equal states may be one object, so that their flags are computed once. */
export interface ConstraintState {
  /** [vocabulary] 1 for tokens that may come next; end tokens where the text may end. At least one is 1. */
  allowed(vocabulary: number): Uint8Array;
  /** Null if the text leaves the constraint with this token. */
  next(id: number): ConstraintState | null;
}
