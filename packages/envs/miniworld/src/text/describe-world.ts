/**
 * Describes what the agent sees: entities in its field of view that no wall hides, and distances to the walls.
 *
 * Computed from the floor plan, without drawing: an entity is visible if its center is in the camera's horizontal field
 * of view and no wall crosses the line from the eye to its center.
 */
import type { Entity } from '../world/entity.js';
import type { World } from '../world/world.js';

export interface Sight {
  readonly entity: Entity;
  /** Horizontal distance between the centers, in meters. */
  readonly distance: number;
  /** Degrees, positive to the left. */
  readonly bearing: number;
}

const MAX_LISTED = 40;
/** Width over height. A description has no size, so it uses the ratio of the default picture. */
const ASPECT = 4 / 3;

/** Entities in view, nearest first, without the carried one. */
export function sights(world: World, aspect = ASPECT): Sight[] {
  const { agent } = world;
  const half = halfFieldOfView(world, aspect);
  return world.entities
    .filter((entity) => entity !== agent && entity !== agent.carrying)
    .map((entity) => {
      const dx = entity.x - agent.x;
      const dz = entity.z - agent.z;
      return { entity, distance: Math.sqrt(dx * dx + dz * dz), bearing: bearingOf(world, entity) };
    })
    .filter(({ bearing, distance, entity }) => Math.abs(bearing) <= half && !hidden(world, distance, bearing, entity))
    .sort((a, b) => a.distance - b.distance)
    .map(({ bearing, ...rest }) => ({ ...rest, bearing: (bearing * 180) / Math.PI }));
}

/** Angle from the middle of the view in radians, positive to the left, in [-π, π]. */
function bearingOf({ agent }: World, { x, z }: Pick<Entity, 'x' | 'z'>): number {
  const turn = Math.atan2(-(z - agent.z), x - agent.x) - agent.direction;
  return Math.atan2(Math.sin(turn), Math.cos(turn));
}

/** Angle from the middle of the view to its left or right edge, in radians. */
function halfFieldOfView({ agent }: World, aspect = ASPECT): number {
  return Math.atan(Math.tan((agent.camFovY * Math.PI) / 360) * aspect);
}

/** Distance to the first wall in meters. `bearing` is relative to the agent's direction, in radians to the left. */
export function wallDistance(world: World, bearing = 0): number {
  const { agent, segments } = world;
  const dx = Math.cos(agent.direction + bearing);
  const dz = -Math.sin(agent.direction + bearing);
  let nearest = Number.POSITIVE_INFINITY;
  for (let index = 0; index < segments.length; index += 4) {
    const ax = segments[index]! - agent.x;
    const az = segments[index + 1]! - agent.z;
    const ex = segments[index + 2]! - segments[index]!;
    const ez = segments[index + 3]! - segments[index + 1]!;
    const cross = dx * ez - dz * ex;
    if (cross === 0) continue;
    const along = (ax * ez - az * ex) / cross;
    const share = (ax * dz - az * dx) / cross;
    if (along > 0 && along < nearest && share >= 0 && share <= 1) nearest = along;
  }
  return nearest;
}

/** `You see: a red box 3.2 m away, 12 degrees to the left. …` */
export function describeWorld(world: World): string {
  const seen = sights(world);
  const listed = seen.slice(0, MAX_LISTED).map(({ entity, distance, bearing }) => {
    const side = Math.round(bearing);
    const where = side === 0 ? 'straight ahead' : `${Math.abs(side)} degrees to the ${side > 0 ? 'left' : 'right'}`;
    return `${entity.label} ${distance.toFixed(1)} m away, ${where}`;
  });
  if (seen.length > MAX_LISTED) listed.push(`${seen.length - MAX_LISTED} more things`);
  const { carrying } = world.agent;
  return [
    listed.length > 0 ? `You see: ${listed.join('; ')}.` : 'You see nothing but walls.',
    `${sentence([
      free(wallDistance(world), 'ahead'),
      free(wallDistance(world, Math.PI / 2), 'to the left'),
      free(wallDistance(world, -Math.PI / 2), 'to the right'),
    ])}`,
    carrying ? `You carry ${carrying.label}.` : 'Your hands are empty.',
  ].join('\n');
}

const free = (meters: number, where: string): string =>
  Number.isFinite(meters) ? `the wall ${where} is ${meters.toFixed(1)} m away` : `there is no wall ${where}`;

function sentence(clauses: readonly string[]): string {
  const text = clauses.join(', ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** True if a wall is between the eye and the entity. The wall on which the entity hangs does not count. */
function hidden(world: World, distance: number, bearing: number, entity: Entity): boolean {
  return wallDistance(world, bearing) < distance - Math.max(0.1, entity.radius);
}
