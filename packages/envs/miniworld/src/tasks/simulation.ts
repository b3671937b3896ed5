/**
 * A task in play: the world of the current episode, its rules, and the whole state as data.
 *
 * As in the original, a step has two halves: `act` moves, then the observation is made, then `judge` applies the rules.
 * So the picture of a pickup still shows the entity. Neither half draws: the dynamics do not need three.js.
 */
import {
  checkedInteger,
  checkedSplit,
  drawInSplit,
  Generator,
  type GeneratorState,
  GymError,
  InvalidOptionError,
  type Split,
  type SplitOption,
} from '@vlgym/core';
import { ACTIONS } from '../world/actions.js';
import type { Entity } from '../world/entity.js';
import { SnapshotError, WorldError } from '../world/errors.js';
import {
  DEFAULT_PARAMETERS,
  overrideParameters,
  type ParameterOverrides,
  type Parameters,
} from '../world/parameters.js';
import { World } from '../world/world.js';
import { checkLike, checkSameOptions, type SavedEpisode } from './saved-episode.js';
import { NOTHING, type Rules, type Task } from './task.js';
import { KEY_VERSIONS, type KeyVersion, worldKey } from './task-key.js';

/** Maximum number of worlds that are built to find one of the split; this takes a second or two. */
const MAX_WORLDS = 2000;

export interface SimulationOptions extends SplitOption {
  /** Randomize light, colors, textures, camera and step sizes; default false. */
  readonly domainRand?: boolean | undefined;
  /** Replaces values and ranges of the task's parameters. */
  readonly parameters?: ParameterOverrides | undefined;
  /** Version of the task keys, and so of the split; default 2. 1 plays recordings from before mirrored rooms were one task. */
  readonly keyVersion?: KeyVersion | undefined;
}

export interface StepOutcome {
  readonly reward: number;
  readonly terminated: boolean;
  readonly truncated: boolean;
  readonly info: Record<string, unknown>;
}

interface Episode {
  readonly world: World;
  readonly rules: Rules;
  readonly start: GeneratorState;
  /** The entities when the world was built. */
  readonly built: readonly Entity[];
}

export class Simulation {
  readonly task: Task;
  readonly parameters: Parameters;
  readonly domainRand: boolean;
  readonly split: Split | undefined;
  readonly keyVersion: KeyVersion;
  #episode: Episode | undefined;

  /** @throws {InvalidOptionError | UnknownOptionError | WorldError} */
  constructor(task: Task, { domainRand = false, parameters = {}, split, keyVersion = 2 }: SimulationOptions = {}) {
    checkTask(task);
    if (typeof domainRand !== 'boolean') throw new InvalidOptionError('domainRand', domainRand, 'true or false');
    if (domainRand && task.domainRand === false) {
      throw new InvalidOptionError('domainRand', true, `false, because ${task.name} has no randomization`);
    }
    this.task = task;
    this.domainRand = domainRand;
    this.split = checkedSplit(split);
    if (!KEY_VERSIONS.includes(keyVersion)) throw new InvalidOptionError('keyVersion', keyVersion, '1 or 2');
    this.keyVersion = keyVersion;
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
   * Builds a new world from the generator; with a split, until the task belongs to the split. After an error the last
   * episode continues.
   *
   * @returns  `info` of the reset, with the `taskKey`.
   * @throws {ImpossibleWorldError}  An entity could not be placed.
   * @throws {EmptySplitError}       No world of the split was found.
   */
  reset(rng: Generator): Record<string, unknown> {
    const draw = () => {
      const episode = this.#build(rng);
      return { episode, taskKey: worldKey(episode.world, episode.rules.goal?.(), this.task, this.keyVersion) };
    };
    const { episode, taskKey } = drawInSplit(this.split, draw, (drawn) => drawn.taskKey, MAX_WORLDS);
    this.#episode = episode;
    return { ...episode.rules.info?.('reset'), taskKey };
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
    const { spawned } = world;
    const known = [...built, ...spawned.map(({ entity }) => entity)];
    const indexOf = (entity: Entity): number => {
      const index = known.indexOf(entity);
      if (index < 0) {
        throw new GymError(`A snapshot cannot contain ${entity.label}, which was created after \`build\`.`, {
          code: 'SNAPSHOT_UNSUPPORTED',
          hint: 'add it in `build`, or during the episode with `world.spawn`',
        });
      }
      return index;
    };
    return structuredClone({
      options: this.#options,
      start,
      now: world.rng.getState(),
      stepCount: world.stepCount,
      ...(spawned.length > 0 && { spawned: spawned.map(({ kind, data }) => ({ kind, data })) }),
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
   * Restores a saved episode. A refused snapshot does not change the running episode.
   *
   * @param saved  Checked by `SAVED_EPISODE`.
   * @returns  The restored generator, or `undefined` for a snapshot from before the first reset.
   * @throws {SnapshotError}  The snapshot is damaged, or its world was created with other options.
   */
  load(saved: SavedEpisode | null): Generator | undefined {
    if (saved === null) {
      this.#episode = undefined;
      return undefined;
    }
    const { start, now, stepCount, carrying, ...rest } = saved;
    checkSameOptions(saved.options, this.#options);
    const rng = new Generator(0);
    rng.setState(start);
    const episode = this.#build(rng);
    const { world, rules, built } = episode;
    const known = [...built, ...(saved.spawned ?? []).map(({ kind, data }) => respawn(world, kind, data))];
    const builtAt = (index: number): Entity => {
      const entity = known[index];
      if (entity) return entity;
      throw new SnapshotError(
        'The snapshot names an entity that the world does not have.',
        index,
        `0 to ${known.length - 1}`,
      );
    };
    const entities = rest.entities.map(({ built: index, x, y, z, direction, own }) => {
      const entity = Object.assign(builtAt(index), { x, y, z, direction });
      if (own !== null) entity.restoreState(own);
      return entity;
    });
    if (new Set(entities).size < entities.length || !entities.includes(world.agent)) {
      const listed = rest.entities.map(({ built: index }) => index);
      throw new SnapshotError('Invalid entities in the snapshot.', listed, 'the agent, and each entity at most once');
    }
    world.entities.splice(0, world.entities.length, ...entities);
    world.agent.carrying = carrying === null ? undefined : builtAt(carrying);
    world.stepCount = stepCount;
    checkLike(rules.state ?? null, rest.rules, 'rules');
    if (rules.state) Object.assign(rules.state, structuredClone(rest.rules));
    rng.setState(now);
    this.#episode = episode;
    return rng;
  }

  /** Everything that a world depends on besides the generator, as JSON data; `null` means no step limit. */
  get #options(): SavedEpisode['options'] {
    const { maxEpisodeSteps, options } = this.task;
    const parameters = Object.entries(this.parameters).map(([name, range]) => [`parameters.${name}`, range]);
    return {
      ...options,
      maxEpisodeSteps: Number.isFinite(maxEpisodeSteps) ? maxEpisodeSteps : null,
      domainRand: this.domainRand,
      ...Object.fromEntries(parameters),
    };
  }

  #build(rng: Generator): Episode {
    const start = rng.getState();
    const world = new World(rng, this.parameters, this.domainRand, this.task.spawners);
    const rules: Rules | undefined = this.task.build(world);
    if (typeof rules !== 'object' || rules === null) {
      throw new WorldError(`The task "${this.task.name}" did not return rules.`, rules, 'rules, `return {}` at least');
    }
    world.finish();
    return { world, rules, start, built: [...world.entities] };
  }

  get #current(): Episode {
    if (!this.#episode) throw new GymError('The world does not exist before `reset`.', { code: 'RESET_NEEDED' });
    return this.#episode;
  }
}

function respawn(world: World, kind: string, data: unknown): Entity {
  try {
    return world.spawn(kind, data, { x: 0, z: 0 });
  } catch (cause) {
    const made = Object.keys(world.spawners).join(', ') || 'no kinds';
    throw new SnapshotError(
      `The snapshot has an entity of the kind "${kind}", which cannot be made.`,
      data,
      made,
      String(cause),
    );
  }
}

/** For tasks written in JavaScript, where a missing part would cause an unrelated error much later. */
function checkTask(task: Task): void {
  const { name, phrase, build, maxEpisodeSteps, actions } = (task ?? {}) as Partial<Task>;
  const refuse = (part: string, value: unknown, expected: string) => {
    throw new WorldError(`Invalid \`${part}\` of the task.`, value, expected);
  };
  if (typeof name !== 'string' || name === '') refuse('name', name, 'a text, as in `MiniWorld-<name>-v0`');
  if (typeof phrase !== 'string') refuse('phrase', phrase, 'what to do, in words that continue "Your task is to"');
  if (typeof build !== 'function') refuse('build', build, 'a function that builds a world and returns its rules');
  if (!((maxEpisodeSteps as number) > 0)) refuse('maxEpisodeSteps', maxEpisodeSteps, 'steps, or Infinity');
  if (actions !== undefined) checkedInteger('actions', actions, 1, ACTIONS.length);
}
