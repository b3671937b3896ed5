/** A level, the task of an episode, and what a step brings. */
import type { Thing } from './thing.js';
import type { World } from './world.js';

export interface Outcome {
  readonly reward: number;
  readonly terminated: boolean;
  readonly truncated: boolean;
}

/** A goal, as the expert reads it. */
export type Goal =
  /** Stand in the cell. */
  | { readonly kind: 'reach'; readonly x: number; readonly y: number }
  /** Stand next to a cell; `faced` asks to look at it, too. Then say `done` where the level wants to hear it. */
  | { readonly kind: 'goto'; readonly cells: () => readonly Cell[]; readonly faced: boolean; readonly done?: boolean }
  | { readonly kind: 'pickup'; readonly things: readonly Thing[] }
  | { readonly kind: 'open'; readonly doors: readonly Thing[] }
  /** Drop one of the things within a distance of a cell: next to it (4 neighbors), or around it (8 neighbors). */
  | {
      readonly kind: 'put';
      readonly things: readonly Thing[];
      readonly cells: () => readonly Cell[];
      readonly diagonal: boolean;
    };

export type Cell = readonly [x: number, y: number];

export interface Task {
  readonly mission: string;
  /** The next goal; `undefined` if nothing is left to do or nobody knows. */
  readonly goal: () => Goal | undefined;
  /** A step by the level's own rules around those of every level (`act`). */
  readonly step?: (action: number, act: (action: number) => Outcome) => Outcome;
  /** Happens after the first observation. */
  readonly begin?: () => void;
  /** The limit of steps if the task decides it. */
  readonly maxSteps?: number;
}

export interface Level {
  readonly width: number;
  readonly height: number;
  /** 0 if the task decides it. */
  readonly maxSteps: number;
  readonly seeThroughWalls?: boolean | undefined;
  /** Size of the action space: the first of the seven actions. Default 7. */
  readonly actions?: number | undefined;
  /** Builds the world with its generator. */
  readonly generate: (world: World) => Task;
}
