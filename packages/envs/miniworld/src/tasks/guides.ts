/** Goal, rules and score of each world in plain sentences, for people. */
import type { EnvGuide } from '@vlgym/core/registry';
import { ACTIONS } from '../world/actions.js';
import { SUITE, type TaskName } from './suite.js';
import type { Task } from './task.js';

const REACHED = 'Success gives 1 at once and 0.8 with the last step, so be quick. Nothing else counts.';

/** Worlds whose score is not that of reaching something in time. */
const SCORES: Partial<Record<TaskName, string>> = {
  CollectHealth:
    'Every step that you survive gives 2, and dying costs 100. A step costs 2 of 100 health; a kit restores all of it.',
  PickupObjects: 'Each object that you pick up gives 1.',
  RoomObjects: 'There is nothing to win or to lose, and no end.',
  Sidewalk: `${REACHED} Stepping onto the street ends the episode with 0.`,
  Sign: 'The right object gives 1, a wrong one costs 1, and both end the episode.',
  ThreeRooms: 'There is nothing to win or to lose.',
};

/** @param options  Those of the environment; the options of the task are taken from them. */
export function miniWorldGuide(name: TaskName, options: Readonly<Record<string, unknown>>): EnvGuide {
  const { phrase, actions = 3 } = (SUITE[name] as (options: object) => Task)(options);
  const more = actions > 3 ? ACTIONS.slice(3, actions === 8 ? 6 : actions).join(', ') : undefined;
  return {
    goal: `${phrase.charAt(0).toUpperCase()}${phrase.slice(1)}.`,
    rules:
      'You see the world with the eyes of a walker: turn left, turn right, move forward' +
      `${more === undefined ? '' : `, ${more}`}. Walls and things stop you; being close to a thing is enough to reach it.`,
    score: SCORES[name] ?? REACHED,
  };
}
