/**
 * A task builds a world and defines its rules. The tasks of the suite and your own have the same form.
 *
 * `build` runs once per episode and draws from the world's generator; the rules it returns may refer to entities and
 * rooms. To restore a snapshot, the world is built again from the generator's state, then `state` and all entities are
 * restored. So rules keep everything that changes during an episode in `state`, as plain data.
 */
import type { Door } from '../world/door.js';
import type { Entity } from '../world/entity.js';
import type { Parameters } from '../world/parameters.js';
import type { Room } from '../world/room.js';
import type { World } from '../world/world.js';

export interface Outcome {
  readonly reward: number;
  readonly terminated: boolean;
}

/** The current goal of an expert; the oracle finds the path. */
export type Goal =
  | { readonly kind: 'touch'; readonly entity: Entity; readonly avoid?: readonly (Room | Entity)[] }
  | { readonly kind: 'pick up'; readonly entities: readonly Entity[] }
  | { readonly kind: 'put next'; readonly entity: Entity; readonly target: Entity }
  /** Drop the entity with its center in the room or in the circle. */
  | { readonly kind: 'carry to'; readonly entity: Entity; readonly to: Room | Circle }
  /** Open the door, with its key if it has one. Needs `actions: 7`. */
  | { readonly kind: 'open'; readonly entity: Door };

/** A place on the floor, in meters. */
export interface Circle {
  readonly x: number;
  readonly z: number;
  readonly radius: number;
}

/** Makes an entity from JSON data. */
export type Spawner = (data: unknown) => Entity;

export interface Rules {
  /** Reward and end of the last step, applied after the observation is made. Omitted: no reward and no end. */
  afterStep?(action: number): Outcome;
  /** Further entries of `info`; `undefined` leaves it empty. */
  info?(moment: 'reset' | 'step'): Record<string, unknown> | undefined;
  /** JSON data that changes during an episode, apart from the entities. */
  readonly state?: Record<string, unknown>;
  goal?(): Goal | undefined;
}

export interface Task {
  /** The name in `MiniWorld-<name>-v0`. */
  readonly name: string;
  /** Truncates; Infinity for none. */
  readonly maxEpisodeSteps: number;
  /** Size of the action space, the first of the eight actions. Default 3: turn left, turn right, move forward. */
  readonly actions?: number | undefined;
  /** Default `DEFAULT_PARAMETERS`. */
  readonly parameters?: Parameters | undefined;
  /** False if the task does not allow randomization. */
  readonly domainRand?: false | undefined;
  /** The goal, as text that continues "Your task is to". */
  readonly phrase: string;
  /** JSON data that `build` depends on, apart from the generator. A snapshot is restored only if it is equal. */
  readonly options?: Readonly<Record<string, unknown>> | undefined;
  /** A number shown next to the picture, as `{ obs, goal }`. */
  readonly goal?: 0 | 1 | undefined;
  /** True if episodes differ only by the agent's start, which is then part of the task key. */
  readonly startIsContent?: true | undefined;
  /** True for one square room that looks the same from all sides: mirrored and rotated tasks have one key. */
  readonly isSymmetric?: true | undefined;
  /** Functions behind `world.spawn(kind, data, place)`, by kind; restoring a snapshot calls them again with the data. */
  readonly spawners?: Readonly<Record<string, Spawner>> | undefined;
  build(world: World): Rules;
}

/** Infers the type of a task written as an object literal. */
export function defineTask(task: Task): Task {
  return task;
}

export const NOTHING: Outcome = { reward: 0, terminated: false };

/** The reward for success: from 1 at the start to 0.8 at the last step. */
export function successReward(world: World, maxEpisodeSteps: number): number {
  return 1 - 0.2 * (world.stepCount / maxEpisodeSteps);
}

/** The rules of most tasks: reach one entity. */
export function reach(world: World, entity: Entity, maxEpisodeSteps: number): Rules {
  return {
    afterStep: () =>
      world.near(entity) ? { reward: successReward(world, maxEpisodeSteps), terminated: true } : NOTHING,
    goal: () => ({ kind: 'touch', entity }),
  };
}
