/**
 * The class or place that the task of a household needs and that the household lacks or refuses.
 *
 * Only facts that no action changes, and where things are at the start; `planner.ts` decides everything else.
 */
import type { Play } from '../engine/play.js';
import { Household, treatmentOf } from './household.js';

export interface Refusal {
  /** A clause without a full stop: `no shelf accepts a mug`. */
  readonly reason: string;
  /** The class or place, as games name it: `shelf`. */
  readonly refused: string;
  readonly hint: string;
}

/** Games write `mugtype`, or `MugType`. */
const plain = (className: string): string => className.toLowerCase().replace(/type$/, '');
const article = (name: string): string => `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`;

/** @returns `undefined` if nothing of this kind is in the way, or the goal has none of the six known forms. */
export function whyUnsolvable(play: Play): Refusal | undefined {
  const { task } = play.game;
  if (task === undefined) return undefined;
  const house = new Household(play);
  const object = plain(task.object);
  const needed = task.type === 'pick_two_obj_and_place' ? 2 : 1;
  const absent = (name: string, hint = `add ${article(name)} to the household`): Refusal => ({
    reason: `${name} is missing`,
    refused: name,
    hint,
  });

  const objects = house.objectsOf(task.object);
  if (objects.length === 0) return absent(object);
  const taken = objects.filter((each) => house.is('pickupable', each) || house.held === each);
  if (taken.length === 0) {
    return {
      reason: `${article(object)} cannot be taken`,
      refused: object,
      hint: 'choose an object that is pickupable',
    };
  }
  const there = taken.filter((each) => house.held === each || house.placesOf(each).length > 0);
  if (there.length < needed) {
    const reason =
      there.length === 0
        ? `no ${object} is in or on a receptacle`
        : `only one ${object} is in or on a receptacle, and the task needs two`;
    return {
      reason,
      refused: object,
      hint: `put ${needed === 1 ? article(object) : `two ${object}s`} in or on a receptacle`,
    };
  }
  if (task.type === 'look_at_obj_in_light') return lampRefusal(house, task.lamp!, absent);

  const treatment = treatmentOf(task.type);
  if (treatment) {
    const { able, verb, devices } = treatment;
    if (!there.some((each) => house.is(able, each))) {
      return { reason: `no ${object} is ${able}`, refused: object, hint: `choose an object that is ${able}` };
    }
    if (!devices.some((device) => house.receptaclesOf(device).length > 0)) {
      return absent(plain(devices[0]!), `add ${article(plain(devices[0]!))}, the place to ${verb} things`);
    }
  }
  const place = plain(task.receptacle!);
  const receptacles = house.receptaclesOf(task.receptacle!);
  if (receptacles.length === 0) return absent(place);
  if (!receptacles.some((receptacle) => there.some((each) => house.canHold(receptacle, each)))) {
    const hint = `choose a receptacle that accepts ${article(object)}, or an object that ${article(place)} accepts`;
    return { reason: `no ${place} accepts ${article(object)}`, refused: place, hint };
  }
  return undefined;
}

function lampRefusal(house: Household, lampClass: string, absent: (name: string) => Refusal): Refusal | undefined {
  const lamp = plain(lampClass);
  const lamps = house.objectsOf(lampClass);
  if (lamps.length === 0) return absent(lamp);
  const lit = lamps.filter((each) => house.is('toggleable', each));
  if (lit.length === 0) {
    return {
      reason: `${article(lamp)} cannot be switched on`,
      refused: lamp,
      hint: 'choose a lamp that is toggleable',
    };
  }
  if (!lit.some((each) => house.placesOf(each).length > 0)) {
    return {
      reason: `no ${lamp} is in or on a receptacle`,
      refused: lamp,
      hint: `put ${article(lamp)} on a receptacle`,
    };
  }
  return undefined;
}
