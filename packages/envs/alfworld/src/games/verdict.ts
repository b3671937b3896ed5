/** Whether a folder of ALFWorld's data is a playable game. */
import type { TaskType } from './task.js';

export type RejectionReason =
  | 'path-movable'
  | 'path-sliced'
  | 'task-type'
  | 'no-game-file'
  | 'solvable-unknown'
  | 'unsolvable'
  | 'broken';

export interface Rejection {
  readonly folder: string;
  readonly reason: RejectionReason;
  /** The error in the file, for `broken`. */
  readonly message?: string;
}

/** Result of reading a game file and its trajectory, as cached. */
export type Verdict = { readonly taskType: TaskType } | Omit<Rejection, 'folder'>;
