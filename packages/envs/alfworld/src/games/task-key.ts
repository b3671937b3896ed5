/**
 * What a household episode is about: the room with its furniture, and the goal of the game.
 *
 * Which objects lie about, where they lie and how the task is worded are not part of it: two games of one room that ask
 * for the same are one task, so that an evaluation on unseen tasks meets no goal that was trained in the same room.
 */
import { contentDigest, taskKey } from '@vlgym/core';
import type { Problem } from '../pddl/domain.js';
import { type Task, taskOfGoal } from './task.js';

/** `alfworld:FloorPlan20:pick_heat_then_place_in_recep:mug>cabinet` */
export function householdKey(floorPlan: string, { type, object, receptacle, lamp }: Task): string {
  return taskKey('alfworld', `${floorPlan}:${type}:${plainClass(object)}>${plainClass(receptacle || lamp || '')}`);
}

/**
 * The same for a game of a file.
 *
 * @param floorPlan  As the trajectory beside the game names it; where that is empty, the furniture stands for the room.
 */
export function problemKey({ facts, goal }: Problem, floorPlan: string): string {
  const room = floorPlan || `furniture-${contentDigest(furniture(facts))}`;
  const task = taskOfGoal(goal);
  return task ? householdKey(room, task) : taskKey('alfworld', `${room}:other:${contentDigest(JSON.stringify(goal))}`);
}

/** Classes as games write them, `MugType` or lower-case `mugtype`, and as the generator does, `Mug`. */
const plainClass = (name: string): string => name.toLowerCase().replace(/type$/, '');

/** Ids of receptacles hold their places; where one stands to use them may differ from game to game. */
function furniture(facts: Problem['facts']): string {
  const receptacles = facts.filter(({ predicate }) => predicate === 'receptacletype');
  return receptacles
    .map(({ terms }) => terms.join(' '))
    .sort()
    .join('\n');
}
