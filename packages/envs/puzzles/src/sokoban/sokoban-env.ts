/**
 * `Sokoban-v0` and its family: one push or move a step. Rules follow mpSchrader/gym-sokoban 0.0.6 (MIT).
 */
import {
  BaseEnv,
  type Dialogue,
  drawInSplit,
  type EnvSnapshot,
  numpyRandomState,
  option,
  parseOptions,
  parseReset,
  parseSnapshot,
  pythonRandomState,
  type RenderFrame,
  type RenderMode,
  type ResetOptions,
  type ResetResult,
  type RgbImage,
  SPLITS,
  type Space,
  type Split,
  type SplitOption,
  type StepResult,
  spaces,
  taskKey,
} from '@vlgym/core';
import { freshSeed } from '@vlgym/core/random';
import { z } from 'zod';
import { PLAIN_STYLES, type PlainStyle, plainDialogue } from '../dialogue/plain.js';
import { roomWords, sokobanEnd, sokobanRefusal } from '../people/board-words.js';
import { ORIGINAL_TILE, originalTiles, sokobanTiles, tinyTiles } from '../pictures/tile-sets.js';
import { TilePainter } from '../pictures/tiles.js';
import { boardOf, cellsShown } from './board.js';
import { SOKOBAN_ACTIONS, SokobanGame } from './game.js';
import { type Generators, generateRoom, type RoomSize } from './generate.js';
import { generatorsOf, SOKOBAN_LEVELS } from './levels.js';
import { digits, type Room } from './room.js';
import { loadGame, savedGame, saveGame } from './saved.js';
import { type Outcome, search } from './solve.js';

export type SokobanObservation = RgbImage | string;

export interface SokobanOptions extends SplitOption {
  /** A picture (default), or the board in letters. */
  readonly observation?: 'image' | 'text' | undefined;
  /** Pixels of a cell, 1 to 64; default 16, as published. */
  readonly tileSize?: number | undefined;
  /** `crates` (default): our own tiles. `tiny`: plain colors, as the original's `tiny_rgb_array`. */
  readonly look?: 'crates' | 'tiny' | undefined;
  /** Folder with the original's seven tiles of 16 x 16 pixels (`gym_sokoban/envs/surface`). */
  readonly assets?: string | undefined;
  /** Rows and columns, 5 to 13. */
  readonly rows?: number | undefined;
  readonly columns?: number | undefined;
  /** 1 to 6. */
  readonly boxes?: number | undefined;
  /** Steps until an episode ends. */
  readonly maxSteps?: number | undefined;
  /** Default `plain-v1`. */
  readonly dialogue?: PlainStyle | undefined;
  readonly renderMode?: RenderMode | undefined;
}

export interface SokobanInfo extends Record<string, unknown> {
  readonly player: readonly [row: number, column: number];
  readonly boxesOnTarget: number;
  readonly taskKey?: string;
}

const side = option.integer(5, 13).optional();
const schema = z.strictObject({
  observation: option.oneOf(['image', 'text']).optional(),
  tileSize: option.integer(1, 64).optional(),
  look: option.oneOf(['crates', 'tiny']).optional(),
  assets: option.path('a folder').optional(),
  rows: side,
  columns: side,
  boxes: option.integer(1, 6).optional(),
  maxSteps: option.integer(1, 100_000).optional(),
  dialogue: option.oneOf(PLAIN_STYLES).optional(),
  renderMode: option.renderMode().optional(),
  split: option.oneOf(SPLITS).optional(),
} satisfies Record<keyof SokobanOptions, z.ZodType>);

const KIND = 'sokoban/1';
const MAX_TEXT = 1000;

/** The key of a room: `sokoban:` and a digest of walls, targets, boxes and player. */
export const roomKey = ({ rows, columns, fixed, state }: Room): string =>
  taskKey('sokoban', `${rows}x${columns}:${digits(fixed)}:${digits(state)}`);

export class SokobanEnv extends BaseEnv<SokobanObservation, number, SokobanInfo> {
  override readonly metadata = { renderModes: ['rgb_array', 'ansi'], renderFps: 4 } as const;
  readonly observationSpace: Space<SokobanObservation>;
  readonly actionSpace = spaces.discrete(SOKOBAN_ACTIONS.length, { labels: [...SOKOBAN_ACTIONS] });
  readonly dialogue: Dialogue<SokobanObservation, number, SokobanInfo>;
  /** Keyboard key → action. */
  readonly keys = { up: 1, down: 2, left: 3, right: 4, space: 0 } as const;

  readonly #size: RoomSize;
  readonly #maxSteps: number;
  readonly #split: Split | undefined;
  readonly #painter: TilePainter;
  readonly #isText: boolean;
  #generators: Generators | undefined;
  #game: SokobanGame | undefined;
  /** The expert's actions from here, as far as they have been followed. */
  #plan: number[] = [];
  /** The result of the latest search, while it holds here; also if nothing was found. */
  #found: Outcome | undefined;

  constructor(
    options: SokobanOptions = {},
    defaults: RoomSize & { readonly maxSteps: number } = SOKOBAN_LEVELS['Sokoban-v0'],
  ) {
    const checked = parseOptions(options, schema);
    super({ renderMode: checked.renderMode });
    const { rows = defaults.rows, columns = defaults.columns, boxes = defaults.boxes } = checked;
    const isResized = rows !== defaults.rows || columns !== defaults.columns;
    this.#size = { rows, columns, boxes, walk: isResized ? undefined : defaults.walk };
    this.#maxSteps = checked.maxSteps ?? defaults.maxSteps;
    this.#split = checked.split;
    this.#isText = checked.observation === 'text';
    const tileSize = checked.assets === undefined ? (checked.tileSize ?? ORIGINAL_TILE) : ORIGINAL_TILE;
    const tiles =
      checked.assets === undefined
        ? (checked.look === 'tiny' ? tinyTiles : sokobanTiles)(tileSize)
        : originalTiles(checked.assets);
    this.#painter = new TilePainter(tiles, tileSize);
    const image = spaces.image({ height: rows * tileSize, width: columns * tileSize });
    this.observationSpace = (this.#isText
      ? spaces.text({ maxLength: MAX_TEXT })
      : image) as unknown as Space<SokobanObservation>;
    this.dialogue = plainDialogue(
      { ...SOKOBAN_WORDS, actions: SOKOBAN_ACTIONS, board: String },
      checked.dialogue ?? 'plain-v1',
    );
  }

  get stepLimit(): number {
    return this.#maxSteps;
  }

  /** A room that fails is drawn again with the same generators, as published. @throws {EmptySplitError} */
  reset(given?: ResetOptions): ResetResult<SokobanObservation, SokobanInfo> {
    this.ensureOpen('reset');
    const { seed } = parseReset(given);
    if (seed !== undefined || !this.#generators) this.#generators = generatorsOf(seed ?? freshSeed());
    const generators = this.#generators;
    const draw = () => {
      for (;;) {
        const generated = generateRoom(this.#size, generators);
        if ('room' in generated) return generated.room;
      }
    };
    const room = drawInSplit(this.#split, draw, roomKey);
    this.#game = new SokobanGame(room, this.#size.boxes);
    this.#forget();
    return { observation: this.#observe(), info: { ...this.#info(), taskKey: roomKey(room) } };
  }

  step(action: number): StepResult<SokobanObservation, SokobanInfo> {
    this.ensureOpen('step');
    this.checkAction(action);
    const game = this.#started('step');
    const follows = this.#plan[0] === action;
    const { reward, movedPlayer, movedBox } = game.play(action);
    this.#plan = follows ? this.#plan.slice(1) : [];
    // steps without a push can be undone, and a room that is lost stays lost
    if (this.#found?.actions || (movedBox && !this.#found?.isWhole)) this.#found = undefined;
    const isOver = game.steps >= this.#maxSteps;
    return {
      observation: this.#observe(),
      reward,
      terminated: game.isSolved,
      truncated: isOver && !game.isSolved,
      info: { ...this.#info(), 'action.moved_player': movedPlayer, 'action.moved_box': movedBox },
    };
  }

  override render(): RenderFrame {
    const game = this.#started('render');
    if (this.renderMode === 'rgb_array') return this.#draw(game);
    return this.renderMode === 'ansi' ? `${boardOf(game)}\n` : this.renderNothing();
  }

  /** The next action of a shortest solution; `undefined` if there is none, or the search for it is too large. */
  oracle(): number | undefined {
    const game = this.#started('oracle');
    if (this.#plan.length > 0) return this.#plan[0];
    this.#found ??= search(game, game.player);
    this.#plan = [...(this.#found.actions ?? [])];
    return this.#plan[0];
  }

  oracleReason(): string | undefined {
    if (this.oracle() !== undefined) return undefined;
    const game = this.#started('oracleReason');
    if (game.isSolved) return 'every box is on a target';
    return this.#found?.isWhole
      ? 'a box stands where it can no longer be pushed to a target'
      : 'the room is too large for it to search';
  }

  /** The action in words, for people. */
  describeAction(action: number): string {
    return SOKOBAN_ACTIONS[action] ?? String(action);
  }

  /** The task in words, for people. */
  describeTask(): string {
    return SOKOBAN_WORDS.task;
  }

  /** The room in words, for people who do not see it. */
  describeState(): string {
    const game = this.#started('describeState');
    return roomWords(game, game.player);
  }

  /** The reason why an action would change nothing, for people. */
  describeRefusal(action: number): string | undefined {
    const game = this.#started('describeRefusal');
    return action === 0 ? undefined : sokobanRefusal(game, game.player, game.shiftOf(action), action < 5);
  }

  /** The reason for the end, for people. */
  describeEnd(): string | undefined {
    return sokobanEnd(this.#started('describeEnd').isSolved);
  }

  snapshot(): EnvSnapshot {
    const { python, numpy } = this.#generators ?? {};
    const state = {
      python: python?.getState() ?? null,
      numpy: numpy?.getState() ?? null,
      game: this.#game ? saveGame(this.#game) : null,
    };
    return { kind: KIND, state };
  }

  /** @throws {SnapshotMismatchError} The snapshot is damaged, or the room has other sides. */
  restore(snapshot: EnvSnapshot): void {
    this.ensureOpen('restore');
    const saved = parseSnapshot(
      snapshot,
      KIND,
      z.strictObject({
        python: pythonRandomState.nullable(),
        numpy: numpyRandomState.nullable(),
        game: savedGame(this.#size).nullable(),
      }),
    );
    this.#generators = saved.python && saved.numpy ? generatorsOf(0) : undefined;
    if (saved.python) this.#generators?.python.setState(saved.python);
    if (saved.numpy) this.#generators?.numpy.setState(saved.numpy);
    this.#game = saved.game ? loadGame(saved.game, this.#size) : undefined;
    this.#forget();
  }

  #forget(): void {
    this.#plan = [];
    this.#found = undefined;
  }

  #observe(): SokobanObservation {
    const game = this.#started('reset');
    return this.#isText ? boardOf(game) : this.#draw(game);
  }

  #draw(game: SokobanGame): RgbImage {
    return this.#painter.draw(cellsShown(game), game.columns);
  }

  #info(): SokobanInfo {
    const game = this.#started('reset');
    const player = [Math.floor(game.player / game.columns) + 1, (game.player % game.columns) + 1] as const;
    return { player, boxesOnTarget: game.boxesOnTarget };
  }

  #started(method: string): SokobanGame {
    return this.started(method, this.#game);
  }
}

const SOKOBAN_WORDS = {
  name: 'sokoban',
  rules:
    'This is Sokoban. You push boxes; you cannot pull them, and you push only one at a time. On the board # is a wall, _ floor, O a target, X a box, √ a box on a target, P you, S you on a target.',
  task: 'Push every box onto a target.',
} as const;
