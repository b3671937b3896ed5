/**
 * A shortest solution in pushes and moves. The order of the search follows VAGEN's (`patch_sokoban_env.py`): up, down, left, right,
 * so that of several shortest solutions it finds the same.
 */
import { isBox, type Room, TARGET, WALL } from './room.js';

/** States after which the search gives up; rooms of 10 x 10 with four boxes stay below. */
const MAX_STATES = 1_000_000;

interface Found {
  readonly player: number;
  readonly boxes: readonly number[];
  readonly before: Found | undefined;
  readonly action: number;
}

export interface Outcome {
  /** From 1 to 4; `undefined` if there are none, or the search is too large. */
  readonly actions?: number[];
  /** Every state was seen. */
  readonly isWhole: boolean;
}

/** @param player  The player's cell. */
export function solve(room: Room, player: number): number[] | undefined {
  return search(room, player).actions;
}

export function search({ columns, fixed, state }: Room, player: number): Outcome {
  const shifts = [-columns, columns, -1, 1];
  const start = Array.from(state.keys()).filter((cell) => isBox(state[cell]));
  const isSolved = (boxes: readonly number[]) => boxes.every((box) => fixed[box] === TARGET);
  let level: Found[] = [{ player, boxes: start, before: undefined, action: 0 }];
  const seen = new Set([keyOf(player, start)]);
  while (level.length > 0 && seen.size < MAX_STATES) {
    const next: Found[] = [];
    for (const node of level) {
      if (isSolved(node.boxes)) return { actions: actionsOf(node), isWhole: false };
      for (const [index, shift] of shifts.entries()) {
        const to = node.player + shift;
        if (fixed[to] === WALL || fixed[to] === undefined) continue;
        const pushed = node.boxes.indexOf(to);
        let { boxes } = node;
        if (pushed >= 0) {
          const beyond = to + shift;
          if (fixed[beyond] === WALL || fixed[beyond] === undefined || boxes.includes(beyond)) continue;
          boxes = boxes.map((box) => (box === to ? beyond : box));
        }
        const key = keyOf(to, boxes);
        if (seen.has(key)) continue;
        seen.add(key);
        next.push({ player: to, boxes, before: node, action: index + 1 });
      }
    }
    level = next;
  }
  return { isWhole: level.length === 0 };
}

const keyOf = (player: number, boxes: readonly number[]): string =>
  `${player},${[...boxes].sort((a, b) => a - b).join()}`;

function actionsOf(last: Found): number[] {
  const actions: number[] = [];
  for (let node: Found = last; node.before; node = node.before) actions.unshift(node.action);
  return actions;
}
