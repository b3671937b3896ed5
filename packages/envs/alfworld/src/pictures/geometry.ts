/** Positions of furniture and the agent, and conversion between coordinates of the room and of a piece of furniture. */

/** The agent's position and viewing direction, in the scene's coordinates. */
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
  /** Class in lower case: `countertop`. */
  readonly kind: string;
  readonly x: number;
  /** Height in the id. */
  readonly y: number;
  readonly z: number;
}

/** Meters along the front of a piece of furniture, and above the floor. */
export type Front = readonly [left: number, right: number, low: number, high: number];

export interface Receptacle extends Piece {
  /** Direction in which an agent that uses it faces, 0 to 3. */
  readonly facing: number;
  readonly width: number;
  readonly depth: number;
  readonly surface: number;
  readonly standsAlone: boolean;
  /** Drawers and cabinets are built in: their fronts are its front. */
  readonly hollow: boolean;
  /** Positions of built-in drawers and cabinets, relative to its middle; set if it is hollow. */
  readonly fronts?: readonly Front[];
  /** Open at the start, like a drawer that the game never lets anyone close. */
  readonly isOpen: boolean;
  /** The agent's position for using it: meters to the right of its middle and out from its front. */
  readonly approach: readonly [x: number, z: number];
  /** Degrees below the horizon at which the agent looks from there. */
  readonly pitch: number;
}

/** Meters to the right and out from the front of a piece that an agent uses facing `facing`. */
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

/** Directions to the right and to the front of furniture, as [x, z], as seen by an agent that faces it. */
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
