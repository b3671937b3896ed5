/**
 * Find the ball behind locked and blocked doors: Farama-Foundation/Minigrid, `minigrid/envs/obstructedmaze.py` and
 * `obstructedmaze_v1.py`.
 */
import { COLOR_NAMES, STEPS } from '../../world/constants.js';
import { type RoomSizes, type Rooms, roomLevel } from '../../world/rooms.js';
import type { Level } from '../../world/task.js';
import { ball, box, key } from '../../world/thing.js';
import { pickupTask } from './unlock.js';

const ROOM_SIZE = 6;
const [BALL, BLOCKING_BALL, BOX] = COLOR_NAMES as [
  (typeof COLOR_NAMES)[number],
  (typeof COLOR_NAMES)[number],
  (typeof COLOR_NAMES)[number],
];

interface Difficulty {
  /** Keys lie in boxes. */
  readonly keyInBox?: boolean | undefined;
  /** A ball stands in front of each locked door. */
  readonly blocked?: boolean | undefined;
}

interface Maze extends Difficulty {
  readonly agentRoom: readonly [i: number, j: number];
  /** Sides of the middle room that belong to the maze, 1 to 4. */
  readonly quarters: number;
  readonly roomsVisited: number;
  /** 1: the key of a door never lies where a later ball or door would go. */
  readonly version?: 0 | 1;
}

const maxSteps = (roomsVisited: number) => 4 * roomsVisited * ROOM_SIZE ** 2;

/** Two rooms. */
export function obstructedPair({ keyInBox = true, blocked = true }: Difficulty = {}): Level {
  return roomLevel(sizes(1, 2), {
    maxSteps: maxSteps(2),
    generate(rooms) {
      const colors = rooms.world.subset(COLOR_NAMES, COLOR_NAMES.length);
      addLockedDoor(rooms, [0, 0], 0, colors[0]!, blocked);
      addKey(rooms, [0, 0], colors[0]!, keyInBox);
      const wanted = rooms.addObject(1, 0, 'ball', BALL);
      rooms.placeAgent(0, 0);
      return pickupTask(rooms.world, wanted);
    },
  });
}

/** Nine rooms. */
export function obstructedMaze({
  agentRoom,
  keyInBox = true,
  blocked = true,
  quarters,
  roomsVisited,
  version = 0,
}: Maze): Level {
  return roomLevel(sizes(3, 3), {
    maxSteps: maxSteps(roomsVisited),
    generate(rooms) {
      const colors = rooms.world.subset(COLOR_NAMES, COLOR_NAMES.length);
      const sides = ([[2, 1], [1, 2], [0, 1], [1, 0]] as const).slice(0, quarters); // biome-ignore format: one line
      for (const [index, side] of sides.entries()) {
        rooms.addDoor(1, 1, { index, color: colors[index]!, locked: false });
        const turns = [-1, 1].map((turn) => ({
          wall: (index + turn + 4) % 4,
          color: colors[(index + turn + colors.length) % colors.length]!,
        }));
        for (const { wall, color } of turns) {
          addLockedDoor(rooms, side, wall, color, blocked);
          if (version === 0) addKey(rooms, side, color, keyInBox);
        }
        if (version === 1) for (const { color } of turns) addKey(rooms, side, color, keyInBox);
      }
      const corners = ([[2, 0], [2, 2], [0, 2], [0, 0]] as const).slice(0, quarters); // biome-ignore format: one line
      const [i, j] = rooms.world.element(corners);
      const wanted = rooms.addObject(i, j, 'ball', BALL);
      rooms.placeAgent(...agentRoom);
      return pickupTask(rooms.world, wanted);
    },
  });
}

const sizes = (rows: number, columns: number): RoomSizes => ({ roomSize: ROOM_SIZE, rows, columns });

type RoomAt = readonly [i: number, j: number];
type Color = (typeof COLOR_NAMES)[number];

function addLockedDoor(rooms: Rooms, [i, j]: RoomAt, index: number, color: Color, blocked: boolean): void {
  const { x, y } = rooms.addDoor(i, j, { index, color, locked: true });
  const [columns, rowSteps] = STEPS[index]!;
  if (blocked) rooms.world.put(ball(BLOCKING_BALL), x - columns, y - rowSteps);
}

function addKey(rooms: Rooms, [i, j]: RoomAt, color: Color, inBox: boolean): void {
  const made = key(color);
  rooms.placeInRoom(i, j, inBox ? box(BOX, made) : made);
}
