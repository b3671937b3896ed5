/**
 * Where everything is now: on what, hidden in what, or in the agent's hand. A function of the facts of the game alone,
 * so that the same state always gives the same picture, however it came about.
 *
 * What has not been moved lies where its id says, pushed aside only where it would lie in something else; what has been
 * moved lies on a free spot before the agent.
 */

import type { Play } from '../engine/play.js';
import { Household } from '../experts/household.js';
import { type FloorPlan, ON_TABLES, type Piece, type Receptacle, toLocal, toWorld } from './floor-plan.js';
import type { Rest } from './models/furniture-look.js';
import { freeSpot, type Occupant, type Spot } from './spots.js';

/** What of models the places depend on. */
export interface Dimensions {
  restOf(receptacle: Receptacle, open: boolean): Rest;
  /** Half of the width that a thing takes up, metres. */
  radiusOf(kind: string): number;
}

export type Whereabouts =
  | { readonly kind: 'hidden' | 'held' }
  | {
      readonly kind: 'lying' | 'hanging' | 'loose';
      readonly x: number;
      readonly y: number;
      readonly z: number;
      /** Radians about the y axis. */
      readonly turn: number;
    };

interface Home extends Occupant {
  readonly receptacle: number;
}

const HIDDEN: Whereabouts = { kind: 'hidden' };
const HELD: Whereabouts = { kind: 'held' };
/** A thing keeps its middle this far inside at most: long ones stick out. */
const WIDEST = 0.16;

/** Half of the field of view, as metres to the side for a metre ahead; a little less, so that things are seen whole. */
const VIEW = 0.5;

export class Places {
  readonly plan: FloorPlan;
  readonly #dimensions: Dimensions;
  readonly #receptacles: ReadonlyMap<number, Receptacle>;
  /** Of those that lie in or on something at the start. */
  readonly #homes = new Map<number, Home>();
  readonly #atHome = new Map<number, Home[]>();

  constructor(plan: FloorPlan, start: Household, dimensions: Dimensions) {
    this.plan = plan;
    this.#dimensions = dimensions;
    this.#receptacles = new Map(plan.receptacles.map((each) => [each.number, each]));
    for (const receptacle of plan.receptacles) {
      const upon = plan.receptacles.filter((each) => each !== receptacle && ON_TABLES.has(each.kind));
      const taken = upon.map((each) => ({
        receptacle: receptacle.number,
        spot: toLocal(receptacle, receptacle.facing, each),
        radius: Math.max(each.width, each.depth) * 0.45,
      }));
      this.#atHome.set(receptacle.number, taken);
    }
    for (const thing of plan.things) {
      const receptacle = this.holderOf(thing.number, start);
      if (!receptacle) continue;
      const neighbours = this.#atHome.get(receptacle.number)!;
      const radius = this.#radiusOf(thing);
      const [x, z] = toLocal(receptacle, receptacle.facing, thing);
      const wish = plan.isMade ? inView(receptacle, [x, z]) : ([x, z] as const);
      const spot = freeSpot(dimensions.restOf(receptacle, true), neighbours, radius, wish);
      const home = { receptacle: receptacle.number, spot, radius };
      neighbours.push(home);
      this.#homes.set(thing.number, home);
    }
  }

  receptacle(number: number): Receptacle | undefined {
    return this.#receptacles.get(number);
  }

  /** What a thing lies in or on; of two that hold it, the smaller one. */
  holderOf(thing: number, house: Household): Receptacle | undefined {
    let holder: Receptacle | undefined;
    for (const number of house.placesOf(thing)) {
      const each = this.#receptacles.get(number);
      if (each && (!holder || each.width * each.depth < holder.width * holder.depth)) holder = each;
    }
    return holder;
  }

  /** Things in the order of `plan.things`. */
  whereabouts(play: Play): Whereabouts[] {
    const house = new Household(play);
    const { held } = house;
    const moved = new Map<number, Occupant[]>();
    return this.plan.things.map((thing): Whereabouts => {
      if (thing.number === held) return HELD;
      const holder = this.holderOf(thing.number, house);
      if (!holder) return { kind: 'loose', x: thing.x, y: thing.y, z: thing.z, turn: 0 };
      if (house.isClosed(holder.number)) return HIDDEN;
      const rest = this.#dimensions.restOf(holder, true);
      const home = this.#homes.get(thing.number);
      const spot = home?.receptacle === holder.number ? home.spot : this.#newSpot(thing, holder, rest, moved);
      const [x, z] = toWorld(holder, holder.facing, spot);
      const facing = (-holder.facing * Math.PI) / 2;
      if (rest.hanging) return { kind: 'hanging', x, y: rest.y, z, turn: facing };
      // nothing lies quite straight
      return { kind: 'lying', x, y: rest.y, z, turn: facing + 0.35 * Math.sin(thing.number * 2.4) };
    });
  }

  /** Beside all that lies there or has its home there. */
  #newSpot(thing: Piece, holder: Receptacle, rest: Rest, moved: Map<number, Occupant[]>): Spot {
    let others = moved.get(holder.number);
    if (!others) {
      others = [...this.#atHome.get(holder.number)!];
      moved.set(holder.number, others);
    }
    const radius = this.#radiusOf(thing);
    const spot = freeSpot(rest, others, radius, [holder.approach[0], rest.at[1] + rest.size[1] / 4]);
    others.push({ spot, radius });
    return spot;
  }

  #radiusOf({ kind }: Piece): number {
    return Math.min(WIDEST, this.#dimensions.radiusOf(kind));
  }
}

/** Our own rooms are drawn so that what lies on a receptacle is seen from where it is used. */
function inView({ approach: [x, z] }: Receptacle, [toX, toZ]: Spot): Spot {
  const reach = Math.max(0.2, (z - toZ) * VIEW);
  return [Math.min(x + reach, Math.max(x - reach, toX)), toZ];
}
