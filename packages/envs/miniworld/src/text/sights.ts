/**
 * Entities in the agent's picture, computed without drawing: those of which enough is in view, in front of everything that
 * hides it: walls, what is above and below their openings, other entities, and what the agent carries.
 *
 * `describe-world.test.ts` compares with pictures.
 */
import type { Entity } from '../world/entity.js';
import type { World } from '../world/world.js';
import {
  COLUMNS,
  type Eye,
  entityOutline,
  eyeOf,
  type Outline,
  ROWS,
  rayAt,
  type Span,
  wallAhead,
  wallOutlines,
} from './outline.js';

export interface Sight {
  readonly entity: Entity;
  /** Horizontal distance between the centers, in meters. */
  readonly distance: number;
  /** Degrees to the middle of its visible part, positive to the left. */
  readonly bearing: number;
  /** Height of the letters of a text on a wall, in rows of a picture of 80 x 60; absent for other entities. */
  readonly letterRows?: number;
}

/** Width over height. A description has no size, so it uses the ratio of the default picture. */
const ASPECT = COLUMNS / ROWS;

/** Pixels of 80 x 60 within an entity's outline that must be visible. Meshes fill a part of their outline. */
const MIN_PIXELS = 6;

/** Entities in view, nearest first, without the carried one. */
export function sights(world: World, aspect = ASPECT): Sight[] {
  const eye = eyeOf(world.agent, aspect);
  const entities = world.entities.filter((entity) => entity !== world.agent);
  const outlines: readonly (Outline | undefined)[] = [
    ...entities.map((entity) => entityOutline(eye, entity.looks(), entity)),
    ...wallOutlines(world, eye),
  ];
  const pixels = entities.map(() => 0);
  const places = entities.map(() => 0);
  for (let column = 0; column < COLUMNS; column += 1) {
    const across = (2 * (column + 0.5)) / COLUMNS - 1;
    const ray = rayAt(eye, across);
    for (const [index, rows] of visibleRows(outlines.map((outline) => outline?.(ray))).entries()) {
      if (index >= entities.length) break;
      pixels[index]! += rows;
      places[index]! += rows * across;
    }
  }
  return entities
    .flatMap((entity, index): Sight[] => {
      if (entity === world.agent.carrying || pixels[index]! < MIN_PIXELS) return [];
      const distance = Math.hypot(entity.x - world.agent.x, entity.z - world.agent.z);
      const bearing = -Math.atan((places[index]! / pixels[index]!) * eye.halfWidth) * (180 / Math.PI);
      const looks = entity.looks();
      const rows = looks.kind === 'text' ? (looks.height * ROWS) / (2 * eye.halfHeight * distance) : undefined;
      return [{ entity, distance, bearing, ...(rows !== undefined && { letterRows: rows }) }];
    })
    .sort((a, b) => a.distance - b.distance);
}

/** Distances to the walls in meters, seen at this many places from the left edge of the picture to the right edge. */
export function wallsInView(world: World, count: number): number[] {
  const eye: Eye = eyeOf(world.agent, ASPECT);
  return Array.from({ length: count }, (_, index) => wallAhead(world, eye, rayAt(eye, (2 * index) / (count - 1) - 1)));
}

/** Rows of one column that each span shows in front of the others. */
function visibleRows(spans: readonly (Span | undefined)[]): number[] {
  const shown = spans.map(() => 0);
  const order = spans
    .map((span, index) => ({ span, index }))
    .filter((one): one is { span: Span; index: number } => one.span !== undefined)
    .sort((a, b) => a.span.depth - b.span.depth);
  let free: readonly (readonly [low: number, high: number])[] = [[-ROWS / 2, ROWS / 2]];
  for (const { span, index } of order) {
    const rest: [number, number][] = [];
    for (const [low, high] of free) {
      const [bottom, top] = [Math.max(low, span.low), Math.min(high, span.high)];
      if (bottom >= top) {
        rest.push([low, high]);
        continue;
      }
      shown[index]! += top - bottom;
      if (low < bottom) rest.push([low, bottom]);
      if (top < high) rest.push([top, high]);
    }
    free = rest;
    if (free.length === 0) break;
  }
  return shown;
}
