/** Cheapest ways through a world whose state is known, also through what can be moved away or unlocked. */
import { FORWARD, LEFT, RIGHT, STEPS, TOGGLE } from '../world/constants.js';
import type { Thing } from '../world/thing.js';
import type { World } from '../world/world.js';

/** Where the agent stands and looks. */
export interface Pose {
  readonly x: number;
  readonly y: number;
  readonly direction: number;
  /** The cell ahead. */
  readonly frontX: number;
  readonly frontY: number;
}

export interface Way {
  /** The first action; `undefined` if the agent is at the goal. */
  readonly action: number | undefined;
  /** The first thing to move away or unlock. */
  readonly obstacle: Thing | undefined;
  /** A locked door, whose key the agent has, comes before the obstacle. */
  readonly unlocksFirst: boolean;
  /** It leads through a locked door, whose key the agent has unless the door is the obstacle. */
  readonly isLocked: boolean;
  /** The cell ahead of its end. */
  readonly frontX: number;
  readonly frontY: number;
  /** Cells that the way passes. */
  readonly cells: ReadonlySet<number>;
}

/** Costs of a step into a cell in addition to the step, in actions. */
const TO_OPEN = 1;
const TO_MOVE_AWAY = 12;
const TO_UNLOCK = 60;

/**
 * @param isGoal  Says whether a pose is good enough.
 * @param enters  The only cell with a goal square that may be entered.
 * @returns The cheapest way; `undefined` if there is none.
 */
export function findWay(
  world: World,
  isGoal: (pose: Pose) => boolean,
  enters?: { readonly x: number; readonly y: number },
): Way | undefined {
  const { width, height } = world;
  const count = width * height * 4;
  const cost = new Int32Array(count).fill(-1);
  const from = new Int32Array(count).fill(-1);
  const start = nodeOf(world, world.agentX, world.agentY, world.direction);
  const queue: (number[] | undefined)[] = [[start]];
  const isClosed = new Uint8Array(count);
  cost[start] = 0;
  const offer = (node: number, price: number, parent: number) => {
    if (cost[node]! >= 0 && cost[node]! <= price) return;
    cost[node] = price;
    from[node] = parent;
    const bucket = queue[price];
    if (bucket) bucket.push(node);
    else queue[price] = [node];
  };

  for (let price = 0; price < queue.length; price += 1) {
    // a bucket does not grow while it is visited, because every move costs something
    for (const node of queue[price] ?? []) {
      if (isClosed[node]) continue;
      isClosed[node] = 1;
      const direction = node % 4;
      const place = (node - direction) / 4;
      const [x, y] = [place % width, Math.floor(place / width)];
      const [frontX, frontY] = [x + STEPS[direction]![0], y + STEPS[direction]![1]];
      if (isGoal({ x, y, direction, frontX, frontY })) return wayTo(world, node, from);
      offer(place * 4 + ((direction + 3) % 4), price + 1, node);
      offer(place * 4 + ((direction + 1) % 4), price + 1, node);
      const toll = tollOf(world, frontX, frontY, enters);
      if (toll !== undefined) offer(nodeOf(world, frontX, frontY, direction), price + 1 + toll, node);
    }
  }
  return undefined;
}

const nodeOf = (world: World, x: number, y: number, direction: number): number => (y * world.width + x) * 4 + direction;

/** The extra cost of a cell; `undefined` if it cannot be entered. */
function tollOf(
  world: World,
  x: number,
  y: number,
  enters?: { readonly x: number; readonly y: number },
): number | undefined {
  if (!world.grid.has(x, y)) return undefined;
  const thing = world.grid.get(x, y);
  if (thing === undefined || thing.type === 'floor') return 0;
  if (thing.type === 'goal') return enters?.x === x && enters.y === y ? 0 : undefined;
  if (thing.type === 'door') {
    if (thing.isOpen) return 0;
    return thing.isLocked && !hasKey(world, thing) ? TO_UNLOCK : TO_OPEN;
  }
  return thing.canPickup && canPickup(world) ? TO_MOVE_AWAY : undefined;
}

const hasKey = ({ carrying }: World, door: Thing): boolean => carrying?.type === 'key' && carrying.color === door.color;

/** Levels with three actions know no way to move anything away. */
const canPickup = ({ level }: World): boolean => level.actions === undefined;

function wayTo(world: World, last: number, from: Int32Array): Way {
  const nodes: number[] = [];
  for (let node = last; node >= 0; node = from[node]!) nodes.unshift(node);
  const places = nodes.map((node) => (node - (node % 4)) / 4);
  const here = places[0];
  const passed = places.filter((place) => place !== here).map((place) => world.grid.cells[place]);
  const obstacle = passed.find((thing) => thing && isObstacle(world, thing));
  const isLockedDoor = (thing: Thing | undefined) => thing?.type === 'door' && !thing.isOpen && thing.isLocked;
  const isLocked = passed.some(isLockedDoor);
  const unlocksFirst = obstacle !== undefined && passed.slice(0, passed.indexOf(obstacle)).some(isLockedDoor);
  const [columns, rows] = STEPS[last % 4]!;
  const end = places.at(-1)!;
  return {
    action: firstAction(world, nodes),
    obstacle,
    isLocked,
    unlocksFirst,
    frontX: (end % world.width) + columns,
    frontY: Math.floor(end / world.width) + rows,
    cells: new Set(places),
  };
}

function isObstacle(world: World, thing: Thing): boolean {
  if (thing.type === 'door') return !thing.isOpen && thing.isLocked && !hasKey(world, thing);
  return thing.canPickup;
}

function firstAction(world: World, nodes: readonly number[]): number | undefined {
  const [now, next] = nodes;
  if (now === undefined || next === undefined) return undefined;
  if (now - (now % 4) !== next - (next % 4)) {
    const thing = world.grid.cells[(next - (next % 4)) / 4];
    return thing?.type === 'door' && !thing.isOpen ? TOGGLE : FORWARD;
  }
  return (now + 1) % 4 === next % 4 ? RIGHT : LEFT;
}
