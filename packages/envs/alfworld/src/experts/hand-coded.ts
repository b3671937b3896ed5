/**
 * The expert with partial knowledge: it knows the task and where objects usually are, and searches for the rest.
 *
 * After the hand-coded policy of ALFWorld (`docs/specs/alfworld.md`, section 12): sub-goals one after the other; to find an
 * object, first receptacles seen to hold it, then those whose class can hold it, then all; closed ones are opened and
 * closed again. Unlike the original it knows both verbs for putting, is deterministic, and never gives up.
 */
import type { Play } from '../engine/play.js';
import { isHere } from './goal-conditions.js';
import { Household, treatmentOf } from './household.js';
import { putCommand } from './planner.js';

/** Receptacles whose contents the expert has seen, in order. */
export type ExpertMemory = readonly number[];

export interface ExpertAdvice {
  /** `look` if nothing else helps. */
  readonly command: string;
  /** Pass it to the next call. */
  readonly memory: ExpertMemory;
}

const FALLBACK = 'look';

/** The next command, given what has been seen. */
export function adviseHandCoded(play: Play, memory: ExpertMemory = []): ExpertAdvice {
  const house = new Household(play);
  const seen = new Set(memory);
  for (const receptacle of house.receptacles) {
    if (house.locationOf(receptacle) === house.location && !house.isClosed(receptacle)) seen.add(receptacle);
  }
  const wanted = play.won ? undefined : new Policy(house, seen).next();
  const command = wanted !== undefined && play.operator(wanted) ? wanted : FALLBACK;
  return { command, memory: [...seen] };
}

class Policy {
  readonly #house: Household;
  readonly #seen: ReadonlySet<number>;

  constructor(house: Household, seen: ReadonlySet<number>) {
    this.#house = house;
    this.#seen = seen;
  }

  next(): string | undefined {
    const house = this.#house;
    const { task } = house.play.game;
    if (task === undefined) return undefined;
    const objects = house.objectsOf(task.object);
    const { held } = house;
    if (held !== undefined && !objects.includes(held)) return this.#putAway(held);
    if (task.type === 'look_at_obj_in_light') {
      return held === undefined ? this.#find(objects) : this.#light(house.objectsOf(task.lamp!));
    }
    const goals = house.receptaclesOf(task.receptacle!);
    const treatment = treatmentOf(task.type);
    if (held === undefined) {
      // Objects already in place stay there: in the one receptacle that all of them go to.
      const goal = this.#bestGoal(goals, objects);
      const settled = (object: number) =>
        goal !== undefined &&
        this.#seen.has(goal) &&
        house.isIn(object, goal) &&
        (!treatment || house.is(treatment.property, object));
      return this.#find(objects.filter((object) => !settled(object)));
    }
    if (treatment && !house.is(treatment.property, held)) {
      const [device] = treatment.devices.flatMap((className) => house.receptaclesOf(className));
      if (device === undefined) return undefined;
      return this.#at(device) ?? `${treatment.verb} ${house.name(held)} with ${house.name(device)}`;
    }
    return this.#put(held, this.#bestGoal(goals, objects));
  }

  /** Takes a seen object of the class, or searches the next receptacle that may hold one. */
  #find(objects: readonly number[]): string | undefined {
    const house = this.#house;
    for (const object of objects) {
      const place = house.placesOf(object).find((receptacle) => this.#seen.has(receptacle));
      if (place !== undefined) {
        return this.#reach(place) ?? `take ${house.name(object)} from ${house.name(place)}`;
      }
    }
    return this.#explore((receptacle) => objects.some((object) => house.canHold(receptacle, object)));
  }

  #light(lamps: readonly number[]): string | undefined {
    const house = this.#house;
    const here = lamps.find((lamp) => isHere(house, lamp));
    if (here !== undefined) return `use ${house.name(here)}`;
    const seenAt = lamps.flatMap((lamp) => house.placesOf(lamp)).find((receptacle) => this.#seen.has(receptacle));
    return seenAt === undefined ? this.#explore(() => true) : this.#at(seenAt);
  }

  /** Closes an open receptacle that has been searched, then visits an unseen one, likely ones first. */
  #explore(isLikely: (receptacle: number) => boolean): string | undefined {
    const house = this.#house;
    const unseen = house.receptacles.filter((receptacle) => !this.#seen.has(receptacle));
    const next = unseen.find(isLikely) ?? unseen[0];
    if (next === undefined) return undefined;
    const left = house.receptacles.find(
      (receptacle) => house.locationOf(receptacle) === house.location && house.is('opened', receptacle),
    );
    if (left !== undefined) return `close ${house.name(left)}`;
    return this.#reach(next);
  }

  /** Among several receptacles of the class, prefers one that already holds an object of the class. */
  #bestGoal(goals: readonly number[], objects: readonly number[]): number | undefined {
    const house = this.#house;
    return goals.find((goal) => this.#seen.has(goal) && objects.some((object) => house.isIn(object, goal))) ?? goals[0];
  }

  #put(object: number, receptacle: number | undefined): string | undefined {
    if (receptacle === undefined) return undefined;
    const house = this.#house;
    return this.#reach(receptacle) ?? putCommand(house.play, house.name(object), house.name(receptacle));
  }

  #putAway(object: number): string | undefined {
    const house = this.#house;
    const free = house.receptacles.filter((receptacle) => house.canHold(receptacle, object));
    return this.#put(object, free.find((receptacle) => house.locationOf(receptacle) === house.location) ?? free[0]);
  }

  /** The command that takes the agent to the receptacle; `undefined` if it is there. */
  #at(receptacle: number): string | undefined {
    const house = this.#house;
    return house.locationOf(receptacle) === house.location ? undefined : `go to ${house.name(receptacle)}`;
  }

  #reach(receptacle: number): string | undefined {
    const house = this.#house;
    return this.#at(receptacle) ?? (house.isClosed(receptacle) ? `open ${house.name(receptacle)}` : undefined);
  }
}
