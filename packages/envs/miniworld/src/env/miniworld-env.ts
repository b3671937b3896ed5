/**
 * MiniWorld: a task in 3D rooms, seen in first person.
 *
 * Rules follow `Farama-Foundation/Miniworld` (Apache-2.0), version 2.1.0; `test/golden/miniworld-trajectories.json.gz`
 * pins positions, rewards and generator states. Pictures are three.js scenes drawn by `@vlgym/render`.
 */
import {
  BaseEnv,
  type Dialogue,
  type EnvSnapshot,
  Generator,
  InvalidOptionError,
  parseReset,
  parseSnapshot,
  type RenderFrame,
  type ResetOptions,
  type ResetResult,
  type Space,
  type StepResult,
  spaces,
  type TopMarker,
} from '@vlgym/core';
import { checkLentFrame } from '@vlgym/core/internal';
import type { CameraLike, SceneLike } from '@vlgym/render';
import { z } from 'zod';
import { type MiniWorldInfo, miniWorldDialogue } from '../dialogue/dialogue.js';
import { isVlDac, VL_DAC_ACTIONS } from '../dialogue/styles.js';
import { Oracle } from '../oracle/oracle.js';
import { fieldAbove } from '../scene/field-above.js';
import { type DepthMap, Painter, type Size, type ViewName } from '../scene/painter.js';
import { SAVED_EPISODE } from '../tasks/saved-episode.js';
import { Simulation } from '../tasks/simulation.js';
import type { Task } from '../tasks/task.js';
import { describeWorld } from '../text/describe-world.js';
import { sightOf } from '../text/sight.js';
import { ACTIONS } from '../world/actions.js';
import { SnapshotError } from '../world/errors.js';
import type { World } from '../world/world.js';
import { copyPicture, type MiniWorldObservation, type Observer, observer } from './observations.js';
import { checkedOptions, type MiniWorldOptions, type ObservationKind } from './options.js';

export type { MiniWorldInfo } from '../dialogue/dialogue.js';

const SNAPSHOT_KIND = 'miniworld/2';

const SAVED_STATE = z.strictObject({ task: z.string(), episode: SAVED_EPISODE.nullable() });

export class MiniWorldEnv<Observation extends MiniWorldObservation = MiniWorldObservation> extends BaseEnv<
  Observation,
  number,
  MiniWorldInfo
> {
  override readonly metadata = { renderModes: ['rgb_array', 'ansi'], renderFps: 30 } as const;
  readonly observationSpace: Space<Observation>;
  readonly actionSpace: ReturnType<typeof spaces.discrete>;
  readonly dialogue: Dialogue<Observation, number, MiniWorldInfo>;
  /** Keyboard key → action. */
  readonly keys: Readonly<Record<string, number>>;
  /** The task and its world, without pictures. */
  readonly simulation: Simulation;

  readonly #kind: ObservationKind;
  readonly #observer: Observer;
  readonly #reportsSight: boolean;
  readonly #window: Size;
  readonly #size: Size;
  readonly #view: ViewName;
  readonly #oracle = new Oracle();
  readonly #painter: Painter;
  #frame: Uint8Array | undefined;
  #copiesLast = false;

  /**
   * @param task  A task of the suite, or your own.
   * @throws {UnknownOptionError | InvalidOptionError | AssetFolderError}
   */
  constructor(task: Task, options: MiniWorldOptions = {}) {
    const checked = checkedOptions(options);
    super({ renderMode: options.renderMode });
    this.simulation = new Simulation(task, checked.simulation);
    this.#window = checked.window;
    this.#size = checked.size;
    this.#reportsSight = checked.dialogue === 'compact-v1';
    this.#view = checked.view;
    this.#painter = new Painter(checked.assets, checked.quality);
    this.#kind = checked.observation;
    this.#observer = observer(checked.observation, checked.size, task, () => this.#painter);
    this.observationSpace = this.#observer.space as unknown as Space<Observation>;
    const declared = task.actions ?? 3;
    const numActions =
      checked.numActions ?? (isVlDac(checked.dialogue) ? Math.max(declared, VL_DAC_ACTIONS) : declared);
    this.actionSpace = spaces.discrete(numActions, { labels: ACTIONS.slice(0, numActions) });
    const dialogue = miniWorldDialogue(checked.dialogue, task, numActions, checked.size, checked.observation);
    this.dialogue = dialogue as unknown as typeof this.dialogue;
    this.keys = Object.fromEntries(Object.entries(KEYS).filter(([, action]) => action < numActions));
  }

  get task(): Task {
    return this.simulation.task;
  }

  /** The world of the current episode. @throws {ResetNeededError} */
  get world(): World {
    return this.#started('world');
  }

  /** @throws {ImpossibleWorldError}  An entity could not be placed. */
  get stepLimit(): number | undefined {
    const { maxEpisodeSteps } = this.task;
    return Number.isFinite(maxEpisodeSteps) ? maxEpisodeSteps : undefined;
  }

  reset(given?: ResetOptions): ResetResult<Observation, MiniWorldInfo> {
    this.ensureOpen('reset');
    const { seed } = parseReset(given);
    if (seed !== undefined) this.reseed(seed);
    const info = this.simulation.reset(this.rng);
    this.#oracle.forget();
    return { observation: this.#observe(), info: this.#withSight(info) };
  }

  /** The observation is made before the task's rules apply, so it still shows an entity that was just picked up. */
  step(action: number): StepResult<Observation, MiniWorldInfo> {
    this.ensureOpen('step');
    this.checkAction(action);
    this.#started('step');
    this.simulation.act(action);
    const observation = this.#observe();
    const { reward, terminated, truncated, info } = this.simulation.judge(action);
    const copy = this.#copiesLast && (terminated || truncated);
    return {
      observation: copy ? (copyPicture(observation) as Observation) : observation,
      reward,
      terminated,
      truncated,
      info: this.#withSight(info),
    };
  }

  /** Seeds of a split played other tasks before mirrored and rotated rooms were one. */
  replayHint(taskKey: string): string | undefined {
    const { split, keyVersion } = this.simulation;
    if (split === undefined || keyVersion === 1 || !this.task.isSymmetric || !taskKey.startsWith('world:'))
      return undefined;
    return (
      'it was recorded under key version 1, whose splits held other tasks: replay with envOptions: { keyVersion: 1 }, or ' +
      '`vlgym replay … --env-options \'{"keyVersion":1}\'`'
    );
  }

  /**
   * Draws all further pictures into this buffer: every observation is a view of it that the next step overwrites. With
   * `undefined` observations have their own buffers again, as they do by default.
   *
   * @param options.copyLast  Copies the last observation of an episode, so that it survives the next reset.
   * @throws {InvalidOptionError}  The length is not `3 * obsHeight * obsWidth` bytes, or observations are not `rgb`.
   */
  drawInto(frame: Uint8Array | undefined, { copyLast = false }: { readonly copyLast?: boolean } = {}): void {
    if (frame !== undefined && this.#kind !== 'rgb') {
      throw new InvalidOptionError('observation', this.#kind, "'rgb', to draw into a buffer");
    }
    checkLentFrame(frame, 3 * this.#size.height * this.#size.width);
    this.#frame = frame;
    this.#copiesLast = copyLast && frame !== undefined;
  }

  override render(): RenderFrame {
    const world = this.#started('render');
    if (this.renderMode === 'rgb_array') return this.#painter.rgb(world, this.#window, this.#view);
    return this.renderMode === 'ansi' ? `${describeWorld(world)}\n` : this.renderNothing();
  }

  /** A view from above, with the agent as a red triangle. */
  renderTop(size: Size = this.#window): RenderFrame {
    return this.#painter.rgb(this.#started('renderTop'), size, 'top');
  }

  /** The agent's position in `renderTop`: pixels from the left and the top; radians, counterclockwise from the right. */
  topMarker(size: Size = this.#window): TopMarker {
    const { bounds, agent } = this.#started('topMarker');
    const { centerX, centerZ, halfX, halfZ } = fieldAbove(bounds, size);
    return {
      x: ((agent.x - centerX + halfX) * size.width) / (2 * halfX),
      y: ((agent.z - centerZ + halfZ) * size.height) / (2 * halfZ),
      direction: agent.direction,
    };
  }

  /** Meters along the view axis, sampled as in the original's depth buffer. */
  renderDepth(size: Size = this.#size): DepthMap {
    return this.#painter.depth(this.#started('renderDepth'), size);
  }

  /** Indices into `world.entities` of the visible entities, by the rule of the original's `get_visible_ents`. */
  visibleEntities(): number[] {
    return this.#painter.visible(this.#started('visibleEntities'), this.#size);
  }

  /** Scene and camera for three.js, for example with `createWebGLRenderer` of `@vlgym/render/webgl`. */
  view(): { readonly scene: SceneLike; readonly camera: CameraLike } {
    return this.#painter.view(this.#started('view'));
  }

  /**
   * The next action on a nearly shortest path to the goal. `undefined` if the task has no goal, no path leads there, or
   * the action space does not contain the action: `oracleReason` says which.
   */
  oracle(): number | undefined {
    const action = this.#oracle.next(this.#started('oracle'), this.simulation.rules.goal?.());
    if (action === undefined || this.actionSpace.contains(action)) return action;
    this.#oracle.reason = `the next action is "${ACTIONS[action]}", which this world does not have`;
    return undefined;
  }

  /**
   * The reason why `oracle` has no action, in words for people who play. For who made the world: without a goal, `goal()`
   * returned none; a closed door in the way is opened by the goal `{ kind: 'open', entity: door }`; an action that the world
   * does not have needs a larger `actions`; what is put down and asked for again is the goal `carry to`, or a goal only
   * until the next one.
   */
  oracleReason(): string | undefined {
    this.oracle();
    return this.#oracle.reason;
  }

  /** The action in words, for people. */
  describeAction(action: number): string {
    return ACTIONS[action] ?? String(action);
  }

  /**
   * The task in words, for people, such as `Find the red box in the maze and go to it.`, with the health if it has any.
   */
  describeTask(): string {
    this.#started('describeTask');
    const { phrase } = this.task;
    const { health } = this.simulation.rules.info?.('step') ?? {};
    const more = health === undefined ? '' : ` (health ${health} of 100)`;
    return `${phrase.charAt(0).toUpperCase()}${phrase.slice(1)}${more}.`;
  }

  /** What is seen, where the walls are, what is carried: for people who cannot see the picture. */
  describeState(): string {
    return describeWorld(this.#started('describeState')).replaceAll('\n', ' ');
  }

  /** The reason for the end, for people. */
  describeEnd({ terminated, reward }: StepResult<Observation, MiniWorldInfo>): string {
    if (!terminated) return 'The last step is used.';
    return reward > 0 ? 'You have done it.' : 'The episode ended without success.';
  }

  snapshot(): EnvSnapshot {
    const state = { task: this.task.name, episode: this.simulation.save() };
    return { kind: SNAPSHOT_KIND, state };
  }

  /**
   * Rebuilds the world from the generator's state at its reset, then restores all positions. A refused snapshot does
   * not change the running episode.
   *
   * @throws {SnapshotMismatchError}  The snapshot is damaged or from a different kind of environment.
   * @throws {SnapshotError}          The world was created with other options, or has other entities.
   */
  restore(snapshot: EnvSnapshot): void {
    this.ensureOpen('restore');
    const { task, episode } = parseSnapshot(snapshot, SNAPSHOT_KIND, SAVED_STATE);
    if (task !== this.task.name) throw new SnapshotError(`Unexpected task "${task}".`, task, this.task.name);
    const rng = this.simulation.load(episode);
    this.#oracle.forget();
    this.rng = rng ?? new Generator();
  }

  protected override dispose(): void {
    this.#painter.close();
  }

  #observe(): Observation {
    return this.#observer.observe(this.simulation.world, this.#frame) as Observation;
  }

  /** Adds `info.sight`, which the expert of the dialogue `compact-v1` states in its responses. */
  #withSight(info: MiniWorldInfo): MiniWorldInfo {
    return this.#reportsSight
      ? { ...info, sight: sightOf(this.world, this.simulation.rules.goal?.(), this.#kind === 'text') }
      : info;
  }

  #started(method: string): World {
    return this.started(method, this.simulation.started ? this.simulation.world : undefined);
  }
}

const KEYS: Readonly<Record<string, number>> = { left: 0, right: 1, up: 2, down: 3, p: 4, d: 5, t: 6, x: 7 };
