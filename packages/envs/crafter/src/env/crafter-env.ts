/**
 * Crafter: an open world of blocks with 22 achievements, seen from above.
 *
 * Rules follow danijar/crafter 1.8.3 (MIT); `test/golden/crafter.json.gz` pins worlds, steps, pictures and texts.
 */
import {
  BaseEnv,
  type Dialogue,
  drawInSplit,
  type EnvSnapshot,
  Generator,
  parseReset,
  parseSnapshot,
  type RenderFrame,
  type ResetOptions,
  type ResetResult,
  type Space,
  type Split,
  type StepResult,
  savedCount,
  spaces,
  taskKey,
} from '@vlgym/core';
import { z } from 'zod';
import { crafterDialogue } from '../dialogue/dialogue.js';
import { worldSeedOf } from '../numbers/python-hash.js';
import { type Area, Game } from '../world/game.js';
import { ACTIONS } from '../world/rules.js';
import { type CrafterInfo, infoOf } from './info.js';
import { drawNoise, skipNoise } from './night.js';
import { type CrafterObservation, Observer, textOf } from './observations.js';
import { type CrafterOptions, checkedOptions, type NightNoise } from './options.js';
import { loadGame, savedGame, saveGame } from './saved.js';
import { type CrafterId, VARIANTS, type Variant } from './variants.js';

const SNAPSHOT_KIND = 'crafter/1';
/** Seeds that an environment draws for itself are below this, as published. */
const SEEDS = 2 ** 31 - 1;
const NOOP = 0;

export class CrafterEnv<Observation extends CrafterObservation = CrafterObservation> extends BaseEnv<
  Observation,
  number,
  CrafterInfo
> {
  override readonly metadata = { renderModes: ['rgb_array', 'ansi'], renderFps: 10 } as const;
  readonly observationSpace: Space<Observation>;
  readonly actionSpace = spaces.discrete(ACTIONS.length, { labels: [...ACTIONS] });
  readonly dialogue: Dialogue<Observation, number, CrafterInfo>;
  /** Keyboard key → action. */
  readonly keys = KEYS;
  /** Steps of an episode, unless the player dies. */
  readonly stepLimit: number;

  readonly #variant: Variant;
  readonly #area: Area;
  readonly #split: Split | undefined;
  readonly #nightNoise: NightNoise;
  readonly #observer: Observer;
  /** The seed of the worlds, and the number of the current one. */
  #seed: number | undefined;
  #episode = 0;
  #game: Game | undefined;
  /** Noise of the picture that `render` shows. */
  #noise: Float64Array | undefined;

  /**
   * @param id  The published environment; default `CrafterReward-v1`.
   * @throws {UnknownOptionError | InvalidOptionError}
   */
  constructor(options: CrafterOptions = {}, id: CrafterId = 'CrafterReward-v1') {
    const checked = checkedOptions(options);
    super({ renderMode: checked.renderMode });
    const variant: Variant = VARIANTS[id];
    const { defaults } = variant;
    const { observation = defaults.observation, size = defaults.size } = checked;
    const { maxSteps = defaults.maxSteps, dialogue = defaults.dialogue } = checked;
    const [width, height] = checked.area ?? [64, 64];
    this.#variant = variant;
    this.#area = { width, height };
    this.#split = checked.split;
    this.#nightNoise = checked.nightNoise ?? 'world';
    this.#observer = new Observer(observation, size);
    this.stepLimit = maxSteps;
    this.observationSpace = this.#observer.space as unknown as Space<Observation>;
    this.dialogue = crafterDialogue(dialogue) as unknown as typeof this.dialogue;
  }

  /** The state of the episode. @throws {ResetNeededError} */
  get game(): Game {
    return this.#started('game');
  }

  /** A seed begins with its first world; without one, the next world of the same seed follows. @throws {EmptySplitError} */
  reset(given?: ResetOptions): ResetResult<Observation, CrafterInfo> {
    this.ensureOpen('reset');
    const { seed } = parseReset(given);
    if (seed !== undefined) {
      this.reseed(seed);
      this.#seed = seed;
      this.#episode = 0;
    }
    const base = this.#seed ?? this.rng.integers(0, SEEDS);
    this.#seed = base;
    const next = () => {
      this.#episode += 1;
      return worldSeedOf(base, this.#episode);
    };
    const worldSeed = drawInSplit(this.#split, next, (drawn) => this.#keyOf(drawn));
    const game = new Game(this.#area, worldSeed);
    this.#game = game;
    let observation = this.#look(false);
    if (this.#variant.isWrapped) {
      game.advance(NOOP);
      game.settle();
      observation = this.#look(false);
      this.#lookAgain();
    }
    return { observation, info: { ...infoOf(game, [], this.stepLimit), taskKey: this.#keyOf(worldSeed) } };
  }

  step(action: number): StepResult<Observation, CrafterInfo> {
    this.ensureOpen('step');
    this.checkAction(action);
    const game = this.#started('step');
    game.advance(action);
    const [terminated, truncated] = [game.isDead, game.steps >= this.stepLimit];
    const observation = this.#look(terminated || truncated);
    const { reward, unlocked } = game.settle();
    if (this.#variant.isWrapped) this.#lookAgain();
    return {
      observation,
      reward: this.#variant.pays ? reward : 0,
      terminated,
      truncated,
      info: infoOf(game, unlocked, this.stepLimit),
    };
  }

  /** Shows the current picture, and never draws random numbers. */
  override render(): RenderFrame {
    const game = this.#started('render');
    const { painter, memory } = this.#observer;
    if (this.renderMode === 'rgb_array') return painter.draw(game, this.#noise, new Uint8Array(memory.bytes));
    return this.renderMode === 'ansi' ? `${textOf(game)}\n` : this.renderNothing();
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

  /** The action in words, for people. */
  describeAction(action: number): string {
    return ACTIONS[action]?.replaceAll('_', ' ') ?? String(action);
  }

  /** The task in words, for people. */
  describeTask(): string {
    return 'Unlock as many of the 22 achievements as you can, and stay alive.';
  }

  /** View and items in BALROG's sentences, for people who do not see the picture. */
  describeState(): string {
    return textOf(this.#started('describeState'));
  }

  snapshot(): EnvSnapshot {
    const [seed, episode] = [this.#seed ?? null, this.#episode];
    const { width, height } = this.#area;
    const noise = this.#noise ? Array.from(this.#noise) : null;
    const game = this.#game ? saveGame(this.#game) : null;
    return { kind: SNAPSHOT_KIND, state: { area: [width, height], seed, episode, game, noise } };
  }

  /**
   * Continues a saved episode with the options of this environment. A refused snapshot changes nothing.
   *
   * @throws {SnapshotMismatchError}  The snapshot is damaged, or its map or picture has another size.
   */
  restore(snapshot: EnvSnapshot): void {
    this.ensureOpen('restore');
    const { width, height } = this.#area;
    const saved = parseSnapshot(
      snapshot,
      SNAPSHOT_KIND,
      z.strictObject({
        area: z.tuple([z.literal(width), z.literal(height)]),
        seed: savedCount.nullable(),
        episode: savedCount,
        game: savedGame(this.#area).nullable(),
        noise: z.array(z.number().min(0).max(256)).length(this.#observer.painter.noiseCount).nullable(),
      }),
    );
    if (saved.seed === null) this.rng = new Generator();
    this.#seed = saved.seed ?? undefined;
    this.#episode = saved.episode;
    this.#game = saved.game === null ? undefined : loadGame(saved.game, this.#area);
    this.#noise = saved.noise === null ? undefined : Float64Array.from(saved.noise);
  }

  #keyOf(worldSeed: number): string {
    return taskKey('crafter', `${this.#area.width}x${this.#area.height}/${worldSeed}`);
  }

  /** @param last  The episode ends with it. */
  #look(last: boolean): Observation {
    const game = this.#game!;
    if (this.#observer.kind === 'text') this.#noise = this.#noiseOfText(game);
    else this.#noise = drawNoise(game, this.#nightNoise, this.#observer.painter.noiseCount);
    return this.#observer.observe(game, this.#noise, last) as Observation;
  }

  /** BALROG draws every picture twice; its program shows the first one to scores and the second one to models. */
  #lookAgain(): void {
    skipNoise(this.#game!, this.#nightNoise, this.#observer.painter.noiseCount);
  }

  /** Nobody sees the picture beside a text, but the world goes on as if somebody did. */
  #noiseOfText(game: Game): Float64Array | undefined {
    if (this.renderMode === 'rgb_array' || this.#nightNoise === 'world') {
      return drawNoise(game, this.#nightNoise, this.#observer.painter.noiseCount);
    }
    return undefined;
  }

  #started(method: string): Game {
    return this.started(method, this.#game);
  }
}

const KEYS = {
  left: 1,
  right: 2,
  up: 3,
  down: 4,
  space: 5,
  z: 6,
  r: 7,
  t: 8,
  f: 9,
  p: 10,
  '1': 11,
  '2': 12,
  '3': 13,
  '4': 14,
  '5': 15,
  '6': 16,
  n: 0,
} as const;
