/** Info of a site, in addition to the observation. */
export type SiteInfo = {
  instruction: string;
  /** Index of the task, from 0. */
  task: number;
  /** Address and instruction of the task; at reset. */
  taskKey?: string;
  /** Requests of this episode to origins that the task does not allow. */
  blockedRequests: number;
  actionValid?: boolean;
  /** The text or the address of the page changed. */
  actionEffective?: boolean;
  reason?: string;
  /** The reason why the episode was truncated. */
  lost?: string;
};
