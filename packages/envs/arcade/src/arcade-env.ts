/**
 * A JavaScript game as an exact world: a page with a canvas in Chromium, whose clock runs only in steps and whose chance
 * comes from the seed. The same seed and actions give the same pictures and scores in every process and browser of one
 * version. A snapshot is the seed with the actions so far; restoring plays them again and compares the picture.
 */
import {
  BaseEnv,
  checkedSplit,
  type Dialogue,
  drawInSplit,
  type EnvSnapshot,
  EpisodeOverError,
  generatorState,
  hashImage,
  InvalidOptionError,
  option,
  parseOptions,
  parseReset,
  parseSnapshot,
  type RenderFrame,
  type RenderMode,
  type ResetOptions,
  type ResetResult,
  type RgbImage,
  SPLITS,
  type Split,
  type StepResult,
  spaces,
  taskKey,
} from '@vlgym/core';
import { z } from 'zod';
import { ARCADE_STYLES, type ArcadeStyle, arcadeDialogue } from './dialogue.js';
import { type ArcadeGame, type CheckedGame, checkedGame } from './game.js';
import type { ArcadeInfo } from './info.js';
import { playKeys } from './keys.js';
import { type Look, readLook } from './look.js';
import { GamePage } from './page/game-page.js';
import { GameInvalidError, GameLostError } from './page/page-lost.js';

export interface ArcadeOptions {
  /** Default `plain-v1`. */
  readonly dialogue?: ArcadeStyle | undefined;
  /** Frames of an action, 60 a second; default as the game says. */
  readonly framesPerStep?: number | undefined;
  /** Only worlds of this side; default: all. */
  readonly split?: Split | undefined;
  /** Chromium's path; default: found. */
  readonly executablePath?: string | undefined;
  /** Chromium's own sandbox; default false, because containers rarely allow it. */
  readonly sandbox?: boolean | undefined;
  /** Milliseconds until a page that does not answer counts as lost; default 30,000. */
  readonly timeout?: number | undefined;
  readonly renderMode?: RenderMode | undefined;
}

const schema = z.strictObject({
  dialogue: option.oneOf(ARCADE_STYLES).optional(),
  framesPerStep: option.integer(1, 600).optional(),
  split: option.oneOf(SPLITS).optional(),
  executablePath: option.path('the path of Chromium').optional(),
  sandbox: option.boolean().optional(),
  timeout: option.integer(100, 600_000).optional(),
  renderMode: option.renderMode().optional(),
} satisfies Record<keyof ArcadeOptions, z.ZodType>);

const MAX_SEED = 2 ** 32 - 1;
/** Options of `reset`: a world by its number. */
const episodeOptions = z.strictObject({ world: option.integer(0, MAX_SEED).optional() });
const KIND = 'arcade/1';

/**
 * @example
 * const env = new ArcadeEnv({
 *   ...(await readGame('my-game')),
 *   ...{ name: 'my-game', width: 320, height: 240, score: '#score', over: '.game-over' },
 *   actions: { wait: {}, jump: { keys: [' '] }, left: { keys: ['ArrowLeft'] }, right: { keys: ['ArrowRight'] } },
 *   guide: { goal: 'Reach the flag.', rules: 'Jump over gaps.', score: 'Each coin gains 1.' },
 * });
 */
export class ArcadeEnv extends BaseEnv<RgbImage, number, ArcadeInfo> {
  override readonly metadata;
  readonly observationSpace;
  readonly actionSpace;
  readonly dialogue: Dialogue<RgbImage, number, ArcadeInfo>;
  readonly keys: Readonly<Record<string, number>>;
  readonly stepLimit: number;

  readonly #game: CheckedGame;
  readonly #frames: number;
  readonly #split: Split | undefined;
  readonly #page: GamePage;
  #world: number | undefined;
  #actions: number[] = [];
  #last: Look | undefined;
  #lost: string | undefined;

  /** @throws {InvalidOptionError | UnknownOptionError} */
  constructor(game: ArcadeGame, options: ArcadeOptions = {}) {
    const checked = parseOptions(options, schema);
    super({ renderMode: checked.renderMode });
    const { executablePath, sandbox, timeout = 30_000, framesPerStep, dialogue = 'plain-v1' } = checked;
    this.#game = checkedGame({ ...game, framesPerStep: framesPerStep ?? game.framesPerStep });
    if (dialogue === 'words-v1' && !this.#game.config.state) {
      throw new InvalidOptionError('dialogue', dialogue, 'a style with pictures: the game does not tell its state');
    }
    this.#frames = this.#game.framesPerStep;
    this.#split = checkedSplit(checked.split);
    const { config, source, labels, maxSteps } = this.#game;
    this.#page = new GamePage({ executablePath, sandbox, timeout, source, config });
    this.metadata = {
      renderModes: ['rgb_array', 'ansi'] as const,
      renderFps: Math.max(1, Math.round(60 / this.#frames)),
    };
    this.observationSpace = spaces.image({ height: config.height, width: config.width });
    this.actionSpace = spaces.discrete(labels.length, { labels: [...labels] });
    this.dialogue = arcadeDialogue(this.#game, dialogue);
    this.keys = playKeys(this.#game);
    this.stepLimit = maxSteps;
  }

  /** @throws {GameInvalidError | GameLostError | ChromiumMissingError | ChromiumLaunchError} */
  async reset(given?: ResetOptions): Promise<ResetResult<RgbImage, ArcadeInfo>> {
    this.ensureOpen('reset');
    const { seed, options } = parseReset(given, episodeOptions);
    if (seed !== undefined) this.reseed(seed);
    const draw = () => this.rng.integers(MAX_SEED + 1);
    const world = options.world ?? drawInSplit(this.#split, draw, (drawn) => this.#keyOf(drawn));
    await this.#begin(world);
    return { observation: this.#picture(), info: { ...this.#info(), taskKey: this.#keyOf(world) } };
  }

  async step(action: number): Promise<StepResult<RgbImage, ArcadeInfo>> {
    this.ensureOpen('step');
    const before = this.#shown('step');
    this.checkAction(action);
    if (this.#isOver) throw new EpisodeOverError();
    this.#actions.push(action);
    try {
      this.#last = this.#read(await this.#page.play([this.#game.inputs[action]!], this.#frames));
    } catch (error) {
      if (!(error instanceof GameLostError)) throw error;
      this.#lost = error.message.split('\n', 1)[0]!;
      await this.#page.close(true);
      return { observation: this.#picture(), reward: 0, terminated: false, truncated: true, info: this.#info() };
    }
    const { over, score } = this.#last;
    const truncated = !over && this.#actions.length >= this.stepLimit;
    return {
      observation: this.#picture(),
      reward: score - before.score,
      terminated: over,
      truncated,
      info: this.#info(),
    };
  }

  override render(): RenderFrame {
    const { state = '', score } = this.#shown('render');
    if (this.renderMode === 'rgb_array') return this.#picture();
    return this.renderMode === 'ansi' ? `${state}\nscore ${score}\n` : this.renderNothing();
  }

  /** The action that the game's own expert would take. */
  oracle(): number | undefined {
    const { expert } = this.#shown('oracle');
    const index = expert === undefined ? -1 : this.#game.labels.indexOf(expert);
    return index === -1 ? undefined : index;
  }

  describeTask(): string {
    return this.#game.guide.goal;
  }

  describeAction(action: number): string {
    return this.#game.labels[action] ?? String(action);
  }

  describeState(): string {
    const { state, score } = this.#shown('describeState');
    return state ?? `The score is ${score}.`;
  }

  snapshot(): EnvSnapshot {
    const [world, last] = [this.#world ?? null, this.#last];
    const picture = last ? hashImage(this.#picture()) : null;
    const state = { rng: this.rng.getState(), game: this.#game.name, world, actions: [...this.#actions], picture };
    return { kind: KIND, state: { ...state, frames: this.#frames } };
  }

  /** Plays the episode again up to the snapshot. @throws {SnapshotMismatchError | GameInvalidError} */
  async restore(snapshot: EnvSnapshot): Promise<void> {
    this.ensureOpen('restore');
    const saved = parseSnapshot(snapshot, KIND, this.#savedState());
    if (saved.world === null) this.#forget();
    else {
      await this.#begin(saved.world);
      const inputs = saved.actions.map((action) => this.#game.inputs[action]!);
      if (inputs.length > 0) this.#last = this.#read(await this.#page.play(inputs, this.#frames));
      this.#actions = [...saved.actions];
      if (hashImage(this.#picture()) !== saved.picture) {
        throw new GameInvalidError(
          this.#game.name,
          'does not repeat itself',
          saved.picture,
          'the same picture after the same actions',
        );
      }
    }
    this.rng.setState(saved.rng);
  }

  protected override dispose(): Promise<void> {
    return this.#page.close();
  }

  get #isOver(): boolean {
    return this.#last!.over || this.#lost !== undefined || this.#actions.length >= this.stepLimit;
  }

  #savedState() {
    const action = option.integer(0, this.#game.labels.length - 1);
    return z.strictObject({
      rng: generatorState,
      game: z.literal(this.#game.name),
      frames: z.literal(this.#frames),
      world: option.integer(0, MAX_SEED).nullable(),
      actions: z.array(action).max(this.stepLimit),
      picture: z.string().nullable(),
    });
  }

  async #begin(world: number): Promise<void> {
    this.#forget();
    const last = this.#read(await this.#page.load(world));
    if (last.over) {
      await this.#page.close();
      throw new GameInvalidError(this.#game.name, 'is over at its start', last.errors, 'a game that begins');
    }
    this.#world = world;
    this.#last = last;
  }

  #forget(): void {
    this.#world = undefined;
    this.#last = undefined;
    this.#lost = undefined;
    this.#actions = [];
  }

  #read(text: string): Look {
    return readLook(text, this.#game);
  }

  #keyOf(world: number): string {
    return taskKey(`arcade-${this.#game.name}`, String(world));
  }

  #shown(method: string): Look {
    return this.started(method, this.#last);
  }

  #picture(): RgbImage {
    const { height, width } = this.#game.config;
    return { data: this.#last!.pixels.slice(), height, width, channels: 3 };
  }

  #info(): ArcadeInfo {
    const { score, time, state, over, won, errors } = this.#last!;
    const success = over && { success: won ?? score > 0 };
    const lost = this.#lost !== undefined && { lost: this.#lost };
    const { blockedRequests } = this.#page;
    return {
      score,
      time,
      ...(state !== undefined && { state }),
      ...success,
      ...lost,
      blockedRequests,
      errors: [...errors],
    };
  }
}
