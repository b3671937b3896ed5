/**
 * A task: how a world is built and what its rules are. The suite's tasks and yours have this one form.
 *
 * `build` runs once per episode and draws from the world's generator; the rules it returns may keep entities and rooms.
 * A snapshot builds the world again from the generator's state and puts `state` and all entities back, so rules keep
 * whatever changes during an episode in `state`, as plain data.
 */
import type { Entity } from '../world/entity.js';
import type { Parameters } from '../world/parameters.js';
import type { Room } from '../world/room.js';
import type { World } from '../world/world.js';

export interface Outcome {
  readonly reward: number;
  readonly terminated: boolean;
}

/** What an expert would do next; the oracle finds the way. */
export type Goal =
  | { readonly kind: 'touch'; readonly entity: Entity; readonly avoid?: readonly (Room | Entity)[] }
  | { readonly kind: 'pick up'; readonly entities: readonly Entity[] }
  | { readonly kind: 'put next'; readonly entity: Entity; readonly target: Entity };

export interface Rules {
  /** Reward and end of the step just made; the picture has been taken before. Left out: no reward and no end. */
  afterStep?(action: number): Outcome;
  /** Further entries of `info`; `undefined` leaves it empty. */
  info?(moment: 'reset' | 'step'): Record<string, unknown> | undefined;
  /** What changes during an episode beyond the entities: JSON data. */
  readonly state?: Record<string, unknown>;
  goal?(): Goal | undefined;
}

export interface Task {
  /** As in `MiniWorld-<name>-v0`. */
  readonly name: string;
  /** Truncates; Infinity for none. */
  readonly maxEpisodeSteps: number;
  /** How many of the eight actions the space declares, from the first. Default 3: turn left, turn right, forward. */
  readonly actions?: number;
  /** Default `DEFAULT_PARAMETERS`. */
  readonly parameters?: Parameters;
  /** False: randomization is refused. */
  readonly domainRand?: false;
  /** What to do, as the end of a sentence that begins "Your task is to". */
  readonly phrase: string;
  /** What `build` depends on beside the generator, as JSON data: a snapshot goes on only where it is the same. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** A number shown beside the picture, as `{ obs, goal }`. */
  readonly goal?: 0 | 1;
  /** True where episodes differ by nothing but the agent's start, which is then part of the task's key. */
  readonly startIsContent?: true;
  build(world: World): Rules;
}

/** Keeps the type of a task that is written as a plain object. */
export function defineTask(task: Task): Task {
  return task;
}

export const NOTHING: Outcome = { reward: 0, terminated: false };

/** What success pays: 1 at once, 0.8 at the last step. */
export function successReward(world: World, maxEpisodeSteps: number): number {
  return 1 - 0.2 * (world.stepCount / maxEpisodeSteps);
}

/** The rules of most tasks: come near one entity. */
export function reach(world: World, entity: Entity, maxEpisodeSteps: number): Rules {
  return {
    afterStep: () =>
      world.near(entity) ? { reward: successReward(world, maxEpisodeSteps), terminated: true } : NOTHING,
    goal: () => ({ kind: 'touch', entity }),
  };
}
