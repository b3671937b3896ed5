/** Reads coordinates from the ids of a game, e.g. `mug_bar__plus_00_dot_96_bar__plus_00_dot_10_bar__minus_01_dot_89`. */
import type { Piece, Stand } from './geometry.js';

/** Distance between neighboring points of AI2-THOR's grid, in meters. */
const GRID_STEP = 0.25;

/** @returns `undefined` for an id that has no position. */
export function pieceFromId(id: string, number: number): Piece | undefined {
  const [kind, ...rest] = id.split('_bar_');
  if (kind === undefined || kind === 'loc' || rest.length < 3) return undefined;
  const [x, y, z] = rest.slice(0, 3).map(numberOf) as [number, number, number];
  if (![x, y, z].every(Number.isFinite)) return undefined;
  const basin = rest[3]?.endsWith('basin') ? 'basin' : '';
  return { number, kind: kind + basin, x, y, z: -z + 0 };
}

/** Reads a location of the agent: `loc_bar__minus_3_bar_7_bar_2_bar_30`. */
export function standFromId(id: string): Stand | undefined {
  const [kind, ...rest] = id.split('_bar_');
  if (kind !== 'loc' || rest.length !== 4) return undefined;
  const [x, z, facing, pitch] = rest.map(numberOf) as [number, number, number, number];
  if (![x, z, facing, pitch].every(Number.isFinite)) return undefined;
  return { x: x * GRID_STEP, z: -z * GRID_STEP + 0, facing: ((facing % 4) + 4) % 4, pitch };
}

function numberOf(text: string): number {
  return Number(text.replace('_plus_', '').replace('_minus_', '-').replace('_dot_', '.'));
}
