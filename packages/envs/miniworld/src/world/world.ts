/**
 * A world: rooms, entities, and the rules of walking, turning, carrying and collisions.
 *
 * `scene/` draws it; this file does not. Rules and the order of random draws follow
 * `Farama-Foundation/Miniworld`, `miniworld/miniworld.py`; `test/golden/miniworld-trajectories.json.gz` pins them.
 */
import type { Generator } from '@vlgym/core';
import { DROP, MOVE_BACK, MOVE_FORWARD, PICK_UP, TOGGLE, TURN_LEFT, TURN_RIGHT } from './actions.js';
import { toggleDoor } from './door.js';
import { Agent, type Entity } from './entity.js';
import { ImpossibleWorldError, WorldError } from './errors.js';
import { type AddRoomOptions, type Bounds, FloorPlan } from './floor-plan.js';
import { jsonCopy } from './json-copy.js';
import { type Parameters, sampleScalar, sampleTriple } from './parameters.js';
import type { Atmosphere, Placement, Pose, Spawned, SpawnPlace } from './placement.js';
import type { Room } from './room.js';
import { touchesWall } from './walls.js';

/** Entities that one episode may add; more is a loop that does not end. */
export const MAX_SPAWNED = 10_000;

/** Attempts before a placement is impossible; worlds of the suite need a few hundred at most. */
const MAX_ATTEMPTS = 200_000;

export class World {
  readonly rooms: Room[];
  /** In the order of collision tests and drawing. */
  readonly entities: Entity[] = [];
  readonly agent = new Agent();
  stepCount = 0;
  /** Entities that `spawn` added, in order, also those that were removed since. */
  readonly spawned: Spawned[] = [];
  /** The largest possible step, which determines the reach of `near` and of carrying. */
  readonly maxForwardStep: number;
  readonly #plan: FloorPlan;
  #atmosphere: Atmosphere | undefined;

  /** @param domainRand  Randomize parameters, colors and textures; otherwise only the layout is random. */
  constructor(
    readonly rng: Generator,
    readonly parameters: Parameters,
    readonly domainRand: boolean = false,
    /** The entities that `spawn` can create, by kind. */
    readonly spawners: Readonly<Record<string, (data: unknown) => Entity>> = {},
  ) {
    this.#plan = new FloorPlan(rng, domainRand);
    this.rooms = this.#plan.rooms;
    this.maxForwardStep = parameters.forwardStep.max;
  }

  get segments(): Float64Array {
    return this.#plan.segments;
  }

  get atmosphere(): Atmosphere {
    if (!this.#atmosphere) throw new WorldError('The world is not finished.', undefined, '`finish()` after placement');
    return this.#atmosphere;
  }

  /** Bounding box of all rooms. */
  get bounds(): Bounds {
    return this.#plan.bounds;
  }

  /** @throws {WorldError} After the first placement, or for an invalid outline. */
  addRoom(options: AddRoomOptions): Room {
    return this.#plan.addRoom(options);
  }

  /**
   * Opens the facing walls of two rooms. If they do not touch, another room joins them.
   *
   * @param range  `minX` and `maxX`, or `minZ` and `maxZ`, and the height of the opening (`maxY`).
   * @throws {WorldError}  No walls of the two rooms face each other.
   */
  connectRooms(first: Room, second: Room, range: Partial<Bounds> & { readonly maxY?: number }): void {
    this.#plan.connectRooms(first, second, range);
  }

  /**
   * Adds an entity at `position`, or at a random free place within the room and bounds.
   *
   * @throws {ImpossibleWorldError}  No free place was found.
   * @throws {WorldError}            The entity is already in the world, or `position` or `direction` is not finite.
   */
  placeEntity<E extends Entity>(entity: E, placement: Placement = {}): E {
    if (this.rooms.length === 0) throw new WorldError('An entity needs a room.', entity.label, '`addRoom` first');
    this.segments; // builds the walls and draws their textures before the first placement draws numbers
    const { position } = placement;
    if (position) {
      [entity.x, entity.y, entity.z] = position;
    } else {
      const [x, z] = this.#freePlace(entity, placement);
      entity.x = x;
      entity.y = 0;
      entity.z = z;
    }
    entity.direction = placement.direction ?? this.uniform(-Math.PI, Math.PI);
    return this.addEntity(entity);
  }

  placeAgent(placement: Placement = {}): Agent {
    return this.placeEntity(this.agent, placement);
  }

  /**
   * Adds an entity at its current position, such as a frame on a wall, without random draws.
   *
   * @throws {WorldError}  The entity is already in the world, or its position is not finite.
   */
  addEntity<E extends Entity>(entity: E): E {
    const { x, y, z, direction, label } = entity;
    if (this.entities.includes(entity)) throw new WorldError(`The world already has ${label}.`, label, 'a new entity');
    if (![x, y, z, direction].every(Number.isFinite)) {
      throw new WorldError(`Invalid position of ${label}.`, { x, y, z, direction }, 'finite numbers');
    }
    this.entities.push(entity);
    return entity;
  }

  /**
   * Adds an entity during an episode, without random draws. A snapshot contains its kind and data, and makes it again.
   *
   * @param kind  One of the task's `spawners`.
   * @param data  JSON data for the spawner.
   * @throws {WorldError}  The task has no such spawner, the data is not JSON, or there are too many.
   */
  spawn(kind: string, data: unknown, { x, y = 0, z, direction = 0 }: SpawnPlace): Entity {
    const make = Object.hasOwn(this.spawners, kind) ? this.spawners[kind] : undefined;
    if (!make) {
      const known = Object.keys(this.spawners).join(', ') || 'a kind that `spawners` of the task defines';
      throw new WorldError(`Unknown kind of entity "${kind}".`, kind, known);
    }
    if (this.spawned.length >= MAX_SPAWNED) {
      throw new WorldError('Too many entities were added.', MAX_SPAWNED, `at most ${MAX_SPAWNED} in an episode`);
    }
    const saved = jsonCopy(data);
    const entity = Object.assign(make(saved), { x, y, z, direction });
    entity.randomize(this.parameters, undefined);
    this.addEntity(entity);
    this.spawned.push({ entity, kind, data: saved });
    return entity;
  }

  /** Removes an entity from the world and from the agent's hands. */
  removeEntity(entity: Entity): void {
    const index = this.entities.indexOf(entity);
    if (index >= 0) this.entities.splice(index, 1);
    if (this.agent.carrying === entity) this.agent.carrying = undefined;
  }

  /** A random number; always one draw, even for an empty range. */
  uniform(low: number, high: number): number {
    return low + (high - low) * this.rng.random();
  }

  /** Call after all placements: draws light, colors and camera. @throws {WorldError} The agent was not placed. */
  finish(): void {
    if (!this.entities.includes(this.agent)) {
      throw new WorldError('The world has no agent.', undefined, '`world.placeAgent()` in `build`');
    }
    const rng = this.domainRand ? this.rng : undefined;
    const { skyColor, lightPos, lightColor, lightAmbient } = this.parameters;
    this.#atmosphere = {
      skyColor: sampleTriple(skyColor, rng),
      lightPos: sampleTriple(lightPos, rng),
      lightColor: sampleTriple(lightColor, rng),
      lightAmbient: sampleTriple(lightAmbient, rng),
    };
    for (const entity of this.entities) entity.randomize(this.parameters, rng);
  }

  /** One step of the agent, without rewards. With randomization, every action draws three numbers. */
  act(action: number): void {
    this.stepCount += 1;
    const rng = this.domainRand ? this.rng : undefined;
    const { agent } = this;
    const forwardStep = sampleScalar(this.parameters.forwardStep, rng);
    const forwardDrift = sampleScalar(this.parameters.forwardDrift, rng);
    const turnStep = sampleScalar(this.parameters.turnStep, rng);
    if (action === MOVE_FORWARD) Object.assign(agent, this.moved(agent, forwardStep, forwardDrift));
    else if (action === MOVE_BACK) Object.assign(agent, this.moved(agent, -forwardStep, forwardDrift));
    else if (action === TURN_LEFT) Object.assign(agent, this.turned(agent, turnStep));
    else if (action === TURN_RIGHT) Object.assign(agent, this.turned(agent, -turnStep));
    else if (action === PICK_UP) agent.carrying ??= this.withinGrasp(agent);
    else if (action === DROP && agent.carrying) {
      agent.carrying.y = 0;
      agent.carrying = undefined;
    }
    if (agent.carrying) this.#carry(agent.carrying);
    if (action === TOGGLE) toggleDoor(this);
  }

  /** The first obstacle that a circle around (x, z) intersects: a wall first, then entities in the order of the list. */
  intersect(except: Entity, x: number, z: number, radius: number): 'wall' | Entity | undefined {
    if (touchesWall(this.segments, x, z, radius)) return 'wall';
    for (const other of this.entities) {
      if (other === except || !other.blocks) continue;
      const dx = other.x - x;
      const dz = other.z - z;
      if (Math.sqrt(dx * dx + dz * dz) < radius + other.radius) return other;
    }
    return undefined;
  }

  /** True within touching distance, in three dimensions: a carried entity is not near one on the floor below it. */
  near(entity: Entity, other: Entity = this.agent): boolean {
    const dx = entity.x - other.x;
    const dy = entity.y - other.y;
    const dz = entity.z - other.z;
    const reach = entity.radius + other.radius + 1.1 * this.maxForwardStep;
    return Math.sqrt(dx * dx + dy * dy + dz * dz) < reach;
  }

  #freePlace(entity: Entity, { room, minX, maxX, minZ, maxZ }: Placement): [x: number, z: number] {
    const { radius } = entity;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const chosen = room ?? this.#plan.drawRoom();
      const x = this.uniform((minX ?? chosen.minX) - radius, (maxX ?? chosen.maxX) + radius);
      this.rng.random(); // the original draws a height between 0 and 0
      const z = this.uniform((minZ ?? chosen.minZ) - radius, (maxZ ?? chosen.maxZ) + radius);
      if (chosen.contains(x, z) && !this.intersect(entity, x, z, radius)) return [x, z];
    }
    const bounds = Object.entries({ minX, maxX, minZ, maxZ }).filter(([, value]) => value !== undefined);
    throw new ImpossibleWorldError(entity.label, MAX_ATTEMPTS, Object.fromEntries(bounds));
  }

  /**
   * The pose after a step; `undefined` if a wall or an entity blocks the agent or what it carries. Does not change the
   * world.
   */
  moved({ x: fromX, z: fromZ, direction }: Pose, forward: number, drift = 0): Pose | undefined {
    const { agent } = this;
    const cos = Math.cos(direction);
    const sin = Math.sin(direction);
    const x = fromX + cos * forward + sin * drift;
    const z = fromZ - sin * forward + cos * drift;
    if (this.intersect(agent, x, z, agent.radius)) return undefined;
    const pose = { x, z, direction };
    return this.#canCarryTo(pose) ? pose : undefined;
  }

  /** The pose after a turn by degrees to the left; `undefined` if what the agent carries is blocked. */
  turned({ x, z, direction }: Pose, degrees: number): Pose | undefined {
    const pose = { x, z, direction: direction + degrees * (Math.PI / 180) };
    return this.#canCarryTo(pose) ? pose : undefined;
  }

  /** The entity that the agent would pick up at a pose; none if a wall or a static entity is found first. */
  withinGrasp({ x, z, direction }: Pose): Entity | undefined {
    const { agent } = this;
    const graspX = x + Math.cos(direction) * 1.5 * agent.radius;
    const graspZ = z - Math.sin(direction) * 1.5 * agent.radius;
    const found = this.intersect(agent, graspX, graspZ, 1.2 * agent.radius);
    return found === undefined || found === 'wall' || found.isStatic ? undefined : found;
  }

  /** Position of a carried entity when the agent has this pose. */
  carryPlace(carried: Entity, { x, z, direction }: Pose): readonly [x: number, z: number] {
    const reach = this.agent.radius + carried.radius + this.maxForwardStep;
    return [x + Math.cos(direction) * 1.05 * reach, z - Math.sin(direction) * 1.05 * reach];
  }

  #canCarryTo(pose: Pose): boolean {
    const { carrying } = this.agent;
    if (!carrying) return true;
    const [x, z] = this.carryPlace(carrying, pose);
    return !this.intersect(carrying, x, z, carrying.radius);
  }

  #carry(carried: Entity): void {
    const { agent } = this;
    [carried.x, carried.z] = this.carryPlace(carried, agent);
    // High enough to be visible.
    carried.y = agent.y + Math.max(agent.camHeight - carried.height - 0.3, 0);
    carried.direction = agent.direction;
  }
}
