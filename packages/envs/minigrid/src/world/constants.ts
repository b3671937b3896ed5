/** Names, numbers and colors of MiniGrid's things: Farama-Foundation/Minigrid, `minigrid/core/constants.py`. */

/** The types of things in a cell; the index is its number in an observation. */
export const THING_TYPES = [
  'unseen',
  'empty',
  'wall',
  'floor',
  'door',
  'key',
  'ball',
  'box',
  'goal',
  'lava',
  'agent',
] as const;
export type ThingType = Exclude<(typeof THING_TYPES)[number], 'unseen' | 'empty' | 'agent'>;

export const EMPTY = 1;
export const WALL = 2;
export const DOOR = 4;

/** The index is a color's number in an observation. */
export const COLORS = ['red', 'green', 'blue', 'purple', 'yellow', 'grey'] as const;
export type Color = (typeof COLORS)[number];

/** The order in which a color is drawn from the generator. */
export const COLOR_NAMES: readonly Color[] = [...COLORS].sort();

export const RGB: Readonly<Record<Color, readonly [red: number, green: number, blue: number]>> = {
  red: [255, 0, 0],
  green: [0, 255, 0],
  blue: [0, 0, 255],
  purple: [112, 39, 195],
  yellow: [255, 255, 0],
  grey: [100, 100, 100],
};

/** The index is a door's number in an observation. */
export const DOOR_STATES = ['open', 'closed', 'locked'] as const;

/** Columns and rows of one step in each direction: right, down, left, up. */
export const STEPS: readonly (readonly [columns: number, rows: number])[] = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
];

export const ACTIONS = ['left', 'right', 'forward', 'pickup', 'drop', 'toggle', 'done'] as const;
export const LEFT = 0;
export const RIGHT = 1;
export const FORWARD = 2;
export const PICKUP = 3;
export const DROP = 4;
export const TOGGLE = 5;
export const DONE = 6;

/** Objects that the agent can carry, in the order in which their kind is drawn. */
export const KINDS = ['key', 'ball', 'box'] as const;
export type Kind = (typeof KINDS)[number];
