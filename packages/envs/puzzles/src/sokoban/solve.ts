/**
 * A shortest solution in pushes and moves. Of several, the one that VAGEN's breadth-first search (`patch_sokoban_env.py`) finds,
 * which tries up, down, left, right.
 *
 * Two searches. The first (A*) finds how many moves are needed; the second is VAGEN's, without the states that are too far from
 * the end to be part of a solution of this length. That keeps the first solution in VAGEN's order: what leads to it stays, in the same order.
 */
import { LOST, Pushes } from './pushes.js';
import { isBox, type Room } from './room.js';
import { States } from './states.js';

/** States after which a search gives up: some seconds. It solves `Sokoban-v2` (10 x 10 cells, five boxes) on all seeds below 40. */
const MAX_STATES = 3_000_000;

export interface Outcome {
  /** From 1 to 4; `undefined` if there are none, or the search is too large. */
  readonly actions?: number[];
  /** Every state was seen that could lead to a solution. */
  readonly isWhole: boolean;
}

/** @param player  The player's cell. */
export function solve(room: Room, player: number): number[] | undefined {
  return search(room, player).actions;
}

export function search(room: Room, player: number): Outcome {
  const pushes = new Pushes(room);
  const first = explore(room, player, pushes);
  if (!first.path) return { isWhole: first.isWhole };
  const { path = first.path } = explore(room, player, pushes, first.path.length - 1);
  const shifts = shiftsOf(room);
  return { actions: path.slice(1).map((cell, index) => shifts.indexOf(cell - path[index]!) + 1), isWhole: false };
}

const shiftsOf = ({ columns }: Pick<Room, 'columns'>) => [-columns, columns, -1, 1];

interface Explored {
  /** The player's cells, the first one included. */
  readonly path?: number[];
  readonly isWhole: boolean;
}

/**
 * @param length  Moves of a shortest solution: breadth first, among the states that such a solution may have. Without: the states with
 *   the smallest lower bound of a solution first.
 */
function explore(room: Room, player: number, pushes: Pushes, length?: number): Explored {
  const shifts = shiftsOf(room);
  const start = Uint16Array.from(room.state.keys()).filter((cell) => isBox(room.state[cell]));
  const states = new States(start.length);
  const rank = (index: number) => states.moves[index]! + (length === undefined ? states.bounds[index]! : 0);
  /** Indices by rank; a state is in two if a shorter way to it was found later. */
  const ranks: number[][] = [];
  const next = new Uint16Array(start.length + 1);

  const visit = (before: number, moves: number, givenBound?: number): void => {
    let index = states.find(next);
    if (index < 0) {
      const boxes = next.subarray(1);
      const bound = givenBound ?? pushes.bound(boxes);
      if (bound === LOST || (length !== undefined && moves + bound > length)) return;
      if (givenBound === undefined && pushes.isFrozen(boxes)) return;
      index = states.add(next, { moves, bound, before });
    } else if (moves < states.moves[index]! && states.closed[index] === 0) {
      states.moves[index] = moves;
      states.before[index] = before;
    } else return;
    const to = rank(index);
    ranks[to] ??= [];
    ranks[to].push(index);
  };

  next[0] = player;
  next.set(start, 1);
  visit(-1, 0);
  for (let at = 0; at < ranks.length; at += 1) {
    // moves without a push keep the rank while it is worked on, so the list grows
    for (const index of ranks[at] ?? []) {
      if (states.closed[index] === 1 || rank(index) !== at) continue;
      states.closed[index] = 1;
      if (states.bounds[index] === 0) return { path: pathTo(states, index), isWhole: false };
      if (states.size >= MAX_STATES) return { isWhole: false };
      const moves = states.moves[index]! + 1;
      const bound = states.bounds[index]!;
      for (const shift of shifts) {
        states.read(index, next);
        const to: number = next[0]! + shift;
        if (!pushes.isOpen(to)) continue;
        next[0] = to;
        const box = next.indexOf(to, 1);
        if (box < 0) visit(index, moves, bound);
        else if (push(next, box, to + shift, pushes)) visit(index, moves);
      }
    }
    delete ranks[at];
  }
  return { isWhole: true };
}

/** Moves one box, and keeps the boxes in order. @returns false if it cannot go there, or never leads to a target. */
function push(cells: Uint16Array, box: number, to: number, pushes: Pushes): boolean {
  if (!pushes.isOpen(to) || !pushes.isAlive(to) || cells.includes(to, 1)) return false;
  let at = box;
  for (; at > 1 && cells[at - 1]! > to; at -= 1) cells[at] = cells[at - 1]!;
  for (; at < cells.length - 1 && cells[at + 1]! < to; at += 1) cells[at] = cells[at + 1]!;
  cells[at] = to;
  return true;
}

function pathTo(states: States, last: number): number[] {
  const path: number[] = [];
  for (let index = last; index >= 0; index = states.before[index]!) path.push(states.playerOf(index));
  return path.reverse();
}
