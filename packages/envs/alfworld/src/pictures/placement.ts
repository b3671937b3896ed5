/**
 * The position of each object: on a receptacle, hidden inside one, or in the agent's hand. It depends only on the facts of
 * the game, so that equal states give equal pictures, however they were reached.
 *
 * Objects that have not been moved lie where their id says, pushed aside if they would be hidden or overlap. Objects that
 * have been moved lie on a free spot in front of the agent.
 */

import type { Play } from '../engine/play.js';
import { Household } from '../experts/household.js';
import type { FloorPlan } from './floor-plan.js';
import { ON_TABLES } from './furniture-area.js';
import { type Piece, type Receptacle, toLocal, toWorld } from './geometry.js';
import type { Rest } from './models/furniture-look.js';
import { type Dimensions, Solid, View } from './sight.js';
import { freeSpot, type Occupant, type Spot } from './spots.js';

export type Placement =
  | { readonly kind: 'hidden' | 'held' }
  | {
      readonly kind: 'lying' | 'hanging' | 'loose';
      readonly x: number;
      readonly y: number;
      readonly z: number;
      /** Radians about the y axis. */
      readonly turn: number;
      readonly shadow?: Shadow | undefined;
    };

/** The shadow of an object on what it lies on. */
export interface Shadow {
  /** Number of the receptacle. */
  readonly on: number;
  readonly tone: number;
  /** Distance from the object to the edge of the surface, in meters. */
  readonly reach: number;
}

/** Free areas end before the edges of their surfaces, in meters. */
const EDGE = 0.05;

function shadowOf({ number: on }: Receptacle, { tone, at, size }: Rest, [x, z]: Spot): Shadow | undefined {
  if (tone === undefined) return undefined;
  const reach = Math.min(size[0] / 2 - Math.abs(x - at[0]), size[1] / 2 - Math.abs(z - at[1])) + EDGE;
  return { on, tone, reach };
}

const HIDDEN: Placement = { kind: 'hidden' };
const HELD: Placement = { kind: 'held' };
/** Widest margin that an object keeps free on each side, meters; longer objects stick out. */
const MAX_ROOM = 0.16;
/** Penalty of a spot for each object that would be hidden. */
const HIDING_PENALTY = 0.01;

export class Placements {
  readonly plan: FloorPlan;
  readonly #dimensions: Dimensions;
  readonly #receptacles: ReadonlyMap<number, Receptacle>;
  /** Contents of each receptacle at the start, large objects first: small ones find room between them. */
  readonly #atStart = new Map<number, Piece[]>();
  /** Spots of those contents by receptacle, computed when it is first seen. */
  readonly #homes = new Map<number, ReadonlyMap<number, Occupant>>();
  readonly #solids: readonly Solid[];
  readonly #views = new Map<number, View>();

  constructor(plan: FloorPlan, start: Household, dimensions: Dimensions) {
    this.plan = plan;
    this.#dimensions = dimensions;
    this.#receptacles = new Map(plan.receptacles.map((receptacle) => [receptacle.number, receptacle]));
    this.#solids = plan.receptacles.map((receptacle) => new Solid(receptacle, dimensions));
    for (const { number } of plan.receptacles) this.#atStart.set(number, []);
    for (const thing of [...plan.things].sort((a, b) => dimensions.radiusOf(b.kind) - dimensions.radiusOf(a.kind))) {
      const receptacle = this.holderOf(thing.number, start);
      if (receptacle) this.#atStart.get(receptacle.number)!.push(thing);
    }
  }

  receptacle(number: number): Receptacle | undefined {
    return this.#receptacles.get(number);
  }

  /** The receptacle that holds an object; of two, the smaller one. */
  holderOf(thing: number, house: Household): Receptacle | undefined {
    let holder: Receptacle | undefined;
    for (const number of house.placesOf(thing)) {
      const candidate = this.#receptacles.get(number);
      if (!candidate) continue;
      if (!holder || candidate.width * candidate.depth < holder.width * holder.depth) holder = candidate;
    }
    return holder;
  }

  /** One placement for each of `plan.things`, in that order. */
  at(play: Play): Placement[] {
    const house = new Household(play);
    const { held } = house;
    const moved = new Map<number, Occupant[]>();
    return this.plan.things.map((thing): Placement => {
      if (thing.number === held) return HELD;
      const holder = this.holderOf(thing.number, house);
      if (!holder) return { kind: 'loose', x: thing.x, y: thing.y, z: thing.z, turn: 0 };
      if (house.isClosed(holder.number)) return HIDDEN;
      const rest = this.#dimensions.restOf(holder, true);
      const spot = this.#homesIn(holder).get(thing.number)?.spot ?? this.#newSpot(thing, holder, rest, moved);
      const [x, z] = toWorld(holder, holder.facing, spot);
      const facing = (-holder.facing * Math.PI) / 2;
      if (rest.hanging) return { kind: 'hanging', x, y: rest.y, z, turn: facing };
      // Objects lie slightly askew.
      const turn = facing + 0.35 * Math.sin(thing.number * 2.4);
      return { kind: 'lying', x, y: rest.y, z, turn, shadow: shadowOf(holder, rest, spot) };
    });
  }

  /** Spots by number of the object; furniture that stands on the receptacle takes up room, too. */
  #homesIn(receptacle: Receptacle): ReadonlyMap<number, Occupant> {
    const known = this.#homes.get(receptacle.number);
    if (known) return known;
    const homes = new Map<number, Occupant>();
    for (const other of this.plan.receptacles) {
      if (other === receptacle || !ON_TABLES.has(other.kind)) continue;
      const spot = toLocal(receptacle, receptacle.facing, other);
      // Its solid decides what it hides, so it needs no body here.
      homes.set(other.number, { spot, room: Math.max(other.width, other.depth) * 0.55, radius: 0, height: 0 });
    }
    for (const thing of this.#atStart.get(receptacle.number)!) {
      const preferred = toLocal(receptacle, receptacle.facing, thing);
      homes.set(thing.number, this.#place(thing, receptacle, [...homes.values()], preferred));
    }
    this.#homes.set(receptacle.number, homes);
    return homes;
  }

  /** A spot next to everything that lies there or belongs there. */
  #newSpot(thing: Piece, holder: Receptacle, rest: Rest, moved: Map<number, Occupant[]>): Spot {
    let others = moved.get(holder.number);
    if (!others) {
      others = [...this.#homesIn(holder).values()];
      moved.set(holder.number, others);
    }
    const occupant = this.#place(thing, holder, others, [holder.approach[0], rest.at[1] + rest.size[1] / 4]);
    others.push(occupant);
    return occupant.spot;
  }

  /** Chooses a spot where the object is visible and hides nothing, as close as possible to the preferred one. */
  #place({ kind }: Piece, holder: Receptacle, others: readonly Occupant[], preferred: Spot): Occupant {
    const rest = this.#dimensions.restOf(holder, true);
    const view = this.#viewOf(holder, rest);
    const [radius, height] = [this.#dimensions.radiusOf(kind), this.#dimensions.heightOf(kind)];
    const room = Math.min(MAX_ROOM, radius);
    const penaltyOf = (spot: Spot) => {
      const penalty = view.penaltyOf(spot);
      if (penalty > 0) return penalty;
      const body = { spot, radius, height };
      return HIDING_PENALTY * others.filter((other) => view.hides(other, body) || view.hides(body, other)).length;
    };
    return { spot: freeSpot(rest, others, room, preferred, penaltyOf), room, radius, height };
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
