/** Where the goal is, in a word or two: what a small model learns to see before it acts. */
import type { Goal } from '../tasks/task.js';
import type { Entity } from '../world/entity.js';
import type { World } from '../world/world.js';
import { sights } from './describe-world.js';

/**
 * `hidden`: outside the picture or behind a wall. A label names only what the picture shows: a guess at the side of a
 * goal out of view teaches a small model not to look. `none`: the task wants nothing.
 */
export type Sight = 'ahead' | 'left' | 'right' | 'hidden' | 'none';

/** One turn of the agent, degrees: what is nearer to the middle of the view is walked towards. */
const AHEAD = 15;

/** Of several things that the task wants, the nearest in view. */
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
  return [goal.entity];
}
