/**
 * Comparisons of two runs, or of two agents of a recording: messages of the server to the page, and the question as the page
 * asks it. Used on both sides: no import from Node, and none from the page.
 */

/** A run, or the episodes of one of the agents that a recording holds. */
export interface ComparedName {
  readonly run: string;
  readonly agent?: string | undefined;
}

/** An export keeps the answer under it. */
export function comparePath(first: ComparedName, second: ComparedName): string {
  const params = new URLSearchParams({ first: first.run, second: second.run });
  if (first.agent !== undefined) params.set('firstAgent', first.agent);
  if (second.agent !== undefined) params.set('secondAgent', second.agent);
  return `compare?${params}`;
}

export interface ConfigDifference {
  readonly name: string;
  readonly first?: string;
  readonly second?: string;
}

export interface PairedSeed {
  readonly seed: number;
  /** Earlier attempts at the seed; absent for the first. */
  readonly repeat?: number;
  readonly first: { readonly id: string; readonly success: boolean; readonly return: number };
  readonly second: { readonly id: string; readonly success: boolean; readonly return: number };
}

export interface RunComparison {
  readonly settings: readonly ConfigDifference[];
  readonly pairs: readonly PairedSeed[];
  /** Their agents; empty if the recordings name none. */
  readonly agents: readonly [string, string];
  readonly environments: readonly [string, string];
  /** Equal seeds that are left out: their tasks differ, or one of the two says nothing about its agent. */
  readonly otherTasks: number;
  readonly uncounted: number;
  /** Absent without a pair. */
  readonly figures?: PairedFigures;
}

export interface PairedFigures {
  /** Success of the first minus that of the second, as a share of 1. */
  readonly difference: number;
  readonly interval95: readonly [number, number];
  readonly pValue: number;
  readonly tasks: number;
  readonly onlyFirst: number;
  readonly onlySecond: number;
}
