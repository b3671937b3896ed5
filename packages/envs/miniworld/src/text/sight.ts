/** What matters in a picture, in two words: what a small model learns to see before it acts. */
import type { Goal } from '../tasks/task.js';
import type { Entity } from '../world/entity.js';
import type { World } from '../world/world.js';
import { sights } from './describe-world.js';

export interface Sight {
  /** Where the nearest of the things is that the task wants next; `hidden`: none in view, `none`: it wants nothing. */
  readonly goal: 'ahead' | 'left' | 'right' | 'hidden' | 'none';
  /** Whether a step forward is free. */
  readonly ahead: 'free' | 'blocked';
}

/** One turn of the agent, degrees: what is nearer to the middle of the view is walked towards. */
const AHEAD = 15;

export function sightOf(world: World, goal: Goal | undefined): Sight {
  const step = world.moved(world.agent, world.parameters.forwardStep.default);
  return { goal: sideOf(world, goal), ahead: step ? 'free' : 'blocked' };
}

function sideOf(world: World, goal: Goal | undefined): Sight['goal'] {
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
