/** The goal's position in the picture, as one word that a small model learns to predict before it acts. */
import type { Goal } from '../tasks/task.js';
import type { Entity } from '../world/entity.js';
import type { World } from '../world/world.js';
import { sights } from './describe-world.js';

/**
 * `hidden`: outside the picture or behind a wall. A label states only what the picture shows, because labels for goals
 * out of view would teach a small model to guess. `none`: the task has no goal.
 */
export type Sight = 'ahead' | 'left' | 'right' | 'hidden' | 'none';

/** Maximum angle from the middle of the view in degrees, one turn of the agent, at which walking ahead is right. */
const AHEAD = 15;

/** The position of the nearest visible goal. */
export function sightOf(world: World, goal: Goal | undefined): Sight {
  const wanted = goal ? wantedNext(world, goal) : [];
  if (wanted.length === 0) return 'none';
  const seen = sights(world).find(({ entity }) => wanted.includes(entity));
  if (!seen) return 'hidden';
  if (Math.abs(seen.bearing) <= AHEAD) return 'ahead';
  return seen.bearing > 0 ? 'left' : 'right';
}

function wantedNext(world: World, goal: Goal): readonly Entity[] {
  if (goal.kind === 'pick up') return goal.entities;
  if (goal.kind === 'put next' && world.agent.carrying === goal.entity) return [goal.target];
  // a place on the floor is not a thing that the picture shows
  if (goal.kind === 'carry to' && world.agent.carrying === goal.entity) return [];
  return [goal.entity];
}
