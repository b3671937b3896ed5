/** Generated households as data. */
import type { TaskType } from '../games/task.js';
import type { Layout, Receptacle } from './layout.js';
import type { OwnRules } from './rules.js';

/**
 * `train` and `seen` share layouts and differ in everything else; `unseen` has different layouts, as ALFWorld's
 * `valid_unseen` has different floor plans.
 */
export const GENERATED_SPLITS = ['train', 'seen', 'unseen'] as const;
export type GeneratedSplit = (typeof GENERATED_SPLITS)[number];

/** An object at its initial position. */
export interface Thing {
  readonly type: string;
  readonly id: string;
  readonly position: readonly [x: number, y: number, z: number];
  readonly receptacle: Receptacle;
}

export interface Target {
  readonly type: TaskType;
  readonly object: string;
  /** Class of the receptacle; empty for the lamp task. */
  readonly receptacle: string;
  /** Class of the lamp; empty for other tasks. */
  readonly lamp: string;
}

export interface Household {
  /** E.g. `train/pick_two_obj_and_place/123`, `…/123/published`, or `own/my-kitchen`; identifies the household. */
  readonly id: string;
  readonly split: GeneratedSplit;
  readonly seed: number;
  readonly layout: Layout;
  readonly things: readonly Thing[];
  readonly target: Target;
  /** Without a full stop. */
  readonly sentence: string;
  /** Classes beyond ALFWorld's tables, in a custom household. */
  readonly rules?: OwnRules;
}
