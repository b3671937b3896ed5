/** Info of `reset` and `step`, in addition to the observation. */
export interface MiniWoBInfo extends Record<string, unknown> {
  /** The instruction, also after the end. */
  readonly instruction: string;
  /** Name of the task, e.g. `click-button`. */
  readonly task: string;
  /** The number that the page's chance begins with. */
  readonly pageSeed: number;
  /** Seconds that the original allows. */
  readonly timeLimit: number;
  /** Seconds of the page's clock since it was loaded. */
  readonly time: number;
  readonly taskKey?: string;
  /** Elements as thoughts name them, e.g. `3 is button "Login"`; names are cut at 80 characters. */
  readonly elements: readonly string[];
  /** At the end: the reward without the loss by time. */
  readonly rawReward?: number;
  /** At the end: the whole reward was gained. */
  readonly success?: boolean;
  /** At the end: the page's reason, if it gives one. */
  readonly endReason?: string;
  readonly actionValid?: boolean;
  readonly actionEffective?: boolean;
  /** The reason why the last action was not performed. */
  readonly reason?: string;
  /** The reason why the page was lost. */
  readonly lost?: string;
  /** Requests of the page that were refused in this episode. */
  readonly blockedRequests: number;
}
