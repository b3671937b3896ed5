/**
 * A door: closed, it blocks like any entity; the action "toggle" opens and closes it. Not part of the original, whose
 * "toggle" does nothing.
 */
import { checkNames, names } from '@vlgym/core/internal';
import { COLORS, type ColorName } from './colors.js';
import { type Agent, Entity, type Looks } from './entity.js';
import type { Pose } from './placement.js';

export interface DoorOptions {
  readonly color?: ColorName | undefined;
  /** Meters of the opening that it fills; default 1.2. */
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  /** The entity that opens it when the agent carries it, and then stays in the lock; omitted: it is not locked. */
  readonly key?: Entity | undefined;
}

const DOOR_OPTIONS = names<DoorOptions>({ color: 0, width: 0, height: 0, key: 0 });
const THICKNESS = 0.1;

/** Place it in a connection of two rooms: `world.placeEntity(door, { at: [x, 0, z], direction })`, facing through it. */
export class Door extends Entity {
  override readonly isStatic = true;
  readonly radius: number;
  readonly height: number;
  readonly color: ColorName;
  readonly key: Entity | undefined;
  readonly #closed: Looks;

  constructor(options: DoorOptions = {}) {
    super();
    checkNames('options', options, DOOR_OPTIONS);
    const { color = 'red', width = 1.2, height = 2, key } = options;
    this.radius = width / 2;
    this.height = height;
    this.color = color;
    this.key = key;
    this.#closed = { kind: 'box', size: [THICKNESS, height, width], color: COLORS[color] };
  }

  get isOpen(): boolean {
    return !this.blocks;
  }

  /** Locked until its key was in it once. */
  get isLocked(): boolean {
    return this.key?.blocks === true;
  }

  get label(): string {
    return `${this.isOpen ? 'an open' : this.isLocked ? 'a locked' : 'a closed'} ${this.color} door`;
  }

  looks(): Looks {
    return this.isOpen ? NO_LOOKS : this.#closed;
  }

  override saveState(): unknown {
    return { isOpen: this.isOpen, isLocked: this.isLocked };
  }

  override restoreState(state: unknown): void {
    const { isOpen, isLocked } = (state ?? {}) as { isOpen?: unknown; isLocked?: unknown };
    this.blocks = isOpen !== true;
    if (this.key) this.key.blocks = isLocked !== false;
  }

  /** Puts the key into the lock, where it stays. */
  unlock(key: Entity): void {
    Object.assign(key, { x: this.x, y: this.height / 2, z: this.z, blocks: false });
  }
}

const NO_LOOKS: Looks = { kind: 'none' };

/** The part of the world that doors depend on. */
interface AroundDoor {
  readonly agent: Agent;
  readonly entities: readonly Entity[];
  readonly maxForwardStep: number;
  carryPlace(entity: Entity, pose: Pose): readonly [x: number, z: number];
}

/** True where the agent, or what it carries, is within touching distance of a door. */
export function reachesDoor(world: AroundDoor, door: Door, pose: Pose): boolean {
  const { agent } = world;
  const touch = 1.1 * world.maxForwardStep;
  const within = (x: number, z: number, radius: number) =>
    Math.hypot(door.x - x, door.z - z) < radius + door.radius + touch;
  const { carrying } = agent;
  return (
    within(pose.x, pose.z, agent.radius) ||
    (carrying !== undefined && within(...world.carryPlace(carrying, pose), carrying.radius))
  );
}

/** Opens or closes the nearest door within reach. A locked one takes its key; none closes on what stands in it. */
export function toggleDoor(world: AroundDoor): void {
  const { agent, entities } = world;
  const gap = (entity: Entity, door: Door) => Math.hypot(door.x - entity.x, door.z - entity.z);
  const [door] = entities
    .filter((entity): entity is Door => entity instanceof Door && reachesDoor(world, entity, agent))
    .sort((one, other) => gap(agent, one) - gap(agent, other));
  if (!door) return;
  if (door.isOpen) {
    door.blocks = entities.every(
      (each) => each === door || !each.blocks || gap(each, door) >= each.radius + door.radius,
    );
    return;
  }
  if (door.isLocked && agent.carrying !== door.key) return;
  if (door.isLocked) {
    door.unlock(door.key!);
    agent.carrying = undefined;
  }
  door.blocks = false;
}
