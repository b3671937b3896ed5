/**
 * TMaze, YMaze and Maze.
 *
 * Layouts and the order of draws follow `Farama-Foundation/Miniworld`, `miniworld/envs/{tmaze,ymaze,maze}.py`.
 */
import { checkedInteger, checkedNumber, InvalidOptionError } from '@vlgym/core';
import { Box } from '../world/entity.js';
import { FAST_PARAMETERS, type Triple } from '../world/parameters.js';
import type { Placement } from '../world/placement.js';
import type { PlanPoint, Room } from '../world/room.js';
import type { World } from '../world/world.js';
import { aheadIsh } from './rooms.js';
import { type Rules, reach, type Task } from './task.js';

export interface ForkOptions {
  /** The point around which the box stands; omitted: in one of the two arms at random. */
  readonly goalPos?: Triple | undefined;
}

const FORK_STEPS = 280;

export function tMaze({ goalPos }: ForkOptions = {}): Task {
  checkGoal(goalPos);
  return {
    name: 'TMaze',
    maxEpisodeSteps: FORK_STEPS,
    options: { goalPos: goalPos ?? null },
    ...startOf(goalPos),
    phrase: 'find the red box in one of the two arms of the maze and go to it',
    build(world) {
      const stem = world.addRoom({ minX: -1, maxX: 8, minZ: -2, maxZ: 2 });
      const bar = world.addRoom({ minX: 8, maxX: 12, minZ: -8, maxZ: 8 });
      world.connectRooms(stem, bar, { minZ: -2, maxZ: 2 });
      return fork(world, stem, goalPos, () =>
        world.rng.integers(2) === 0 ? { room: bar, maxZ: bar.minZ + 2 } : { room: bar, minZ: bar.maxZ - 2 },
      );
    },
  };
}

export const tMazeLeft = ({ goalPos = [10, 0, -6] }: ForkOptions = {}): Task => ({
  ...tMaze({ goalPos }),
  name: 'TMazeLeft',
});

export const tMazeRight = ({ goalPos = [10, 0, 6] }: ForkOptions = {}): Task => ({
  ...tMaze({ goalPos }),
  name: 'TMazeRight',
});

const MAIN_ARM: readonly PlanPoint[] = [
  [-9.15, -2],
  [-9.15, 2],
  [-1.15, 2],
  [-1.15, -2],
];

const HUB: readonly PlanPoint[] = [
  [-1.15, -2],
  [-1.15, 2],
  [2.31, 0],
];

export function yMaze({ goalPos }: ForkOptions = {}): Task {
  checkGoal(goalPos);
  return {
    name: 'YMaze',
    maxEpisodeSteps: FORK_STEPS,
    options: { goalPos: goalPos ?? null },
    ...startOf(goalPos),
    phrase: 'find the red box in one of the two arms of the maze and go to it',
    build(world) {
      const main = world.addRoom({ outline: MAIN_ARM });
      const hub = world.addRoom({ outline: HUB });
      const left = world.addRoom({ outline: turned(MAIN_ARM, -120 * (Math.PI / 180)) });
      const right = world.addRoom({ outline: turned(MAIN_ARM, 120 * (Math.PI / 180)) });
      world.connectRooms(main, hub, { minZ: -2, maxZ: 2 });
      world.connectRooms(left, hub, { minZ: -1.995, maxZ: 0 });
      world.connectRooms(right, hub, { minZ: 0, maxZ: 1.995 });
      return fork(world, main, goalPos, () =>
        world.rng.integers(2) === 0 ? { room: left, maxZ: left.minZ + 2.5 } : { room: right, minZ: right.maxZ - 2.5 },
      );
    },
  };
}

export const yMazeLeft = ({ goalPos = [3.9, 0, -7] }: ForkOptions = {}): Task => ({
  ...yMaze({ goalPos }),
  name: 'YMazeLeft',
});

export const yMazeRight = ({ goalPos = [3.9, 0, 7] }: ForkOptions = {}): Task => ({
  ...yMaze({ goalPos }),
  name: 'YMazeRight',
});

/** With a given goal the box stays in place, apart from its own size, so episodes differ by the agent's start. */
const startOf = (goal: Triple | undefined): Pick<Task, 'startIsContent'> => (goal ? { startIsContent: true } : {});

/** Places box and agent in a forked maze. With a given goal, each attempt draws a room, as in the original. */
function fork(world: World, start: Room, goal: Triple | undefined, arm: () => Placement): Rules {
  const place = goal ? { minX: goal[0], maxX: goal[0], minZ: goal[2], maxZ: goal[2] } : arm();
  const box = world.placeEntity(new Box('red'), place);
  const direction = aheadIsh(world);
  world.placeAgent({ direction, room: start });
  return {
    ...reach(world, box, FORK_STEPS),
    info: (moment) => (moment === 'step' ? { goal_pos: [box.x, box.y, box.z] } : undefined),
  };
}

/** Rotates about the vertical axis, with half angles for the same rounding as in the original. */
function turned(outline: readonly PlanPoint[], angle: number): PlanPoint[] {
  const a = Math.cos(angle / 2);
  const c = -Math.sin(angle / 2);
  const A = a * a - c * c;
  const B = -2 * a * c;
  return outline.map(([x, z]) => [x * A + z * B, -x * B + z * A]);
}

function checkGoal(goal: Triple | undefined): void {
  if (goal === undefined) return;
  const isValid = Array.isArray(goal) && goal.length === 3 && goal.every((value) => Math.abs(value) <= 1e5);
  if (!isValid) throw new InvalidOptionError('goalPos', goal, 'three numbers [x, y, z] in meters');
}

export interface MazeOptions {
  /** Default 8. */
  readonly numRows?: number | undefined;
  /** Default 8. */
  readonly numCols?: number | undefined;
  /** Side of a cell in meters; default 3. */
  readonly roomSize?: number | undefined;
  /** Default 24 per cell. */
  readonly maxEpisodeSteps?: number | undefined;
}

/** Meters of wall between two cells. */
const GAP = 0.25;

/** Right, left, up, down as [row, column], in the order of the original. */
const NEIGHBORS = [
  [0, 1],
  [0, -1],
  [-1, 0],
  [1, 0],
] as const;

export function maze({
  numRows = 8,
  numCols = 8,
  roomSize = 3,
  maxEpisodeSteps = numRows * numCols * 24,
}: MazeOptions = {}): Task {
  checkedInteger('numRows', numRows, 1, 50);
  checkedInteger('numCols', numCols, 1, 50);
  checkedNumber('roomSize', roomSize, 1, 100);
  checkedInteger('maxEpisodeSteps', maxEpisodeSteps, 1, 1e9);
  return {
    name: 'Maze',
    maxEpisodeSteps,
    options: { numRows, numCols, roomSize },
    phrase: 'find the red box in the maze and go to it',
    build(world) {
      carve(world, numRows, numCols, roomSize);
      const box = world.placeEntity(new Box('red'));
      world.placeAgent();
      return reach(world, box, maxEpisodeSteps);
    },
  };
}

export const mazeS2 = ({ numRows = 2, numCols = 2, ...rest }: MazeOptions = {}): Task => ({
  ...maze({ numRows, numCols, ...rest }),
  name: 'MazeS2',
});

export const mazeS3 = ({ numRows = 3, numCols = 3, ...rest }: MazeOptions = {}): Task => ({
  ...maze({ numRows, numCols, ...rest }),
  name: 'MazeS3',
});

export const mazeS3Fast = ({ maxEpisodeSteps = 300, ...rest }: MazeOptions = {}): Task => ({
  ...mazeS3({ maxEpisodeSteps, ...rest }),
  name: 'MazeS3Fast',
  parameters: FAST_PARAMETERS,
});

/** Carves the maze depth first from the first cell. The order of draws and visits follows the original. */
function carve(world: World, rows: number, columns: number, size: number): void {
  const cells: Room[][] = [];
  for (let row = 0; row < rows; row += 1) {
    const line: Room[] = [];
    for (let column = 0; column < columns; column += 1) {
      const minX = column * (size + GAP);
      const minZ = row * (size + GAP);
      line.push(world.addRoom({ minX, maxX: minX + size, minZ, maxZ: minZ + size, wallTexture: 'brick_wall' }));
    }
    cells.push(line);
  }
  const visited = new Set<Room>();
  const visit = (row: number, column: number): void => {
    const cell = cells[row]![column]!;
    visited.add(cell);
    for (const [rowStep, columnStep] of drawnOrder(world)) {
      const neighbor = cells[row + rowStep]?.[column + columnStep];
      if (!neighbor || visited.has(neighbor)) continue;
      const { minX, maxX, minZ, maxZ } = cell;
      world.connectRooms(cell, neighbor, columnStep === 0 ? { minX, maxX } : { minZ, maxZ });
      visit(row + rowStep, column + columnStep);
    }
  };
  visit(0, 0);
}

function drawnOrder(world: World): (typeof NEIGHBORS)[number][] {
  const left = [...NEIGHBORS];
  const order: (typeof NEIGHBORS)[number][] = [];
  while (left.length > 0) order.push(...left.splice(world.rng.integers(left.length), 1));
  return order;
}
