/** Info of a household environment, in addition to the observation. */
import type { TaskType } from '../games/task.js';

export type HouseholdInfo = {
  won: boolean;
  /** Equal to `won`; `evaluate` reads this name. */
  success: boolean;
  /** Sorted by code point. */
  admissibleCommands: readonly string[];
  /** The sentence after `Your task is to: `. */
  task: string;
  /** One of the six; `other` for a goal of unknown form. */
  taskType: TaskType | 'other';
  /** Id of the game: `reset({ options: { game } })` plays it again. */
  game: string;
  /** Room and goal of the game, independent of positions; at reset. */
  taskKey?: string;
  split: string;
  /** Share of the goal's conditions that are met, 0 to 1: a level, not an increase. */
  goalConditionSuccessRate: number;
  /** Steps of the episode, admissible or not. */
  steps: number;
  /** Whether the last action was admissible; true after a reset. */
  legal: boolean;
  /** Parts of the reward by name; absent after a reset. */
  rewardParts?: Record<string, number>;
  /** The reason why the episode was truncated. */
  truncatedBy?: 'step-limit' | 'cut';
  /** Path of the game's file, if it has one. */
  gameFile?: string;
};
