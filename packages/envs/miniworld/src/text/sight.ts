/** Where the goal is, in a word or two: what a small model learns to see before it acts. */
import type { Goal } from '../tasks/task.js';
import type { Entity } from '../world/entity.js';
import type { World } from '../world/world.js';
import { bearingOf, halfFieldOfView, sights } from './describe-world.js';

/**
 * In view: `ahead`, `left`, `right`. Beyond the edges of the picture: `far left`, `far right`, which pictures of a room
 * often tell. `hidden`: behind a wall. `none`: the task wants nothing.
 */
export type Sight = 'ahead' | 'left' | 'right' | 'far left' | 'far right' | 'hidden' | 'none';

/** One turn of the agent, degrees: what is nearer to the middle of the view is walked towards. */
const AHEAD = 15;

/** Of several things that the task wants, the nearest in view, else the nearest. */
export function sightOf(world: World, goal: Goal | undefined): Sight {
  if (!goal) return 'none';
  const wanted = wantedNext(world, goal);
  const seen = sights(world).find(({ entity }) => wanted.includes(entity));
  if (seen && Math.abs(seen.bearing) <= AHEAD) return 'ahead';
  if (seen) return seen.bearing > 0 ? 'left' : 'right';

  const { agent } = world;
  const distance = ({ x, z }: Entity) => Math.hypot(x - agent.x, z - agent.z);
  const [nearest] = [...wanted].sort((a, b) => distance(a) - distance(b));
  if (!nearest) return 'none';
  const bearing = bearingOf(world, nearest);
  if (Math.abs(bearing) <= halfFieldOfView(world)) return 'hidden';
  return bearing > 0 ? 'far left' : 'far right';
}

function wantedNext(world: World, goal: Goal): readonly Entity[] {
  if (goal.kind === 'pick up') return goal.entities;
  if (goal.kind === 'put next' && world.agent.carrying === goal.entity) return [goal.target];
  return [goal.entity];
}
