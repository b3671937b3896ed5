/**
 * Where boxes stand at the start: a search that pulls them away from their targets.
 *
 * Rules and order follow mpSchrader/gym-sokoban 0.0.6, `gym_sokoban/envs/room_utils.py` (`reverse_playing`): depth first, eight
 * actions, 300 deep, at most 300,000 states. There it is a recursion over copies of arrays; here a stack over numbers.
 */
import { BOX, PLAYER, type Room, TARGET, WALL } from './room.js';

const MAX_DEPTH = 300;
const MAX_STATES = 300_000;
/** Pull up, down, left, right; then move without a pull. */
const ACTIONS = 8;

/** A state of the search. Boxes keep their order, that of their targets. */
interface Node {
  readonly player: number;
  readonly boxes: Uint16Array;
  /** 1 for boxes that were pulled; the original marks them otherwise in its arrays. */
  readonly pulled: Uint8Array;
  readonly pulls: number;
  nextAction: number;
}

export interface ReversePlay {
  readonly state: Uint8Array;
  readonly score: number;
  /** States visited. */
  readonly explored: number;
}

/**
 * @param structure  Walls, floor and targets.
 * @param player     The cell where the player starts.
 */
export function reversePlay(
  { rows, columns }: Pick<Room, 'rows' | 'columns'>,
  structure: Uint8Array,
  player: number,
): ReversePlay {
  const targets = Uint16Array.from(structure.keys()).filter((cell) => structure[cell] === TARGET);
  const shifts = [-columns, columns, -1, 1];
  const seen = new Set<number | string>();
  let best: Node | undefined;
  let bestScore = -1;

  /** Notes a new state; false for a known one. */
  const visit = (node: Node): boolean => {
    const key = keyOf(node, rows * columns);
    if (seen.has(key)) return false;
    const score = scoreOf(node, targets, columns);
    if (score > bestScore) {
      best = node;
      bestScore = score;
    }
    seen.add(key);
    return true;
  };

  const root: Node = {
    player,
    boxes: targets.slice(),
    pulled: new Uint8Array(targets.length),
    pulls: 0,
    nextAction: 0,
  };
  visit(root);
  const stack = [root];
  while (stack.length > 0) {
    const node = stack.at(-1)!;
    const action = node.nextAction;
    // a state of the last depth is never entered, and none after the limit of states
    if (action === ACTIONS || stack.length >= MAX_DEPTH - 1 || seen.size >= MAX_STATES) {
      stack.pop();
      continue;
    }
    node.nextAction += 1;
    const next = moved(node, action, structure, shifts);
    if (next && visit(next)) stack.push(next);
  }
  const { boxes, player: last } = best!;
  const state = structure.slice();
  state[last] = PLAYER;
  for (const box of boxes) state[box] = BOX;
  return { state, score: bestScore, explored: seen.size };
}

/** The state after an action; `undefined` if the way is not free, which leads to the same state. */
function moved(node: Node, action: number, structure: Uint8Array, shifts: readonly number[]): Node | undefined {
  const { player, boxes, pulled, pulls } = node;
  const shift = shifts[action % 4]!;
  const to = player + shift;
  if (structure[to] === WALL || boxes.includes(to)) return undefined;
  const behind = action < 4 ? boxes.indexOf(player - shift) : -1;
  if (behind < 0) return { player: to, boxes, pulled, pulls, nextAction: 0 };
  const [nextBoxes, nextPulled] = [boxes.slice(), pulled.slice()];
  nextBoxes[behind] = player;
  nextPulled[behind] = 1;
  return { player: to, boxes: nextBoxes, pulled: nextPulled, pulls: pulls + 1, nextAction: 0 };
}

/** Pulls times the way of all boxes; 0 unless every target is free. */
function scoreOf({ player, boxes, pulls }: Node, targets: Uint16Array, columns: number): number {
  if (pulls === 0) return 0;
  let way = 0;
  for (let index = 0; index < targets.length; index += 1) {
    const target = targets[index]!;
    if (player === target || boxes.includes(target)) return 0;
    const box = boxes[index]!;
    const [right, targetRight] = [box % columns, target % columns];
    way += Math.abs(box - right - (target - targetRight)) / columns + Math.abs(right - targetRight);
  }
  return pulls * way;
}

/** One number for a state while it is exact, in which equal boxes may be exchanged. */
function keyOf({ player, boxes, pulled }: Node, cells: number): number | string {
  const count = boxes.length;
  for (let at = 0; at < count; at += 1) {
    const mark = boxes[at]! * 2 + pulled[at]!;
    let to = at;
    for (; to > 0 && MARKS[to - 1]! > mark; to -= 1) MARKS[to] = MARKS[to - 1]!;
    MARKS[to] = mark;
  }
  const base = cells * 2;
  if (base ** (count + 1) > Number.MAX_SAFE_INTEGER) return `${player},${MARKS.subarray(0, count).join()}`;
  let key = player;
  for (let at = 0; at < count; at += 1) key = key * base + MARKS[at]!;
  return key;
}

/** The boxes of a state in order, for its key. */
const MARKS = new Uint16Array(64);
