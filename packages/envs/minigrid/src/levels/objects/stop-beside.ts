/** The end of levels where `done` is said beside a place, and `toggle` fails. */
import { DONE, TOGGLE } from '../../world/constants.js';
import type { Task } from '../../world/task.js';
import type { World } from '../../world/world.js';
import { isBeside } from '../goals.js';

export function stopBeside(world: World, x: number, y: number): NonNullable<Task['step']> {
  return (action, act) => {
    const outcome = act(action);
    if (action === DONE && isBeside(world.agentX, world.agentY, x, y)) return world.succeed(outcome);
    if (action !== DONE && action !== TOGGLE) return outcome;
    return { ...outcome, terminated: true };
  };
}
