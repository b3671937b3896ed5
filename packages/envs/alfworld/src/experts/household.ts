/** The facts of a play as experts query them: positions, contents, classes. Objects are numbers. */
import type { Play } from '../engine/play.js';
import type { Relation } from '../engine/relation.js';

export class Household {
  readonly play: Play;

  constructor(play: Play) {
    this.play = play;
  }

  name(object: number): string {
    return this.play.game.names[object]!;
  }

  /** The agent's location. */
  get location(): number | undefined {
    return this.#relation('atlocation', 2).bySecond.findIndex((agents) => agents !== undefined && agents.length > 0);
  }

  /** The object that the agent holds. */
  get held(): number | undefined {
    return this.#relation('holds', 2).byFirst.find((row) => row !== undefined && row.length > 0)?.[0];
  }

  /** Objects of a class such as `mugtype`. */
  objectsOf(className: string): readonly number[] {
    return this.#withSecond('objecttype', className);
  }

  receptaclesOf(className: string): readonly number[] {
    return this.#withSecond('receptacletype', className);
  }

  get receptacles(): readonly number[] {
    return this.#firsts('receptacleatlocation');
  }

  locationOf(receptacle: number): number | undefined {
    return this.#relation('receptacleatlocation', 2).byFirst[receptacle]?.[0];
  }

  /** Receptacles that hold an object; sometimes two. */
  placesOf(object: number): readonly number[] {
    return this.#relation('inreceptacle', 2).byFirst[object] ?? [];
  }

  contentOf(receptacle: number): readonly number[] {
    return this.#relation('inreceptacle', 2).bySecond[receptacle] ?? [];
  }

  isIn(object: number, receptacle: number): boolean {
    return this.#relation('inreceptacle', 2).has(object, receptacle);
  }

  is(property: string, object: number): boolean {
    return this.#relation(property, 1).has(object, 0);
  }

  isClosed(receptacle: number): boolean {
    return this.is('openable', receptacle) && !this.is('opened', receptacle);
  }

  canHold(receptacle: number, object: number): boolean {
    const allowed = this.#relation('cancontain', 2);
    return this.#classesOf('receptacletype', receptacle).some((holder) =>
      this.#classesOf('objecttype', object).some((kind) => allowed.has(holder, kind)),
    );
  }

  #classesOf(predicate: string, object: number): readonly number[] {
    return this.#relation(predicate, 2).byFirst[object] ?? [];
  }

  #withSecond(predicate: string, name: string): readonly number[] {
    const number = this.play.game.world.find(name);
    return (number === undefined ? undefined : this.#relation(predicate, 2).bySecond[number]) ?? [];
  }

  #firsts(predicate: string): readonly number[] {
    return this.#relation(predicate, 2).byFirst.flatMap((row, first) => (row?.length ? [first] : []));
  }

  #relation(name: string, arity: number): Relation {
    return this.play.relations[this.play.game.world.findRelation(name, arity)]!;
  }
}

/** Treatments of an object: the resulting property, the class of the device, the verb of the command. */
export const TREATMENTS = {
  pick_clean_then_place_in_recep: {
    property: 'isclean',
    able: 'cleanable',
    devices: ['sinkbasintype', 'sinktype'],
    verb: 'clean',
  },
  pick_heat_then_place_in_recep: { property: 'ishot', able: 'heatable', devices: ['microwavetype'], verb: 'heat' },
  pick_cool_then_place_in_recep: { property: 'iscool', able: 'coolable', devices: ['fridgetype'], verb: 'cool' },
} as const;

export type Treatment = (typeof TREATMENTS)[keyof typeof TREATMENTS];

export function treatmentOf(taskType: string): Treatment | undefined {
  return Object.hasOwn(TREATMENTS, taskType) ? TREATMENTS[taskType as keyof typeof TREATMENTS] : undefined;
}
