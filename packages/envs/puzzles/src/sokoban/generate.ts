/**
 * Random rooms: a walk digs the floor, then boxes are pulled away from their targets.
 *
 * Rules and draws follow mpSchrader/gym-sokoban 0.0.6 (MIT), `gym_sokoban/envs/room_utils.py`; `test/golden/sokoban.json.gz` pins
 * rooms, scores and both generators. The walk draws from Python's generator, player and boxes from NumPy's.
 */
import type { PythonRandom, RandomState } from '@vlgym/core/random';
import { reversePlay } from './reverse-play.js';
import { FLOOR, type Room, TARGET } from './room.js';

export interface RoomSize {
  readonly rows: number;
  readonly columns: number;
  readonly boxes: number;
  /** Steps of the walk; default `int(1.7 · (rows + columns))`. */
  readonly walk?: number | undefined;
}

export interface Generators {
  readonly python: PythonRandom;
  readonly numpy: RandomState;
}

/** A room, or the reason why there is none. */
export type GeneratedRoom =
  | { readonly room: Room; readonly score: number; readonly explored: number }
  | { readonly reason: string };

const TRIES = 4;
const TURN = 0.35;

/** Cells that a step digs, in a square around it. */
const MASKS = [
  [0, 0, 0, 1, 1, 1, 0, 0, 0],
  [0, 1, 0, 0, 1, 0, 0, 1, 0],
  [0, 0, 0, 1, 1, 0, 0, 1, 0],
  [0, 0, 0, 1, 1, 0, 1, 1, 0],
  [0, 0, 0, 0, 1, 1, 0, 1, 0],
];
const DIRECTIONS = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
] as const;

export function generateRoom(size: RoomSize, generators: Generators): GeneratedRoom {
  const { rows, columns, boxes } = size;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const cells = dig(size, generators.python);
    const free = () => Array.from(cells.keys()).filter((cell) => cells[cell] === FLOOR);
    const places = free();
    if (places.length <= boxes + 1) {
      return { reason: `Not enough free spots (#${places.length}) to place 1 player and ${boxes} boxes.` };
    }
    const draw = (from: readonly number[]) => from[generators.numpy.randint(from.length)]!;
    const player = draw(places);
    for (let count = 0; count < boxes; count += 1) cells[draw(free().filter((cell) => cell !== player))] = TARGET;
    const { state, score, explored } = reversePlay({ rows, columns }, cells, player);
    if (score > 0) return { room: { rows, columns, fixed: cells, state }, score, explored };
  }
  return { reason: 'Generated Model with score == 0' };
}

function dig({ rows, columns, walk = Math.trunc(1.7 * (rows + columns)) }: RoomSize, random: PythonRandom): Uint8Array {
  const cells = new Uint8Array(rows * columns);
  let [down, right] = random.sample(DIRECTIONS, 1)[0]!;
  let [row, column] = [random.randint(1, rows - 1), random.randint(1, columns - 1)];
  for (let step = 0; step < walk; step += 1) {
    if (random.random() < TURN) [down, right] = random.sample(DIRECTIONS, 1)[0]!;
    row = Math.max(Math.min(row + down, rows - 2), 1);
    column = Math.max(Math.min(column + right, columns - 2), 1);
    for (const [at, digs] of random.sample(MASKS, 1)[0]!.entries()) {
      if (digs) cells[(row - 1 + Math.floor(at / 3)) * columns + column - 1 + (at % 3)] = FLOOR;
    }
  }
  for (let at = 0; at < cells.length; at += 1) {
    const [y, x] = [Math.floor(at / columns), at % columns];
    if (y === 0 || x === 0 || y === rows - 1 || x === columns - 1) cells[at] = 0;
  }
  return cells;
}
