/**
 * An expert that knows the whole world: it walks the cheapest way, moves away what blocks it, and fetches keys.
 *
 * It keeps no plan. Each action follows from the state alone, so it can continue from any state. What it prepares - a free
 * way, an open door - it prepares before it carries anything there, so that it never goes in circles.
 */
import { DONE, DROP, LEFT, PICKUP, STEPS, TOGGLE } from '../world/constants.js';
import type { Cell, Goal } from '../world/task.js';
import type { Thing } from '../world/thing.js';
import type { World } from '../world/world.js';
import { findWay, type Pose, type Way } from './search.js';

/** Errands inside of errands: a key behind a door whose key is in a box … */
const MAX_DEPTH = 8;

/** The next action toward the goal; `undefined` if no way leads there. */
export function nextAction(world: World, goal: Goal): number | undefined {
  switch (goal.kind) {
    case 'reach':
      return walk(world, ({ x, y }) => x === goal.x && y === goal.y, goal) ?? waiting(world);
    case 'goto':
      return goTo(world, goal);
    case 'pickup':
      return pickUp(world, goal.things);
    case 'open':
      return open(world, goal.doors);
    case 'put':
      return put(world, goal);
  }
}

/** Where the obstacles move by themselves, it waits until they are gone. */
const waiting = ({ level }: World): number | undefined => (level.actions === undefined ? undefined : LEFT);

const isBeside = (x: number, y: number, [otherX, otherY]: Cell): boolean =>
  Math.abs(x - otherX) + Math.abs(y - otherY) === 1;

function goTo(world: World, { cells, faced, done }: Extract<Goal, { kind: 'goto' }>): number | undefined {
  const wanted = cells();
  const isThere = ({ x, y, frontX, frontY }: Pose) =>
    faced
      ? wanted.some((cell) => cell[0] === frontX && cell[1] === frontY)
      : wanted.some((cell) => isBeside(x, y, cell));
  const way = findWay(world, isThere);
  if (way === undefined) return undefined;
  // `done` changes nothing, and every action is judged
  if (way.action === undefined) return done || faced ? DONE : undefined;
  return follow(world, way, 0);
}

function walk(
  world: World,
  isThere: (pose: Pose) => boolean,
  enters?: { readonly x: number; readonly y: number },
  depth = 0,
): number | undefined {
  const way = findWay(world, isThere, enters);
  return way && follow(world, way, depth);
}

/** The next action on a way, or that removes its first obstacle. */
function follow(world: World, way: Way, depth: number): number | undefined {
  const { obstacle } = way;
  if (obstacle === undefined) return way.action;
  if (depth >= MAX_DEPTH) return undefined;
  if (obstacle.type === 'door') return fetchKey(world, obstacle, depth + 1);
  // this action opens a door, whose key is needed until then
  if (way.unlocksFirst) return way.action;
  if (world.carrying) return putAway(world);
  return isAhead(world, obstacle) ? PICKUP : walkTo(world, obstacle, depth + 1);
}

const isAhead = (world: World, thing: Thing): boolean => world.grid.get(world.frontX, world.frontY) === thing;

/** To a cell next to the thing, facing it. */
function walkTo(world: World, thing: Thing, depth: number): number | undefined {
  return walk(world, ({ frontX, frontY }) => world.grid.get(frontX, frontY) === thing, undefined, depth);
}

function fetchKey(world: World, door: Thing, depth: number): number | undefined {
  const isKey = (thing: Thing | undefined) => thing?.type === 'key' && thing.color === door.color;
  const holders = world.grid.cells.filter((thing) => isKey(thing) || isKey(thing?.contains)) as Thing[];
  const way = findWay(world, facing(world, holders));
  if (way === undefined) return isKey(world.carrying?.contains) ? putAway(world) : undefined;
  if (world.carrying && !way.isLocked) return putAway(world);
  if (way.action !== undefined) return follow(world, way, depth);
  return isKey(world.grid.get(world.frontX, world.frontY)) ? PICKUP : TOGGLE;
}

const facing =
  (world: World, things: readonly Thing[]) =>
  ({ frontX, frontY }: Pose): boolean => {
    const ahead = world.grid.get(frontX, frontY);
    return ahead !== undefined && things.includes(ahead);
  };

function pickUp(world: World, wanted: readonly Thing[]): number | undefined {
  const { carrying } = world;
  // a description by color alone may mean walls, too
  const things = wanted.filter(({ canPickup }) => canPickup);
  if (carrying && things.includes(carrying)) return putAway(world);
  const way = findWay(world, facing(world, things));
  if (way === undefined) return undefined;
  if (carrying && !way.isLocked) return putAway(world);
  return way.action === undefined ? PICKUP : follow(world, way, 0);
}

function open(world: World, doors: readonly Thing[]): number | undefined {
  const closed = doors.filter(({ isOpen }) => !isOpen);
  const wanted = closed.length > 0 ? closed : doors;
  const way = findWay(world, facing(world, wanted));
  if (way === undefined) return undefined;
  if (way.obstacle) return follow(world, way, 0);
  const door = wanted.find(({ x, y }) => x === way.frontX && y === way.frontY)!;
  const { carrying } = world;
  const isLocked = door.isLocked && !(carrying?.type === 'key' && carrying.color === door.color);
  if (isLocked) return fetchKey(world, door, 0);
  return way.action ?? TOGGLE;
}

function put(world: World, { things, cells, diagonal }: Extract<Goal, { kind: 'put' }>): number | undefined {
  const { carrying } = world;
  const wanted = cells();
  const isNear = (x: number, y: number) =>
    wanted.some(([otherX, otherY]) => {
      const [dx, dy] = [Math.abs(x - otherX), Math.abs(y - otherY)];
      return diagonal ? Math.max(dx, dy) <= 1 : dx + dy === 1;
    });
  const place = ({ frontX, frontY }: Pose) =>
    world.grid.has(frontX, frontY) && world.grid.get(frontX, frontY) === undefined && isNear(frontX, frontY);
  const way = findWay(world, place);
  if (way === undefined) return undefined;
  if (carrying && things.includes(carrying)) return way.action === undefined ? DROP : follow(world, way, 0);
  // the way has to be free before anything is carried along it
  const isInTheWay = way.obstacle && things.includes(way.obstacle);
  if ((way.obstacle || way.isLocked) && !isInTheWay) return follow(world, way, 0);
  return pickUp(world, things);
}

/** Drops what is carried where it is not in the way: not beside a door, and not where it would part a room. */
function putAway(world: World): number | undefined {
  const isFree = ({ frontX, frontY }: Pose) =>
    world.grid.has(frontX, frontY) && world.grid.get(frontX, frontY) === undefined;
  const nearest = findWay(world, (pose) => isFree(pose) && !parts(world, pose.frontX, pose.frontY));
  const chosen = nearest && nearest.obstacle === undefined ? nearest : findWay(world, isFree);
  if (chosen === undefined || chosen.obstacle) return undefined;
  return chosen.action ?? DROP;
}

/** An object in this cell would stand beside a door or cut the free cells around it apart. */
function parts(world: World, x: number, y: number): boolean {
  if (STEPS.some(([dx, dy]) => world.grid.get(x + dx, y + dy)?.type === 'door')) return true;
  const ring = RING.map(([dx, dy]) => world.grid.get(x + dx, y + dy) === undefined);
  // passages into the ring: free cells that follow one that is not
  const passages = ring.filter((isFree, at) => isFree && !ring[(at + ring.length - 1) % ring.length]).length;
  return passages > 1;
}

/** The eight cells around one, in a circle. */
const RING = [[-1, -1], [0, -1], [1, -1], [1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0]] as const; // biome-ignore format: a circle
