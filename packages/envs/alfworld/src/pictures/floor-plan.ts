/**
 * The floor plan of a game: where furniture stands, how large it is, where the walls are.
 *
 * All of it comes from the ids of the game, which carry the coordinates of AI2-THOR, and from where the agent stands
 * to use a receptacle (`docs/specs/alfworld.md` 2.5 and 18.2): so original and generated games are drawn alike.
 * Sizes are those of our generator. In original games tables grow to hold visible objects, and furniture moves into view.
 *
 * AI2-THOR is left-handed; here z is negated, so that three.js can draw it.
 */

import type { Game } from '../engine/game.js';
import { Play } from '../engine/play.js';
import { Household } from '../experts/household.js';
import type { RoomArea } from '../generator/layout.js';
import { moveIntoView } from './clear-view.js';
import { buildIn, generatedFurniture, originalFurniture } from './furniture-area.js';
import { type Piece, type Receptacle, type Stand, toWorld } from './geometry.js';
import { pieceFromId, standFromId } from './object-ids.js';
import type { Dimensions } from './sight.js';

/** Where a game comes from. */
export interface Origin {
  /** Made by our generator, so the sizes of its furniture are known. */
  readonly isMade: boolean;
  /** Its rooms; default: one around everything. */
  readonly areas?: readonly RoomArea[] | undefined;
}

/** A room between four walls. */
export interface Room {
  readonly room: 'kitchen' | 'livingroom' | 'bedroom' | 'bathroom';
  readonly low: readonly [x: number, z: number];
  readonly high: readonly [x: number, z: number];
}

export interface FloorPlan {
  readonly isMade: boolean;
  readonly rooms: readonly Room[];
  readonly receptacles: readonly Receptacle[];
  /** Every other object that has a position. */
  readonly things: readonly Piece[];
  readonly ceiling: number;
  readonly stands: ReadonlyMap<number, Stand>;
}

/** Free space around every place where the agent can stand, in meters. */
const ELBOW_ROOM = 0.3;

export function floorPlan(game: Game, { isMade, areas }: Origin, dimensions: Dimensions): FloorPlan {
  const { ids } = game.world;
  const house = new Household(new Play(game));
  const pieces = new Map<number, Piece>();
  const stands = new Map<number, Stand>();
  for (const [number, id] of ids.entries()) {
    const stand = standFromId(id);
    if (stand) stands.set(number, stand);
    const piece = pieceFromId(id, number);
    if (piece) pieces.set(number, piece);
  }
  const found = house.receptacles.flatMap((number): Receptacle[] => {
    const piece = pieces.get(number);
    const stand = stands.get(house.locationOf(number) ?? -1);
    if (!piece || !stand) return [];
    const contents = house.contentOf(number).flatMap((content) => pieces.get(content) ?? []);
    const isOpen = !house.isClosed(number);
    const furniture = isMade
      ? generatedFurniture(piece, stand)
      : originalFurniture(piece, stand, contents, [...stands.values()]);
    return [{ ...furniture, isOpen }];
  });
  const receptacles = isMade ? found : moveIntoView(buildIn(found), dimensions);
  const holders = new Set(receptacles.map(({ number }) => number));
  const things = [...pieces.values()].filter(({ number }) => !holders.has(number));
  const { low, high, ceiling } = bounds(receptacles, things, stands);
  const rooms = areas?.map(sceneRoom) ?? [{ room: roomOf(receptacles), low, high }];
  return { isMade, rooms, receptacles, things, stands, ceiling };
}

/** In the scene's coordinates. */
function sceneRoom({ room, low, high }: RoomArea): Room {
  return { room: room.toLowerCase() as Room['room'], low: [low[0], -high[1]], high: [high[0], -low[1]] };
}

function roomOf(receptacles: readonly Receptacle[]): Room['room'] {
  const has = (kind: string) => receptacles.some((receptacle) => receptacle.kind === kind);
  if (has('fridge') || has('stoveburner')) return 'kitchen';
  if (has('toilet') || has('bathtubbasin')) return 'bathroom';
  return has('bed') ? 'bedroom' : 'livingroom';
}

function bounds(receptacles: readonly Receptacle[], things: readonly Piece[], stands: ReadonlyMap<number, Stand>) {
  const points: (readonly [x: number, z: number])[] = things.map(({ x, z }) => [x, z]);
  for (const { x, z } of stands.values()) {
    points.push([x - ELBOW_ROOM, z - ELBOW_ROOM], [x + ELBOW_ROOM, z + ELBOW_ROOM]);
  }
  for (const receptacle of receptacles) {
    const [w, d] = [receptacle.width / 2, receptacle.depth / 2];
    for (const x of [-w, w]) for (const z of [-d, d]) points.push(toWorld(receptacle, receptacle.facing, [x, z]));
  }
  const edge = (pick: (...values: number[]) => number, axis: 0 | 1) => pick(...points.map((point) => point[axis]));
  return {
    low: [edge(Math.min, 0) - 0.01, edge(Math.min, 1) - 0.01] as const,
    high: [edge(Math.max, 0) + 0.01, edge(Math.max, 1) + 0.01] as const,
    ceiling: Math.max(2.6, ...[...receptacles, ...things].map(({ y }) => y + 0.35)),
  };
}
