/**
 * How much floor each piece of furniture takes up. Furniture of our generator has known sizes; in ALFWorld's own games, ids
 * say where things are, and tables grow until they hold what lies on them.
 */
import { SHAPES } from '../generator/furniture.js';
import { type Front, type Piece, type Receptacle, type Stand, toLocal, toWorld } from './geometry.js';
import { outOfFrame } from './sight.js';

/** Distance between furniture and an agent facing it, in meters. */
const CLEARANCE = 0.2;
/** The farthest that an agent reaches, in meters. */
const REACH = 1.6;
/** Classes whose ids give the position of a door or front, not of the middle. */
const NAMED_BY_FRONT = new Set(['cabinet', 'drawer']);
const SIZES = new Map(Object.entries(SHAPES).map(([name, size]) => [name.toLowerCase(), size]));
/** Cabinets and drawers below this height that are built into nothing stand on the floor, in meters. */
const BUILT_IN_HEIGHT = 1.1;
/** Classes that stand on other furniture and take up room there. */
export const ON_TABLES = new Set(['coffeemachine', 'microwave', 'safe', 'sinkbasin', 'stoveburner', 'toaster']);
/** Classes that grow to hold what lies on them. */
const TABLES = new Set([
  ...['bed', 'cart', 'coffeetable', 'countertop', 'desk', 'diningtable', 'dresser', 'ottoman', 'shelf', 'sidetable'],
  ...['sofa', 'tvstand'],
]);

export function generatedFurniture(piece: Piece, stand: Stand): Omit<Receptacle, 'isOpen'> {
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

export function originalFurniture(
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
    for (const content of contents) {
      const [x, z] = toLocal(piece, facing, content);
      const isNear = Math.hypot(x - approach[0], z - approach[1]) < REACH;
      if (!isNear || outOfFrame({ approach, pitch: stand.pitch }, [x, z], surface) > 0) continue;
      area.left = Math.min(area.left, x - 0.1);
      area.right = Math.max(area.right, x + 0.1);
      area.back = Math.min(area.back, z - 0.1);
      area.front = Math.max(area.front, z + 0.1);
    }
    placeBefore(area, approach);
  }
  for (const other of stands) clearStand(area, toLocal(piece, facing, other), approach);
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
 * Builds furniture into tables: cabinets and drawers inside a counter or desk move forward to its edge, and it becomes
 * hollow; basins and machines rise to its top.
 */
export function buildIn(receptacles: readonly Receptacle[]): Receptacle[] {
  const hollow = new Map<Receptacle, Front[]>();
  const tables = receptacles.filter(({ kind }) => TABLES.has(kind));
  const moved = receptacles.map((receptacle) => {
    const byFront = NAMED_BY_FRONT.has(receptacle.kind);
    if (!byFront && !ON_TABLES.has(receptacle.kind)) return receptacle;
    const [x, z] = toWorld(receptacle, receptacle.facing, [0, byFront ? receptacle.depth / 2 : 0]);
    const table = tables.find((other) => {
      const [along, out] = toLocal(other, other.facing, { x, z });
      const isNear = byFront ? receptacle.y < other.surface : Math.abs(receptacle.y - other.surface) < 0.25;
      return isNear && Math.abs(along) < other.width / 2 + 0.1 && Math.abs(out) < other.depth / 2 + 0.1;
    });
    if (!table) return byFront && receptacle.y < BUILT_IN_HEIGHT ? { ...receptacle, standsAlone: true } : receptacle;
    if (!byFront) {
      return {
        ...receptacle,
        y: Math.max(receptacle.y, table.surface - (receptacle.kind === 'sinkbasin' ? 0.012 : 0)),
      };
    }
    const fronts = hollow.get(table) ?? [];
    hollow.set(table, fronts);
    const isTurned = (table.facing - receptacle.facing) % 2 !== 0;
    const reach = (isTurned ? table.width : table.depth) / 2;
    const gap = Math.min(0.5, Math.max(0, reach + 0.01 - toLocal(table, receptacle.facing, { x, z })[1]));
    const [toX, toZ] = toWorld(receptacle, receptacle.facing, [0, gap]);
    const y = Math.min(receptacle.y, table.surface - (receptacle.kind === 'drawer' ? 0.14 : 0.34));
    const approach = [receptacle.approach[0], receptacle.approach[1] - gap] as const;
    const [along] = toLocal(table, table.facing, { x: toX, z: toZ });
    const half = (isTurned ? receptacle.depth : receptacle.width) / 2;
    const reachUp = receptacle.kind === 'drawer' ? 0.1 : 0.3;
    fronts.push([along - half, along + half, y - reachUp, y + reachUp]);
    return { ...receptacle, x: toX, y, z: toZ, approach };
  });
  return moved.map((receptacle, index) => {
    const fronts = hollow.get(receptacles[index]!);
    return fronts ? { ...receptacle, hollow: true, fronts } : receptacle;
  });
}

interface Area {
  left: number;
  right: number;
  back: number;
  front: number;
}

/** Places a table in front of the agent that stands at it, wherever its id says its middle is. */
function placeBefore(area: Area, [x, z]: readonly [number, number]): void {
  area.front = Math.min(area.front, z - CLEARANCE);
  area.back = Math.min(area.back, area.front - 0.4);
  area.left = Math.min(area.left, x - 0.1);
  area.right = Math.max(area.right, x + 0.1);
}

/**
 * Keeps furniture clear of a place where the agent stands: cuts off the side that loses smallest, except what is in front of
 * the furniture's own user.
 */
function clearStand(area: Area, [x, z]: readonly [number, number], user: readonly [number, number]): void {
  const cuts = [
    area.right - (x - CLEARANCE),
    x + CLEARANCE - area.left,
    area.front - (z - CLEARANCE),
    z + CLEARANCE - area.back,
  ];
  if (Math.min(...cuts) <= 0) return;
  const kept = Math.min(area.right, Math.max(area.left, user[0]));
  if (x - CLEARANCE < kept) cuts[0] = Number.POSITIVE_INFINITY;
  if (x + CLEARANCE > kept) cuts[1] = Number.POSITIVE_INFINITY;
  const smallest = Math.min(...cuts);
  if (smallest === cuts[2]) area.front = Math.max(z - CLEARANCE, area.back + 0.1);
  else if (smallest === cuts[0]) area.right = Math.max(x - CLEARANCE, area.left + 0.1);
  else if (smallest === cuts[1]) area.left = Math.min(x + CLEARANCE, area.right - 0.1);
  else area.back = Math.min(z + CLEARANCE, area.front - 0.1);
}

function sizeOf(kind: string) {
  return SIZES.get(kind) ?? { width: 0.5, depth: 0.5, y: 0, surface: 0.5 };
}
