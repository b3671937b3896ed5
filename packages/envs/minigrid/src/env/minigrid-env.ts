/**
 * MiniGrid and BabyAI: a level on a grid, seen from inside.
 *
 * Rules follow Farama-Foundation/Minigrid 3.2.0 (Apache-2.0); `test/golden/minigrid.json.gz` pins worlds, steps and pictures.
 */
import {
  BaseEnv,
  type Dialogue,
  drawInSplit,
  type EnvSnapshot,
  Generator,
  type GeneratorState,
  generatorState,
  InvalidActionError,
  parseReset,
  parseSnapshot,
  type RenderFrame,
  type ResetOptions,
  type ResetResult,
  type Space,
  type Split,
  type StepResult,
  spaces,
} from '@vlgym/core';
import { z } from 'zod';
import { gridDialogue } from '../dialogue/dialogue.js';
import { nextAction } from '../expert/expert.js';
import { gridEnd, gridRefusal } from '../people/words.js';
import { Painter } from '../pictures/picture.js';
import { describeView } from '../text/describe.js';
import { View } from '../view/view.js';
import { ACTIONS } from '../world/constants.js';
import type { Level } from '../world/task.js';
import { World } from '../world/world.js';
import { gridLetters } from './grid-letters.js';
import { infoOf, type MiniGridInfo } from './info.js';
import { type MiniGridObservation, Observer } from './observations.js';
import { checkedOptions, type MiniGridOptions } from './options.js';
import { keyOf } from './task-key.js';

const SNAPSHOT_KIND = 'minigrid/1';
/** Pixels of a cell in `render`, as published. */
const RENDER_TILE = 32;
/** Worlds drawn before a split counts as empty; some levels have one world only. */
const MAX_DRAWS = 2000;
/** Actions in a snapshot. */
const MAX_ACTIONS = 1_000_000;

const SAVED = z.strictObject({
  level: z.string(),
  start: generatorState.nullable(),
  actions: z
    .string()
    .max(MAX_ACTIONS)
    .regex(/^[0-6]*$/, { error: 'digits from 0 to 6' }),
});

interface Episode {
  /** The generator before the world was drawn. */
  readonly start: GeneratorState;
  readonly world: World;
  readonly actions: number[];
}

export class MiniGridEnv<Observation extends MiniGridObservation = MiniGridObservation> extends BaseEnv<
  Observation,
  number,
  MiniGridInfo
> {
  override readonly metadata = { renderModes: ['rgb_array', 'ansi'], renderFps: 10 } as const;
  readonly observationSpace: Space<Observation>;
  readonly actionSpace: ReturnType<typeof spaces.discrete>;
  readonly dialogue: Dialogue<Observation, number, MiniGridInfo>;
  /** Keyboard key → action. */
  readonly keys: Readonly<Record<string, number>>;

  readonly #name: string;
  readonly #level: Level;
  readonly #maxSteps: number | undefined;
  readonly #split: Split | undefined;
  readonly #view: View;
  readonly #observer: Observer;
  readonly #painter = new Painter(RENDER_TILE);
  #episode: Episode | undefined;

  /**
   * @param name   Name of the level, for snapshots.
   * @param level  A level of the suite, or your own.
   * @throws {UnknownOptionError | InvalidOptionError}
   */
  constructor(name: string, level: Level, options: MiniGridOptions = {}) {
    const checked = checkedOptions(options);
    super({ renderMode: checked.renderMode });
    const { observation: kind = 'symbolic', view = 'agent', tileSize = 8, viewSize = 7, highlight = true } = checked;
    this.#name = name;
    this.#level = level;
    this.#maxSteps = checked.maxSteps;
    this.#split = checked.split;
    this.#view = new View(viewSize);
    this.#observer = new Observer({ kind, shown: view, tileSize, highlight }, this.#newWorld(), this.#view);
    this.observationSpace = this.#observer.space as unknown as Space<Observation>;
    const count = level.actions ?? ACTIONS.length;
    this.actionSpace = spaces.discrete(count, { labels: ACTIONS.slice(0, count) });
    const dialogue = gridDialogue(checked.dialogue ?? 'plain-v1', count, viewSize);
    this.dialogue = dialogue as unknown as typeof this.dialogue;
    this.keys = Object.fromEntries(Object.entries(KEYS).filter(([, action]) => action < count));
  }

  /** The state of the episode: the grid, the agent, the task. @throws {ResetNeededError} */
  get world(): World {
    return this.#started('world').world;
  }

  /** Known before the first reset only where the level, and not its instruction, sets it. */
  get stepLimit(): number | undefined {
    const limit = this.#episode?.world.maxSteps ?? this.#maxSteps ?? this.#level.maxSteps;
    return limit > 0 ? limit : undefined;
  }

  /** @throws {EmptySplitError} @throws {GenerationError} */
  reset(given?: ResetOptions): ResetResult<Observation, MiniGridInfo> {
    this.ensureOpen('reset');
    const { seed } = parseReset(given);
    if (seed !== undefined) this.reseed(seed);
    const start = this.rng.getState();
    const world = this.#draw(this.rng);
    const taskKey = keyOf(world);
    this.#episode = { start, world, actions: [] };
    this.#view.look(world);
    const symbols = this.#observer.symbols(this.#view);
    if (world.task.begin) {
      world.task.begin();
      this.#view.look(world);
    }
    return { observation: this.#observe(symbols, false), info: { ...infoOf(world), taskKey } };
  }

  /** An action that the level does not offer is taken as the original takes it; anything else is an error. */
  step(action: number): StepResult<Observation, MiniGridInfo> {
    this.ensureOpen('step');
    if (!(Number.isInteger(action) && action >= 0 && action < ACTIONS.length)) {
      throw new InvalidActionError(action, this.actionSpace.describe());
    }
    const { world, actions } = this.#started('step');
    const { reward, terminated, truncated } = world.step(action);
    actions.push(action);
    this.#view.look(world);
    const observation = this.#observe(this.#observer.symbols(this.#view), terminated || truncated);
    return { observation, reward, terminated, truncated, info: infoOf(world) };
  }

  override render(): RenderFrame {
    const { world } = this.#started('render');
    if (this.renderMode === 'rgb_array') {
      const { height, width } = this.#painter.worldSize(world);
      this.#view.look(world);
      return this.#painter.drawWorld(world, this.#view, new Uint8Array(height * width * 3));
    }
    return this.renderMode === 'ansi' ? `${gridLetters(world)}\n${world.mission}\n` : this.renderNothing();
  }

  /**
   * Draws all further pictures into this buffer: every observation is a view of it that the next step overwrites. With
   * `undefined` observations have their own buffers again, as they do by default.
   *
   * @param options.copyLast  Copies the last observation of an episode, so that it survives the next reset.
   * @throws {InvalidOptionError}  The length is not that of a picture, or observations are not `image`.
   */
  drawInto(frame: Uint8Array | undefined, options?: { readonly copyLast?: boolean }): void {
    this.#observer.memory.drawInto(frame, options);
  }

  /** The next action of an expert that knows the whole world; `undefined` if it knows no way to success. */
  oracle(): number | undefined {
    const { world } = this.#started('oracle');
    const goal = world.task.goal();
    const action = goal && nextAction(world, goal);
    return action !== undefined && this.actionSpace.contains(action) ? action : undefined;
  }

  /** The action in words, for people. */
  describeAction(action: number): string {
    return ACTIONS[action] ?? String(action);
  }

  /** The mission as a sentence, for people. */
  describeTask(): string {
    const { mission } = this.#started('describeTask').world;
    return mission === ''
      ? 'Look around; this level has none.'
      : `${mission.charAt(0).toUpperCase()}${mission.slice(1)}.`;
  }

  /** The view in the sentences of BabyAI-Text, for people who do not see the picture. */
  describeState(): string {
    this.#view.look(this.#started('describeState').world);
    return describeView(this.#view.encode(), this.#view.size)
      .map((line) => `${line}.`)
      .join(' ');
  }

  /** The reason why an action would change nothing, for people. */
  describeRefusal(action: number): string | undefined {
    return gridRefusal(this.#started('describeRefusal').world, action);
  }

  /** The reason for the end, for people. */
  describeEnd(last: StepResult<Observation, MiniGridInfo>): string | undefined {
    return gridEnd(this.#started('describeEnd').world, last);
  }

  snapshot(): EnvSnapshot {
    const { start = null, actions = [] } = this.#episode ?? {};
    return { kind: SNAPSHOT_KIND, state: structuredClone({ level: this.#name, start, actions: actions.join('') }) };
  }

  /**
   * Draws the world again and repeats the actions, with the options of this environment. A refused snapshot changes
   * nothing.
   *
   * @throws {SnapshotMismatchError}  The snapshot is damaged, or of another level.
   */
  restore(snapshot: EnvSnapshot): void {
    this.ensureOpen('restore');
    const shape = SAVED.extend({ level: z.literal(this.#name) });
    const { start, actions } = parseSnapshot(snapshot, SNAPSHOT_KIND, shape);
    const rng = new Generator(0);
    if (start === null) {
      this.#episode = undefined;
      this.rng = new Generator();
      return;
    }
    rng.setState(start);
    const world = this.#draw(rng);
    world.task.begin?.();
    const taken = Array.from(actions, Number);
    for (const action of taken) world.step(action);
    this.rng = rng;
    this.#episode = { start, world, actions: taken };
  }

  #newWorld(): World {
    return new World(this.#level, this.#maxSteps);
  }

  #draw(rng: Generator): World {
    const draw = () => {
      const world = this.#newWorld();
      world.reset(rng);
      return world;
    };
    return drawInSplit(this.#split, draw, keyOf, MAX_DRAWS);
  }

  #observe(symbols: Uint8Array | undefined, last: boolean): Observation {
    const { world } = this.#episode!;
    return this.#observer.observe(world, this.#view, symbols, last) as Observation;
  }

  #started(method: string): Episode {
    return this.started(method, this.#episode);
  }
}

const KEYS: Readonly<Record<string, number>> = { left: 0, right: 1, up: 2, p: 3, d: 4, t: 5, space: 5, x: 6 };
