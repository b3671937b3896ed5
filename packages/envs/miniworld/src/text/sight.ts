/** The goal's position in the picture, as one word that a small model learns to predict before it acts. */
import type { Goal } from '../tasks/task.js';
import type { Entity } from '../world/entity.js';
import type { World } from '../world/world.js';
import { COLUMNS, eyeOf, ROWS } from './outline.js';
import { sights } from './sights.js';
import { wallDistance } from './wall-distance.js';

/**
 * `hidden`: outside the picture or behind a wall. A label states only what the picture shows, because labels for goals
 * out of view would teach a small model to guess. `none`: the task has no goal.
 */
export type Sight = 'ahead' | 'left' | 'right' | 'hidden' | 'none';

/** Maximum angle from the middle of the view in degrees, one turn of the agent, at which walking ahead is right. */
const AHEAD = 15;

/**
 * The position of the nearest visible goal.
 *
 * @param isTold  Observations are words: what they list is visible. Of pictures, a goal is visible if its center is in the field
 *   of view and no wall is in front of it, the rule under which the published policies were trained.
 */
export function sightOf(world: World, goal: Goal | undefined, isTold = false): Sight {
  const wanted = goal ? wantedNext(world, goal) : [];
  if (wanted.length === 0) return 'none';
  const bearing = isTold
    ? sights(world).find(({ entity }) => wanted.includes(entity))?.bearing
    : bearingOfNearest(world, wanted);
  if (bearing === undefined) return 'hidden';
  if (Math.abs(bearing) <= AHEAD) return 'ahead';
  return bearing > 0 ? 'left' : 'right';
}

function wantedNext(world: World, goal: Goal): readonly Entity[] {
  if (goal.kind === 'pick up') return goal.entities;
  if (goal.kind === 'put next' && world.agent.carrying === goal.entity) return [goal.target];
  // a place on the floor is not a thing that the picture shows
  if (goal.kind === 'carry to' && world.agent.carrying === goal.entity) return [];
  return [goal.entity];
}

/** Degrees to the center of the nearest one that is in view, positive to the left. */
function bearingOfNearest(world: World, wanted: readonly Entity[]): number | undefined {
  const { agent } = world;
  const half = Math.atan(eyeOf(agent, COLUMNS / ROWS).halfWidth);
  const [nearest] = wanted
    .filter((entity) => entity !== agent.carrying && world.entities.includes(entity))
    .map((entity) => {
      const [dx, dz] = [entity.x - agent.x, entity.z - agent.z];
      const turn = Math.atan2(-dz, dx) - agent.direction;
      const bearing = Math.atan2(Math.sin(turn), Math.cos(turn));
      return { entity, bearing, distance: Math.sqrt(dx * dx + dz * dz) };
    })
    .filter(
      ({ entity, bearing, distance }) =>
        // the wall on which an entity hangs does not hide it
        Math.abs(bearing) <= half && wallDistance(world, bearing) >= distance - Math.max(0.1, entity.radius),
    )
    .sort((a, b) => a.distance - b.distance);
  return nearest && (nearest.bearing * 180) / Math.PI;
}
