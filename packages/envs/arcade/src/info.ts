/** `info` of a step. */
export interface ArcadeInfo extends Record<string, unknown> {
  readonly score: number;
  /** Milliseconds of the game's clock. */
  readonly time: number;
  /** The state in words, if the game tells it. */
  readonly state?: string;
  readonly taskKey?: string;
  /** At the end. */
  readonly success?: boolean;
  /** The reason why the page was lost. */
  readonly lost?: string;
  /** Requests of the page that were refused, since the episode began. */
  readonly blockedRequests: number;
  /** Errors of the page's scripts. */
  readonly errors: readonly string[];
}
