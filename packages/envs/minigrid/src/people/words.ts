/** Words for people: goal, rules and score, the reason why an action would change nothing, and how an episode ended. */
import type { StepResult } from '@vlgym/core';
import type { EnvGuide } from '@vlgym/core/registry';
import { DROP, FORWARD, PICKUP, TOGGLE } from '../world/constants.js';
import type { Thing } from '../world/thing.js';
import type { World } from '../world/world.js';

const RULES =
  'Turn left or right, walk forward, pick up and drop what is in front of you, and toggle doors and boxes. ' +
  'A locked door needs the key of its color; lava and moving balls end the episode.';

/** @param options  With `renderMode: 'ansi'` the world is shown in letters. */
export function gridGuide({ renderMode }: { readonly renderMode?: unknown }): EnvGuide {
  const look =
    renderMode === 'ansi'
      ? 'Two letters are a cell: >> VV << ^^ is you, a thing is its kind and its color: W wall, K key, A ball, B box, G goal, V lava, ' +
        'L locked door, D closed door, __ open door. '
      : 'You are the red arrow. ';
  return {
    goal: 'Do what the mission asks for.',
    rules: look + RULES,
    score:
      'Success gives 1 at once, and less the longer it takes, down to 0.1 at the last step. Failing gives 0 or costs 1.',
  };
}

const nameOf = ({ type, color }: Thing) => `${color} ${type}`;

/** The reason why an action would change nothing now; `undefined` if it would. */
export function gridRefusal({ grid, frontX, frontY, carrying }: World, action: number): string | undefined {
  const ahead = grid.get(frontX, frontY);
  if (action === FORWARD) {
    if (ahead === undefined || ahead.canOverlap) return undefined;
    return ahead.type === 'wall' ? 'A wall is in front of you.' : `The ${nameOf(ahead)} is in the way.`;
  }
  if (action === PICKUP) {
    if (!ahead?.canPickup) return 'Nothing in front of you can be picked up.';
    return carrying ? `You already carry the ${nameOf(carrying)}.` : undefined;
  }
  if (action === DROP) {
    if (!carrying) return 'You carry nothing.';
    return ahead ? 'The cell in front of you is taken.' : undefined;
  }
  return action === TOGGLE ? toggleRefusal(ahead, carrying) : undefined;
}

function toggleRefusal(ahead: Thing | undefined, carrying: Thing | undefined): string | undefined {
  if (ahead?.type !== 'door') return ahead?.type === 'box' ? undefined : 'Neither a door nor a box is in front of you.';
  const fits = !ahead.isLocked || (carrying?.type === 'key' && carrying.color === ahead.color);
  return fits ? undefined : `The door is locked, and you do not carry the ${ahead.color} key.`;
}

export function gridEnd(
  { grid, agentX, agentY }: World,
  { reward, terminated }: Pick<StepResult<unknown>, 'reward' | 'terminated'>,
): string | undefined {
  if (!terminated) return undefined;
  if (reward > 0) return 'The mission is done.';
  if (grid.get(agentX, agentY)?.type === 'lava') return 'You walked into lava.';
  return reward < 0 ? 'You ran into a ball.' : 'That is not what the mission asked for.';
}
