/**
 * Soft contact shadows as darker colors of vertices: the renderer draws neither shadows nor transparency.
 *
 * On the floor they are part of its tiles; on a table they are discs of its color, dark in the middle, whose rims cannot be
 * told from the table.
 */
import type { Piece } from './models/solids.js';

/** An area of the floor that something stands on or over. */
export interface Footprint {
  readonly low: readonly [x: number, z: number];
  readonly high: readonly [x: number, z: number];
  /** 0 to 1. */
  readonly darkness: number;
}

/** How far a shadow on the floor spreads, in meters. */
const SPREAD = 0.2;
/** Distances from a footprint at which the floor is cut: between them the renderer interpolates. */
const CUTS = [0, SPREAD] as const;

export type ShadowForm = 'disc' | 'square';

/** Share of the light at the middle of a shadow on a table, and near its rim. */
const [CORE, CORE_RADIUS] = [0.58, 0.72] as const;

/** A shadow of radius 1 in the plane y = 0, as dark as the surface at its rim. */
export function contactShadow(tone: number, form: ShadowForm): Piece {
  const corners = form === 'disc' ? 8 : 4;
  const radius = form === 'disc' ? 1 : Math.SQRT2;
  const at = (corner: number, share: number) => {
    const angle = (2 * Math.PI * (corner + 0.5)) / corners;
    return [radius * share * Math.sin(angle), 0, radius * share * Math.cos(angle)];
  };
  const positions: number[] = [];
  const shades: number[] = [];
  for (let corner = 0; corner < corners; corner += 1) {
    const [a, b] = [at(corner, CORE_RADIUS), at(corner + 1, CORE_RADIUS)];
    const [c, d] = [at(corner + 1, 1), at(corner, 1)];
    positions.push(0, 0, 0, ...a, ...b, ...a, ...d, ...c, ...a, ...c, ...b);
    shades.push(CORE, CORE, CORE, CORE, 1, 1, CORE, 1, CORE);
  }
  return { positions, normals: upwards(positions), color: tone, glows: false, shades };
}

export function upwards(positions: readonly number[]): number[] {
  return positions.map((_, index) => (index % 3 === 1 ? 1 : 0));
}

/** Joins footprints side by side, so that a row of cabinets has one shadow. */
export function joined(footprints: readonly Footprint[]): Footprint[] {
  const rest = [...footprints];
  for (let index = 0; index < rest.length; ) {
    const other = rest.findIndex((candidate, at) => at > index && isRow(rest[index]!, candidate));
    if (other < 0) {
      index += 1;
      continue;
    }
    const [a, b] = [rest[index]!, rest[other]!];
    rest.splice(other, 1);
    rest[index] = {
      low: [Math.min(a.low[0], b.low[0]), Math.min(a.low[1], b.low[1])],
      high: [Math.max(a.high[0], b.high[0]), Math.max(a.high[1], b.high[1])],
      darkness: Math.max(a.darkness, b.darkness),
    };
    index = 0;
  }
  return rest;
}

/** Equal along one axis, and touching along the other. */
function isRow(a: Footprint, b: Footprint): boolean {
  const TOLERANCE = 0.03;
  const isEqual = ([0, 1] as const).map(
    (axis) => Math.abs(a.low[axis] - b.low[axis]) < TOLERANCE && Math.abs(a.high[axis] - b.high[axis]) < TOLERANCE,
  );
  const touches = ([0, 1] as const).map(
    (axis) => a.low[axis] < b.high[axis] + TOLERANCE && b.low[axis] < a.high[axis] + TOLERANCE,
  );
  return (isEqual[0]! && touches[1]!) || (isEqual[1]! && touches[0]!);
}

/** Share of the light at a point of the floor. */
export function lightAt(x: number, z: number, footprints: readonly Footprint[]): number {
  let dark = 0;
  for (const { low, high, darkness } of footprints) {
    const [dx, dz] = [Math.max(low[0] - x, x - high[0], 0), Math.max(low[1] - z, z - high[1], 0)];
    const distance = Math.sqrt(dx * dx + dz * dz);
    if (distance >= SPREAD) continue;
    dark = Math.max(dark, darkness * (1 - distance / SPREAD));
  }
  return 1 - dark;
}

/** Footprints whose shadows reach into a rectangle of the floor. */
export function near(
  [left, right, back, front]: readonly [number, number, number, number],
  footprints: readonly Footprint[],
): Footprint[] {
  return footprints.filter(
    ({ low, high }) =>
      low[0] - SPREAD < right && high[0] + SPREAD > left && low[1] - SPREAD < front && high[1] + SPREAD > back,
  );
}

/** Coordinates from `from` to `to` at which shadows change. */
export function cuts(from: number, to: number, axis: 0 | 1, footprints: readonly Footprint[]): number[] {
  const inside = footprints
    .flatMap(({ low, high }) => CUTS.flatMap((distance) => [low[axis] - distance, high[axis] + distance]))
    .filter((at) => at > from + 0.02 && at < to - 0.02)
    .sort((a, b) => a - b);
  return [from, ...inside.filter((at, index) => index === 0 || at - inside[index - 1]! > 0.02), to];
}
