/**
 * Games in turns of several actions, with VAGEN's rewards: mll-lab-nu/VAGEN (MIT) at 2936322a, `vagen/envs/sokoban/sokoban_env.py` and
 * `vagen/envs/frozenlake/frozenlake_env.py`. The limit of turns is the trainer's there, and `maxEpisodeSteps` here.
 */
import {
  BaseEnv,
  type Dialogue,
  EmptySplitError,
  type EnvSnapshot,
  Generator,
  generatorState,
  InvalidActionError,
  option,
  parseReset,
  parseSnapshot,
  type RenderFrame,
  type RenderMode,
  type ResetOptions,
  type ResetResult,
  SPLITS,
  type Space,
  type Split,
  type SplitOption,
  type StepResult,
  spaces,
  splitOf,
} from '@vlgym/core';
import { z } from 'zod';
import { TilePainter } from '../pictures/tiles.js';
import { VAGEN_STYLES, type VagenInfo, type VagenObservation, type VagenStyle, vagenDialogue } from './dialogue.js';
import { VAGEN_WORDS, type VagenGame } from './game.js';
import { nextSeed, TWO_32 } from './seeds.js';
import type { VagenWords } from './words.js';

export interface VagenOptions extends SplitOption {
  /** The board in letters (default), or a picture. */
  readonly observation?: 'text' | 'image' | undefined;
  /** Pixels of a cell in pictures, 1 to 128; default 16. */
  readonly tileSize?: number | undefined;
  /** Most actions in a turn, 1 to 20. */
  readonly maxActions?: number | undefined;
  readonly dialogue?: VagenStyle | undefined;
  readonly renderMode?: RenderMode | undefined;
}

export const vagenShape = {
  observation: option.oneOf(['text', 'image']).optional(),
  tileSize: option.integer(1, 128).optional(),
  maxActions: option.integer(1, 20).optional(),
  dialogue: option.oneOf(VAGEN_STYLES).optional(),
  renderMode: option.renderMode().optional(),
  split: option.oneOf(SPLITS).optional(),
} satisfies Record<keyof VagenOptions, z.ZodType>;

/** Settings of a game. */
export interface VagenSetup<Game extends VagenGame> {
  readonly kind: string;
  readonly words: VagenWords;
  readonly style: VagenStyle;
  readonly maxActions: number;
  /** Reward of a turn in which an action was executed. */
  readonly formatReward: number;
  readonly rows: number;
  readonly columns: number;
  readonly tiles: (size: number) => readonly Uint8Array[];
  /** The game of a seed; `undefined` if this seed gives none. */
  readonly begin: (seed: number) => Game | undefined;
  readonly keyOf: (game: Game) => string;
  readonly task: string;
}

const MAX_SEEDS = 10_000;
const MAX_ACTIONS = 100_000;
const SUCCESS = 1;

interface Episode<Game> {
  readonly seed: number;
  readonly game: Game;
  /** Words of all turns, as digits; a turn ends with a period. */
  played: string;
}

export class VagenEnv<Game extends VagenGame> extends BaseEnv<VagenObservation, readonly number[], VagenInfo> {
  override readonly metadata = { renderModes: ['rgb_array', 'ansi'], renderFps: 2 } as const;
  readonly observationSpace: Space<VagenObservation>;
  readonly actionSpace: Space<readonly number[]>;
  readonly dialogue: Dialogue<VagenObservation, readonly number[], VagenInfo>;
  /** Keyboard key → action. */
  readonly keys = { left: [0], down: [1], right: [2], up: [3] } as const;

  readonly #setup: VagenSetup<Game>;
  readonly #split: Split | undefined;
  readonly #isText: boolean;
  readonly #painter: TilePainter;
  readonly #maxActions: number;
  #episode: Episode<Game> | undefined;

  /** @param options  Checked. */
  constructor(options: VagenOptions, setup: VagenSetup<Game>) {
    super({ renderMode: options.renderMode });
    this.#setup = setup;
    this.#split = options.split;
    this.#isText = options.observation !== 'image';
    const tileSize = options.tileSize ?? 16;
    this.#painter = new TilePainter(setup.tiles(tileSize), tileSize);
    const { style, rows, columns, words, kind } = setup;
    const asked = options.dialogue ?? style;
    this.#maxActions = asked === 'compact-v1' ? 1 : (options.maxActions ?? setup.maxActions);
    this.observationSpace = (this.#isText
      ? spaces.text({ maxLength: rows * (3 * columns + 1) })
      : spaces.image({
          height: rows * tileSize,
          width: columns * tileSize,
        })) as unknown as Space<VagenObservation>;
    // any length, because Gymnasium's lists have no limit; a turn is cut to its most actions, as VAGEN cuts it
    this.actionSpace = spaces.sequence(spaces.discrete(4, { labels: [...VAGEN_WORDS] })) as unknown as Space<
      readonly number[]
    >;
    this.dialogue = vagenDialogue(kind, words, asked, this.#maxActions);
  }

  /** A seed that gives no game, or one of another split, is followed by the one that its digest names (`nextSeed`). @throws {EmptySplitError} */
  reset(given?: ResetOptions): ResetResult<VagenObservation, VagenInfo> {
    this.ensureOpen('reset');
    const { seed } = parseReset(given);
    if (seed !== undefined) this.reseed(seed);
    const first = seed ?? this.rng.integers(0, TWO_32);
    const found = this.#find(first < TWO_32 ? first : nextSeed(first));
    this.#episode = { ...found, played: '' };
    return { observation: this.#observe(), info: { ...this.#info(false), taskKey: this.#setup.keyOf(found.game) } };
  }

  step(action: readonly number[]): StepResult<VagenObservation, VagenInfo> {
    this.ensureOpen('step');
    const isSound =
      Array.isArray(action) && action.every((word) => Number.isInteger(word) && word >= 0 && word < VAGEN_WORDS.length);
    if (!isSound) throw new InvalidActionError(action, this.actionSpace.describe());
    const episode = this.#started('step');
    const { game } = episode;
    const before = game.player;
    const executed = this.#play(game, action.slice(0, this.#maxActions));
    episode.played += `${executed.join('')}.`;
    const reward = executed.length === 0 ? 0 : this.#setup.formatReward + (game.isSolved ? SUCCESS : 0);
    return {
      observation: this.#observe(),
      reward,
      terminated: game.isOver,
      truncated: false,
      info: this.#info(game.player !== before),
    };
  }

  override render(): RenderFrame {
    const { game } = this.#started('render');
    if (this.renderMode === 'rgb_array') return this.#draw(game);
    return this.renderMode === 'ansi' ? `${game.board}\n` : this.renderNothing();
  }

  /** The first actions of a shortest solution; `undefined` if there is none. */
  oracle(): readonly number[] | undefined {
    const { game } = this.#started('oracle');
    const words = game.solution();
    if (words === undefined || words.length === 0) return undefined;
    return words.slice(0, this.#maxActions).map((word) => VAGEN_WORDS.indexOf(word));
  }

  /** The actions in words, for people. */
  describeAction(action: readonly number[]): string {
    return action.map((word) => VAGEN_WORDS[word] ?? String(word)).join(', ');
  }

  /** The task in words, for people. */
  describeTask(): string {
    return this.#setup.task;
  }

  /** The board in words, for people who do not see it. */
  describeState(): string {
    return this.#started('describeState').game.words;
  }

  /** The reason for the end, for people. */
  describeEnd(): string | undefined {
    return this.#started('describeEnd').game.ending;
  }

  snapshot(): EnvSnapshot {
    const { seed = null, played = '' } = this.#episode ?? {};
    return { kind: `${this.#setup.kind}/1`, state: { rng: this.rng.getState(), seed, played } };
  }

  /** Begins the game of the seed again and repeats the turns. @throws {SnapshotMismatchError} */
  restore(snapshot: EnvSnapshot): void {
    this.ensureOpen('restore');
    const schema = z.strictObject({
      rng: generatorState,
      seed: option
        .integer(0, TWO_32 - 1)
        .refine((seed) => this.#setup.begin(seed) !== undefined, { error: 'a seed that gives a game' })
        .nullable(),
      played: z
        .string()
        .max(MAX_ACTIONS)
        .regex(/^[0-3.]*$/, { error: 'digits from 0 to 3, and a period after each turn' }),
    });
    const { rng, seed, played } = parseSnapshot(snapshot, `${this.#setup.kind}/1`, schema);
    this.rng = new Generator(0);
    this.rng.setState(rng);
    if (seed === null) {
      this.#episode = undefined;
      return;
    }
    const game = this.#setup.begin(seed)!;
    for (const digit of played) if (digit !== '.' && !game.isOver) game.play(VAGEN_WORDS[Number(digit)]!);
    this.#episode = { seed, game, played };
  }

  #find(first: number): { readonly seed: number; readonly game: Game } {
    let seed = first;
    for (let tries = 0; tries < MAX_SEEDS; tries += 1) {
      const game = this.#setup.begin(seed);
      if (game && (this.#split === undefined || splitOf(this.#setup.keyOf(game)) === this.#split))
        return { seed, game };
      seed = nextSeed(seed);
    }
    throw new EmptySplitError(this.#split ?? 'train', `${MAX_SEEDS} seeds from ${first} on`);
  }

  #play(game: Game, action: readonly number[]): number[] {
    const executed: number[] = [];
    for (const word of action) {
      if (game.isOver) break;
      game.play(VAGEN_WORDS[word]!);
      executed.push(word);
    }
    return executed;
  }

  #observe(): VagenObservation {
    const { game } = this.#started('reset');
    return this.#isText ? game.board : this.#draw(game);
  }

  #draw(game: Game): VagenObservation & object {
    return this.#painter.draw(game.shown, game.columns);
  }

  #info(effective: boolean): VagenInfo {
    const { game } = this.#started('reset');
    const { board, columns, offsets } = game;
    const player = [Math.floor(game.player / columns) + 1, (game.player % columns) + 1] as const;
    return { board, player, offsets, success: game.isSolved, effective };
  }

  #started(method: string): Episode<Game> {
    return this.started(method, this.#episode);
  }
}
