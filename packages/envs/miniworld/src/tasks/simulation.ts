/**
 * One task being played: the world of the current episode, its rules, and the whole state as data.
 *
 * A step has two halves, as in the original: `act` moves, then the picture is taken, then `judge` applies the rules (so
 * the picture of a pickup still shows what was picked up). Neither half draws pictures: dynamics need no three.js.
 */
import { Generator, type GeneratorState, GymError, InvalidOptionError, SnapshotMismatchError, show } from '@vlgym/core';
import type { Entity } from '../world/entity.js';
import {
  DEFAULT_PARAMETERS,
  overrideParameters,
  type ParameterOverrides,
  type Parameters,
} from '../world/parameters.js';
import { World } from '../world/world.js';
import { NOTHING, type Rules, type Task } from './task.js';

export interface SimulationOptions {
  /** Draw light, colours, textures, camera and step sizes; default false. */
  readonly domainRand?: boolean;
  /** In place of the task's own values and ranges. */
  readonly parameters?: ParameterOverrides;
}

export interface StepOutcome {
  readonly reward: number;
  readonly terminated: boolean;
  readonly truncated: boolean;
  readonly info: Record<string, unknown>;
}

/** An entity in a snapshot: `built` is its place in the list as the world was built. */
interface SavedEntity {
  readonly built: number;
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly direction: number;
  readonly own: unknown;
}

export interface SavedEpisode {
  /** Before the world was built: building again gives the same rooms and entities. */
  readonly start: GeneratorState;
  readonly now: GeneratorState;
  readonly stepCount: number;
  readonly entities: readonly SavedEntity[];
  readonly carrying: number | null;
  readonly rules: Record<string, unknown> | null;
}

interface Episode {
  readonly world: World;
  readonly rules: Rules;
  readonly start: GeneratorState;
  /** As they were after the world was built. */
  readonly built: readonly Entity[];
}

export class Simulation {
  readonly task: Task;
  readonly parameters: Parameters;
  readonly domainRand: boolean;
  #episode: Episode | undefined;

  /** @throws {InvalidOptionError | UnknownOptionError} */
  constructor(task: Task, { domainRand = false, parameters = {} }: SimulationOptions = {}) {
    if (typeof domainRand !== 'boolean') throw new InvalidOptionError('domainRand', domainRand, 'true or false');
    if (domainRand && task.domainRand === false) {
      throw new InvalidOptionError('domainRand', true, `false: ${task.name} has no randomization`);
    }
    this.task = task;
    this.domainRand = domainRand;
    this.parameters = overrideParameters(task.parameters ?? DEFAULT_PARAMETERS, parameters);
  }

  get world(): World {
    return this.#current.world;
  }

  get rules(): Rules {
    return this.#current.rules;
  }

  get started(): boolean {
    return this.#episode !== undefined;
  }

  /**
   * Builds a new world from the generator.
   *
   * @returns  `info` of the reset.
   * @throws {ImpossibleWorldError}  Something had no room; the episode before stays.
   */
  reset(rng: Generator): Record<string, unknown> {
    const start = rng.getState();
    const world = new World(rng, this.parameters, this.domainRand);
    const rules = this.task.build(world);
    world.finish();
    this.#episode = { world, rules, start, built: [...world.entities] };
    return rules.info?.('reset') ?? {};
  }

  act(action: number): void {
    this.#current.world.act(action);
  }

  judge(action: number): StepOutcome {
    const { world, rules } = this.#current;
    const { reward, terminated } = rules.afterStep?.(action) ?? NOTHING;
    return {
      reward,
      terminated,
      truncated: world.stepCount >= this.task.maxEpisodeSteps,
      info: rules.info?.('step') ?? {},
    };
  }

  save(): SavedEpisode | null {
    if (!this.#episode) return null;
    const { world, rules, start, built } = this.#episode;
    const indexOf = (entity: Entity): number => {
      const index = built.indexOf(entity);
      if (index < 0) {
        throw new GymError(`A snapshot cannot hold ${entity.label}, which came after the world was built.`, {
          code: 'SNAPSHOT_UNSUPPORTED',
          hint: 'add every entity in `build`; take away and add again during the episode',
        });
      }
      return index;
    };
    return structuredClone({
      start,
      now: world.rng.getState(),
      stepCount: world.stepCount,
      entities: world.entities.map((entity) => ({
        built: indexOf(entity),
        x: entity.x,
        y: entity.y,
        z: entity.z,
        direction: entity.direction,
        own: entity.saveState() ?? null,
      })),
      carrying: world.agent.carrying ? indexOf(world.agent.carrying) : null,
      rules: rules.state ?? null,
    });
  }

  /**
   * @returns  The generator as it was, or `undefined` for a snapshot from before the first reset.
   * @throws {SnapshotMismatchError}  The snapshot names entities that this task's world does not have.
   */
  load(saved: SavedEpisode | null): Generator | undefined {
    if (!saved) {
      this.#episode = undefined;
      return undefined;
    }
    const rng = new Generator(0);
    rng.setState(saved.start);
    this.reset(rng);
    const { world, rules, built } = this.#current;
    const builtAt = (index: number): Entity => {
      const entity = built[index];
      if (!entity) throw new SnapshotMismatchError(`entity ${show(index)}`, `one of ${built.length} entities`);
      return entity;
    };
    const entities = saved.entities.map(({ built: index, x, y, z, direction, own }) => {
      const entity = Object.assign(builtAt(index), { x, y, z, direction });
      if (own !== null) entity.restoreState(own);
      return entity;
    });
    world.entities.splice(0, world.entities.length, ...entities);
    world.agent.carrying = saved.carrying === null ? undefined : builtAt(saved.carrying);
    world.stepCount = saved.stepCount;
    if (rules.state) Object.assign(rules.state, structuredClone(saved.rules));
    rng.setState(saved.now);
    return rng;
  }

  get #current(): Episode {
    if (!this.#episode) throw new GymError('The world is built by `reset`.', { code: 'RESET_NEEDED' });
    return this.#episode;
  }
}
