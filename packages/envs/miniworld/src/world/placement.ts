/** Where entities and the agent are, and the light of an episode. */
import type { Entity } from './entity.js';
import type { Bounds } from './floor-plan.js';
import type { Triple } from './parameters.js';
import type { Room } from './room.js';

export interface Placement extends Partial<Bounds> {
  /** Omitted: any room, with probability proportional to its area. */
  readonly room?: Room;
  /** The exact position, even if it is not free. */
  readonly position?: Triple;
  /** Radians; omitted: random from -pi to pi. */
  readonly direction?: number;
}

/** Position and direction of a spawned entity, in meters and radians. */
export interface SpawnPlace {
  readonly x: number;
  readonly y?: number;
  readonly z: number;
  readonly direction?: number;
}

/** An entity that was added during an episode, and the arguments of its spawn. */
export interface Spawned {
  readonly entity: Entity;
  readonly kind: string;
  readonly data: unknown;
}

/** Position and direction of the agent. */
export interface Pose {
  readonly x: number;
  readonly z: number;
  readonly direction: number;
}

/** Light and sky of one episode. */
export interface Atmosphere {
  readonly skyColor: Triple;
  readonly lightPos: Triple;
  readonly lightColor: Triple;
  readonly lightAmbient: Triple;
}
