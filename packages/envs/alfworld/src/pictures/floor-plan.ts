/**
 * A game as a room: where furniture stands, how large it is, where the walls are.
 *
 * Everything comes from the ids of the game, which carry the coordinates of AI2-THOR, and from where the agent stands
 * to use a receptacle (`docs/specs/alfworld.md` 2.5 and 18.2): so real games and generated ones are drawn alike.
 * Sizes are those of our generator; in real games a table grows to what is seen on it, and furniture moves into view.
 *
 * AI2-THOR is left-handed; here z is negated, so that three.js can draw it.
 */

import type { Game } from '../engine/game.js';
import { Play } from '../engine/play.js';
import { Household } from '../experts/household.js';
import { SHAPES } from '../generator/furniture.js';
import { inClearView } from './clear-view.js';
import { type Dimensions, outOfFrame } from './sight.js';

/** Where the agent stands and looks, in the scene's coordinates. */
export interface Stand {
  readonly x: number;
  readonly z: number;
  /** 0 to 3: towards -z, +x, +z, -x. */
  readonly facing: number;
  /** Degrees below the horizon. */
  readonly pitch: number;
}

export interface Piece {
  /** Number of the object in the game. */
  readonly number: number;
  /** Class in small letters: `countertop`. */
  readonly kind: string;
  readonly x: number;
  /** Height of the id. */
  readonly y: number;
  readonly z: number;
}

export interface Receptacle extends Piece {
  /** It is used by an agent that faces this way, 0 to 3. */
  readonly facing: number;
  readonly width: number;
  readonly depth: number;
  readonly surface: number;
  readonly standsAlone: boolean;
  /** Drawers and cabinets are built into it, so its front is theirs. */
  readonly hollow: boolean;
  /** It is open at the start: also a drawer that the game never lets anyone close. */
  readonly isOpen: boolean;
  /** Where the agent stands before it: meters from its middle to the right and out of its front. */
  readonly approach: readonly [x: number, z: number];
  /** Degrees below the horizon that the agent looks from there. */
  readonly pitch: number;
}

export interface FloorPlan {
  /** Of our generator: its furniture has known sizes. */
  readonly isMade: boolean;
  readonly room: 'kitchen' | 'livingroom' | 'bedroom' | 'bathroom';
  readonly receptacles: readonly Receptacle[];
  /** Everything else that has a place, taken or not. */
  readonly things: readonly Piece[];
  readonly low: readonly [x: number, z: number];
  readonly high: readonly [x: number, z: number];
  readonly ceiling: number;
  readonly stands: ReadonlyMap<number, Stand>;
}

const STEP = 0.25;
/** Free around every place where the agent can stand. */
const ELBOW_ROOM = 0.3;
/** Furniture comes so near to who stands before it. */
const FREE = 0.2;
/** What lies farther away than this is not reached, meters. */
const REACH = 1.6;
/** Their ids name a door or a front, not the middle. */
const NAMED_BY_FRONT = new Set(['cabinet', 'drawer']);
const SIZES = new Map(Object.entries(SHAPES).map(([name, size]) => [name.toLowerCase(), size]));
/** They take up room on what they stand on. */
export const ON_TABLES = new Set(['coffeemachine', 'microwave', 'safe', 'sinkbasin', 'stoveburner', 'toaster']);
/** These grow with what lies on them. */
const TABLES = new Set([
  ...['bed', 'cart', 'coffeetable', 'countertop', 'desk', 'diningtable', 'dresser', 'ottoman', 'shelf', 'sidetable'],
  ...['sofa', 'tvstand'],
]);

/** @param isMade  The game comes from our generator, so the sizes of its furniture are known. */
export function floorPlan(game: Game, isMade: boolean, dimensions: Dimensions): FloorPlan {
  const { ids } = game.world;
  const house = new Household(new Play(game));
  const pieces = new Map<number, Piece>();
  const stands = new Map<number, Stand>();
  for (const [number, id] of ids.entries()) {
    const stand = standOf(id);
    if (stand) stands.set(number, stand);
    const piece = pieceOf(id, number);
    if (piece) pieces.set(number, piece);
  }
  const found = house.receptacles.flatMap((number): Receptacle[] => {
    const piece = pieces.get(number);
    const stand = stands.get(house.locationOf(number) ?? -1);
    if (!piece || !stand) return [];
    const contents = house.contentOf(number).flatMap((each) => pieces.get(each) ?? []);
    const isOpen = !house.isClosed(number);
    return [{ ...(isMade ? made(piece, stand) : real(piece, stand, contents, [...stands.values()])), isOpen }];
  });
  const receptacles = isMade ? found : inClearView(builtIn(found), dimensions);
  const holders = new Set(receptacles.map(({ number }) => number));
  const things = [...pieces.values()].filter(({ number }) => !holders.has(number));
  return { isMade, room: roomOf(receptacles), receptacles, things, stands, ...bounds(receptacles, things, stands) };
}

/** `mug_bar__plus_00_dot_96_bar__plus_00_dot_10_bar__minus_01_dot_89` */
function pieceOf(id: string, number: number): Piece | undefined {
  const [kind, ...rest] = id.split('_bar_');
  if (kind === undefined || kind === 'loc' || rest.length < 3) return undefined;
  const [x, y, z] = rest.slice(0, 3).map(numberOf) as [number, number, number];
  if (![x, y, z].every(Number.isFinite)) return undefined;
  const basin = rest[3]?.endsWith('basin') ? 'basin' : '';
  return { number, kind: kind + basin, x, y, z: -z + 0 };
}

/** `loc_bar__minus_3_bar_7_bar_2_bar_30` */
function standOf(id: string): Stand | undefined {
  const [kind, ...rest] = id.split('_bar_');
  if (kind !== 'loc' || rest.length !== 4) return undefined;
  const [x, z, facing, pitch] = rest.map(numberOf) as [number, number, number, number];
  if (![x, z, facing, pitch].every(Number.isFinite)) return undefined;
  return { x: x * STEP, z: -z * STEP + 0, facing: ((facing % 4) + 4) % 4, pitch };
}

function numberOf(text: string): number {
  return Number(text.replace('_plus_', '').replace('_minus_', '-').replace('_dot_', '.'));
}

function made(piece: Piece, stand: Stand): Omit<Receptacle, 'isOpen'> {
  const { width, depth, surface, y } = sizeOf(piece.kind);
  const { facing } = stand;
  return {
    ...piece,
    facing,
    width,
    depth,
    surface: surface + piece.y - y,
    standsAlone: true,
    hollow: false,
    approach: toLocal(piece, facing, stand),
    pitch: stand.pitch,
  };
}

function real(
  piece: Piece,
  stand: Stand,
  contents: readonly Piece[],
  stands: readonly Stand[],
): Omit<Receptacle, 'isOpen'> {
  const size = sizeOf(piece.kind);
  const { facing } = stand;
  const depth = piece.kind === 'cabinet' ? 0.35 : size.depth;
  const width = NAMED_BY_FRONT.has(piece.kind) ? 0.42 : size.width;
  const middle = NAMED_BY_FRONT.has(piece.kind) ? -depth / 2 : 0;
  const approach = toLocal(piece, facing, stand);
  const area = { left: -width / 2, right: width / 2, back: middle - depth / 2, front: middle + depth / 2 };
  let surface = size.y > 0.1 ? size.surface + piece.y - size.y : piece.y > 0.3 ? piece.y + 0.1 : size.surface;
  if (TABLES.has(piece.kind)) {
    if (contents.length > 0) surface = Math.max(0.15, Math.min(...contents.map(({ y }) => y)) - 0.01);
    for (const each of contents) {
      const [x, z] = toLocal(piece, facing, each);
      const isNear = Math.hypot(x - approach[0], z - approach[1]) < REACH;
      if (!isNear || outOfFrame({ approach, pitch: stand.pitch }, [x, z], surface) > 0) continue;
      area.left = Math.min(area.left, x - 0.1);
      area.right = Math.max(area.right, x + 0.1);
      area.back = Math.min(area.back, z - 0.1);
      area.front = Math.max(area.front, z + 0.1);
    }
    bringBefore(area, approach);
  }
  for (const each of stands) keepOut(area, toLocal(piece, facing, each), approach);
  const [x, z] = toWorld(piece, facing, [(area.left + area.right) / 2, (area.back + area.front) / 2]);
  return {
    ...piece,
    x,
    z,
    facing,
    width: area.right - area.left,
    depth: area.front - area.back,
    surface,
    standsAlone: false,
    hollow: false,
    approach: toLocal({ x, z }, facing, stand),
    pitch: stand.pitch,
  };
}

/**
 * Cabinets and drawers within a counter or a desk come forward to its edge, and it opens up for them; basins and
 * machines come up to its top.
 */
function builtIn(receptacles: readonly Receptacle[]): Receptacle[] {
  const hollow = new Set<Receptacle>();
  const tables = receptacles.filter(({ kind }) => TABLES.has(kind));
  const moved = receptacles.map((each) => {
    const byFront = NAMED_BY_FRONT.has(each.kind);
    if (!byFront && !ON_TABLES.has(each.kind)) return each;
    const [x, z] = toWorld(each, each.facing, [0, byFront ? each.depth / 2 : 0]);
    const table = tables.find((other) => {
      const [along, out] = toLocal(other, other.facing, { x, z });
      const isNear = byFront ? each.y < other.surface : Math.abs(each.y - other.surface) < 0.25;
      return isNear && Math.abs(along) < other.width / 2 + 0.1 && Math.abs(out) < other.depth / 2 + 0.1;
    });
    if (!table) return each;
    if (!byFront) return { ...each, y: Math.max(each.y, table.surface - (each.kind === 'sinkbasin' ? 0.012 : 0)) };
    hollow.add(table);
    const isTurned = (table.facing - each.facing) % 2 !== 0;
    const reach = (isTurned ? table.width : table.depth) / 2;
    const gap = Math.min(0.5, Math.max(0, reach + 0.01 - toLocal(table, each.facing, { x, z })[1]));
    const [toX, toZ] = toWorld(each, each.facing, [0, gap]);
    const y = Math.min(each.y, table.surface - (each.kind === 'drawer' ? 0.14 : 0.34));
    return { ...each, x: toX, y, z: toZ, approach: [each.approach[0], each.approach[1] - gap] as const };
  });
  return moved.map((each, index) => (hollow.has(receptacles[index]!) ? { ...each, hollow: true } : each));
}

interface Area {
  left: number;
  right: number;
  back: number;
  front: number;
}

/** A table, wherever it has its name from, is before who stands at it. */
function bringBefore(area: Area, [x, z]: readonly [number, number]): void {
  area.front = Math.min(area.front, z - FREE);
  area.back = Math.min(area.back, area.front - 0.4);
  area.left = Math.min(area.left, x - 0.1);
  area.right = Math.max(area.right, x + 0.1);
}

/** Nobody stands inside furniture: it loses the side that costs least, but keeps what is before its own user. */
function keepOut(area: Area, [x, z]: readonly [number, number], user: readonly [number, number]): void {
  const cuts = [area.right - (x - FREE), x + FREE - area.left, area.front - (z - FREE), z + FREE - area.back];
  if (Math.min(...cuts) <= 0) return;
  const kept = Math.min(area.right, Math.max(area.left, user[0]));
  if (x - FREE < kept) cuts[0] = Number.POSITIVE_INFINITY;
  if (x + FREE > kept) cuts[1] = Number.POSITIVE_INFINITY;
  const least = Math.min(...cuts);
  if (least === cuts[2]) area.front = Math.max(z - FREE, area.back + 0.1);
  else if (least === cuts[0]) area.right = Math.max(x - FREE, area.left + 0.1);
  else if (least === cuts[1]) area.left = Math.min(x + FREE, area.right - 0.1);
  else area.back = Math.min(z + FREE, area.front - 0.1);
}

/** Along to the right and out to the front of a piece that is used facing `facing`. */
export function toLocal(piece: Pick<Piece, 'x' | 'z'>, facing: number, at: Pick<Piece, 'x' | 'z'>): [number, number] {
  const [dx, dz] = [at.x - piece.x, at.z - piece.z];
  const [right, front] = axes(facing);
  return [dx * right[0] + dz * right[1], dx * front[0] + dz * front[1]];
}

export function toWorld(
  piece: Pick<Piece, 'x' | 'z'>,
  facing: number,
  at: readonly [number, number],
): [number, number] {
  const [right, front] = axes(facing);
  return [piece.x + at[0] * right[0] + at[1] * front[0], piece.z + at[0] * right[1] + at[1] * front[1]];
}

/** Right hand and front of furniture, as [x, z], for an agent that faces it. */
function axes(facing: number): readonly [right: readonly [number, number], front: readonly [number, number]] {
  return AXES[facing]!;
}

const AXES = [
  [
    [1, 0],
    [0, 1],
  ],
  [
    [0, 1],
    [-1, 0],
  ],
  [
    [-1, 0],
    [0, -1],
  ],
  [
    [0, -1],
    [1, 0],
  ],
] as const;

function sizeOf(kind: string) {
  return SIZES.get(kind) ?? { width: 0.5, depth: 0.5, y: 0, surface: 0.5 };
}

function roomOf(receptacles: readonly Receptacle[]): FloorPlan['room'] {
  const has = (kind: string) => receptacles.some((each) => each.kind === kind);
  if (has('fridge') || has('stoveburner')) return 'kitchen';
  if (has('toilet') || has('bathtubbasin')) return 'bathroom';
  return has('bed') ? 'bedroom' : 'livingroom';
}

function bounds(receptacles: readonly Receptacle[], things: readonly Piece[], stands: ReadonlyMap<number, Stand>) {
  const points: (readonly [x: number, z: number])[] = things.map(({ x, z }) => [x, z]);
  for (const { x, z } of stands.values()) {
    points.push([x - ELBOW_ROOM, z - ELBOW_ROOM], [x + ELBOW_ROOM, z + ELBOW_ROOM]);
  }
  for (const each of receptacles) {
    const [w, d] = [each.width / 2, each.depth / 2];
    for (const x of [-w, w]) for (const z of [-d, d]) points.push(toWorld(each, each.facing, [x, z]));
  }
  const edge = (pick: (...values: number[]) => number, axis: 0 | 1) => pick(...points.map((point) => point[axis]));
  return {
    low: [edge(Math.min, 0) - 0.01, edge(Math.min, 1) - 0.01] as const,
    high: [edge(Math.max, 0) + 0.01, edge(Math.max, 1) + 0.01] as const,
    ceiling: Math.max(2.6, ...[...receptacles, ...things].map(({ y }) => y + 0.35)),
  };
}
