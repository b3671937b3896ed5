/**
 * Where everything is now: on what, hidden in what, or in the agent's hand. A function of the facts of the game alone,
 * so that the same state always gives the same picture, however it came about.
 *
 * What has not been moved lies where its id says, pushed aside where it would not be seen or would lie in something else;
 * what has been moved lies on a free spot before the agent.
 */

import type { Play } from '../engine/play.js';
import { Household } from '../experts/household.js';
import { type FloorPlan, ON_TABLES, type Piece, type Receptacle, toLocal, toWorld } from './floor-plan.js';
import type { Rest } from './models/furniture-look.js';
import { type Dimensions, Solid, View } from './sight.js';
import { freeSpot, type Occupant, type Spot } from './spots.js';

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

const HIDDEN: Whereabouts = { kind: 'hidden' };
const HELD: Whereabouts = { kind: 'held' };
/** A thing keeps its middle this far inside at most: long ones stick out. */
const WIDEST = 0.16;
/** Fault of a spot for each thing that is hidden there. */
const HIDING = 0.01;

export class Places {
  readonly plan: FloorPlan;
  readonly #dimensions: Dimensions;
  readonly #receptacles: ReadonlyMap<number, Receptacle>;
  /** What lies in or on each receptacle at the start, large things first: small ones find room among them. */
  readonly #atStart = new Map<number, Piece[]>();
  /** Their places, by receptacle, once it has been seen into. */
  readonly #homes = new Map<number, ReadonlyMap<number, Occupant>>();
  readonly #solids: readonly Solid[];
  readonly #views = new Map<number, View>();

  constructor(plan: FloorPlan, start: Household, dimensions: Dimensions) {
    this.plan = plan;
    this.#dimensions = dimensions;
    this.#receptacles = new Map(plan.receptacles.map((each) => [each.number, each]));
    this.#solids = plan.receptacles.map((each) => new Solid(each, dimensions));
    for (const { number } of plan.receptacles) this.#atStart.set(number, []);
    for (const thing of [...plan.things].sort((a, b) => dimensions.radiusOf(b.kind) - dimensions.radiusOf(a.kind))) {
      const receptacle = this.holderOf(thing.number, start);
      if (receptacle) this.#atStart.get(receptacle.number)!.push(thing);
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
      const spot = this.#homesIn(holder).get(thing.number)?.spot ?? this.#newSpot(thing, holder, rest, moved);
      const [x, z] = toWorld(holder, holder.facing, spot);
      const facing = (-holder.facing * Math.PI) / 2;
      if (rest.hanging) return { kind: 'hanging', x, y: rest.y, z, turn: facing };
      // nothing lies quite straight
      return { kind: 'lying', x, y: rest.y, z, turn: facing + 0.35 * Math.sin(thing.number * 2.4) };
    });
  }

  /** By number; what stands upon the receptacle takes up room, too. */
  #homesIn(receptacle: Receptacle): ReadonlyMap<number, Occupant> {
    const known = this.#homes.get(receptacle.number);
    if (known) return known;
    const homes = new Map<number, Occupant>();
    for (const each of this.plan.receptacles) {
      if (each === receptacle || !ON_TABLES.has(each.kind)) continue;
      const spot = toLocal(receptacle, receptacle.facing, each);
      // whether it hides anything is known from its solid
      homes.set(each.number, { spot, room: Math.max(each.width, each.depth) * 0.45, radius: 0, height: 0 });
    }
    for (const thing of this.#atStart.get(receptacle.number)!) {
      const wish = toLocal(receptacle, receptacle.facing, thing);
      homes.set(thing.number, this.#placed(thing, receptacle, [...homes.values()], wish));
    }
    this.#homes.set(receptacle.number, homes);
    return homes;
  }

  /** Beside all that lies there or has its home there. */
  #newSpot(thing: Piece, holder: Receptacle, rest: Rest, moved: Map<number, Occupant[]>): Spot {
    let others = moved.get(holder.number);
    if (!others) {
      others = [...this.#homesIn(holder).values()];
      moved.set(holder.number, others);
    }
    const occupant = this.#placed(thing, holder, others, [holder.approach[0], rest.at[1] + rest.size[1] / 4]);
    others.push(occupant);
    return occupant.spot;
  }

  /** On a spot where it is seen and hides nothing, as near as possible to the wish. */
  #placed({ kind }: Piece, holder: Receptacle, others: readonly Occupant[], wish: Spot): Occupant {
    const rest = this.#dimensions.restOf(holder, true);
    const view = this.#viewOf(holder, rest);
    const [radius, height] = [this.#dimensions.radiusOf(kind), this.#dimensions.heightOf(kind)];
    const room = Math.min(WIDEST, radius);
    const faultOf = (spot: Spot) => {
      const fault = view.faultOf(spot);
      if (fault > 0) return fault;
      const body = { spot, radius, height };
      return HIDING * others.filter((other) => view.hides(other, body) || view.hides(body, other)).length;
    };
    return { spot: freeSpot(rest, others, room, wish, faultOf), room, radius, height };
  }

  #viewOf(receptacle: Receptacle, rest: Rest): View {
    let view = this.#views.get(receptacle.number);
    if (!view) {
      view = new View(receptacle, rest, this.#solids);
      this.#views.set(receptacle.number, view);
    }
    return view;
  }
}
