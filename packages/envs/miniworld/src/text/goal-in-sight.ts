/** Where the agent sees what its task wants next, in one word: what a small model learns to see before it acts. */
import type { Goal } from '../tasks/task.js';
import type { Entity } from '../world/entity.js';
import type { World } from '../world/world.js';
import { sights } from './describe-world.js';

export type GoalInSight = 'ahead' | 'left' | 'right' | 'hidden' | 'none';

/** One turn of the agent, degrees: what is nearer to the middle of the view is walked towards. */
const AHEAD = 15;

/** The nearest of the things wanted decides. `hidden`: none is in view; `none`: the task wants nothing. */
export function goalInSight(world: World, goal: Goal | undefined): GoalInSight {
  if (!goal) return 'none';
  const wanted = wantedNext(world, goal);
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
