/**
 * Identity of a household task: the room with its furniture, and the goal of the game.
 *
 * Positions of objects and the wording of the task are not part of it: two games with the same goal in one room are one
 * task, so that an evaluation on unseen tasks never has a goal that was trained in the same room.
 */
import { contentDigest, taskKey } from '@vlgym/core';
import type { Problem } from '../pddl/domain.js';
import { type Task, taskOfGoal } from './task.js';

/** `alfworld:FloorPlan20:pick_heat_then_place_in_recep:mug>cabinet` */
export function householdKey(floorPlan: string, { type, object, receptacle, lamp }: Task): string {
  return taskKey('alfworld', `${floorPlan}:${type}:${plainClass(object)}>${plainClass(receptacle || lamp || '')}`);
}

/**
 * The task key of a game from a file.
 *
 * @param floorPlan  From the trajectory next to the game; if empty, the furniture identifies the room.
 */
export function problemKey({ facts, goal }: Problem, floorPlan: string): string {
  const room = floorPlan || `furniture-${contentDigest(furniture(facts))}`;
  const task = taskOfGoal(goal);
  return task ? householdKey(room, task) : taskKey('alfworld', `${room}:other:${contentDigest(JSON.stringify(goal))}`);
}

/** Normalizes classes: games write `MugType` or `mugtype`, the generator `Mug`. */
const plainClass = (name: string): string => name.toLowerCase().replace(/type$/, '');

/** Ids of receptacles contain their positions; where the agent stands to use them may differ between games. */
function furniture(facts: Problem['facts']): string {
  const receptacles = facts.filter(({ predicate }) => predicate === 'receptacletype');
  return receptacles
    .map(({ terms }) => terms.join(' '))
    .sort()
    .join('\n');
}
