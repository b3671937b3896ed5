/**
 * Progress on the task: conditions met, and their total number.
 *
 * The visual engine of ALFWorld reports their ratio, the text engine does not. This adds it, with the same
 * formulas on the facts of the game and classes matched exactly (`docs/specs/alfworld.md`, section 13).
 */
import type { Play } from '../engine/play.js';
import { Household, treatmentOf } from './household.js';

export interface GoalConditions {
  readonly met: number;
  /** 1 to 3; 1 if the goal has none of the six known forms. */
  readonly total: number;
}

export function goalConditions(play: Play): GoalConditions {
  const { task } = play.game;
  if (task === undefined) return { met: play.won ? 1 : 0, total: 1 };
  const house = new Household(play);
  const objects = house.objectsOf(task.object);
  if (task.type === 'look_at_obj_in_light') {
    const holds = house.held !== undefined && objects.includes(house.held);
    const lit = house.objectsOf(task.lamp!).some((lamp) => house.is('istoggled', lamp) && isHere(house, lamp));
    return { met: Number(holds) + Number(lit), total: 2 };
  }
  const receptacles = house.receptaclesOf(task.receptacle!);
  const inPlace = receptacles.map((receptacle) => objects.filter((object) => house.isIn(object, receptacle)).length);
  if (task.type === 'pick_two_obj_and_place') return { met: Math.min(2, Math.max(0, ...inPlace)), total: 2 };
  const placed = inPlace.some((count) => count > 0);
  const treatment = treatmentOf(task.type);
  if (treatment === undefined) return { met: Number(placed), total: 1 };
  const treated = objects.filter((object) => house.is(treatment.able, object) && house.is(treatment.property, object));
  const both = treated.some((object) => receptacles.some((receptacle) => house.isIn(object, receptacle)));
  return { met: Number(placed) + Number(treated.length > 0) + Number(both), total: 3 };
}

/** Whether the agent stands at a receptacle that holds the object. */
export function isHere(house: Household, object: number): boolean {
  return house.placesOf(object).some((receptacle) => house.locationOf(receptacle) === house.location);
}
