/**
 * `balrog/BabaIsAI-v0`: the forty levels of Baba Is AI that BALROG plays, with its texts and pictures.
 *
 * Rules follow nacloos/baba-is-ai (MIT) at ad466e02 under BALROG af7d1f17; `test/golden/balrog-baba.json.gz` pins levels, steps,
 * texts and pictures.
 */
import {
  BaseEnv,
  type Dialogue,
  drawInSplit,
  type EnvSnapshot,
  freshSeed,
  numpyRandomState,
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
  type Space,
  type Split,
  type SplitOption,
  type StepResult,
  spaces,
  taskKey,
} from '@vlgym/core';
import { RandomState } from '@vlgym/core/random';
import { z } from 'zod';
import { describe, describeRules, resetText } from './describe.js';
import { BABA_STYLES, type BabaStyle, babaDialogue } from './dialogue.js';
import { BABA_ACTIONS, BabaGame, LEVEL_STEPS } from './game.js';
import type { BabaInfo, BabaObservation } from './info.js';
import { BABA_LEVELS, type BabaLevel, drawLevel, sizeOf } from './levels.js';
import { loadBaba, saveBaba, savedBaba } from './saved.js';
import { solveBaba } from './solve.js';
import { BABA_TILE, BabaPainter } from './tiles.js';

const OBSERVATIONS = ['both', 'image', 'text'] as const;
const BROKEN = ['fresh', 'as-published'] as const;

export interface BabaOptions extends SplitOption {
  /** A level of BALROG's list; default `env/goto_win-distr_obj`. */
  readonly level?: BabaLevel | undefined;
  /** BALROG's text and the picture, or one of them; default `both`. */
  readonly observation?: (typeof OBSERVATIONS)[number] | undefined;
  /**
   * The text after a step that leaves nobody "you", where BALROG starts the level again: `fresh` (default) says so and describes the
   * new level, `as-published` shows it as Python prints the whole observation.
   */
  readonly broken?: (typeof BROKEN)[number] | undefined;
  /** Default `balrog-naive-v1`. */
  readonly dialogue?: BabaStyle | undefined;
  readonly renderMode?: RenderMode | undefined;
}

const schema = z.strictObject({
  level: option.oneOf(BABA_LEVELS).optional(),
  observation: option.oneOf(OBSERVATIONS).optional(),
  broken: option.oneOf(BROKEN).optional(),
  dialogue: option.oneOf(BABA_STYLES).optional(),
  renderMode: option.renderMode().optional(),
  split: option.oneOf(SPLITS).optional(),
} satisfies Record<keyof BabaOptions, z.ZodType>);

const KIND = 'baba/1';
/** A text holds a line for every thing; Python's form of an observation is a little longer than two texts. */
const MAX_TEXT = 20_000;

export class BabaEnv extends BaseEnv<BabaObservation, number, BabaInfo> {
  override readonly metadata = { renderModes: ['rgb_array', 'ansi'], renderFps: 10 } as const;
  readonly observationSpace: Space<BabaObservation>;
  readonly actionSpace = spaces.discrete(BABA_ACTIONS.length, { labels: [...BABA_ACTIONS] });
  readonly dialogue: Dialogue<BabaObservation, number, BabaInfo>;
  /** Keyboard key → action. */
  readonly keys = { up: 1, right: 2, down: 3, left: 4, space: 0 } as const;
  readonly stepLimit = LEVEL_STEPS;

  readonly #level: BabaLevel;
  readonly #kind: (typeof OBSERVATIONS)[number];
  readonly #isPublished: boolean;
  readonly #split: Split | undefined;
  readonly #painter: BabaPainter;
  #random: RandomState | undefined;
  #game: BabaGame | undefined;
  /** Steps since `reset`, those before the level was started again included. */
  #turns = 0;
  #won = false;
  /** The text, if the last step started the level again. */
  #notice: string | undefined;
  /** The text of now, once it is known. */
  #words: string | undefined;
  /** The expert's actions from here, as far as they have been followed. */
  #plan: readonly number[] | undefined;
  /** A search was too large, or found nothing: the same episode is not searched again. */
  #gaveUp = false;

  constructor(options: BabaOptions = {}) {
    const checked = parseOptions(options, schema);
    super({ renderMode: checked.renderMode });
    this.#level = checked.level ?? 'env/goto_win-distr_obj';
    this.#kind = checked.observation ?? 'both';
    this.#isPublished = checked.broken === 'as-published';
    this.#split = checked.split;
    this.dialogue = babaDialogue(checked.dialogue ?? 'balrog-naive-v1');
    const [columns, rows] = sizeOf(this.#level);
    this.#painter = new BabaPainter(columns, rows);
    const image = spaces.image({ height: rows * BABA_TILE, width: columns * BABA_TILE });
    const text = spaces.text({ maxLength: MAX_TEXT });
    const space = { image: () => image, text: () => text, both: () => spaces.dict({ text, image }) }[this.#kind]();
    this.observationSpace = space as unknown as Space<BabaObservation>;
  }

  /** A seed begins with its first level; without one, the generator goes on. @throws {EmptySplitError} */
  reset(given?: ResetOptions): ResetResult<BabaObservation, BabaInfo> {
    this.ensureOpen('reset');
    const { seed } = parseReset(given);
    if (seed !== undefined || !this.#random) this.#random = new RandomState((seed ?? freshSeed()) % 2 ** 32);
    const random = this.#random;
    const game = drawInSplit(
      this.#split,
      () => this.#drawn(random),
      (drawn) => this.#keyOf(drawn),
    );
    [this.#game, this.#turns, this.#won, this.#notice, this.#words] = [game, 0, false, undefined, undefined];
    this.#forget();
    return { observation: this.#observe(game), info: { ...this.#info(game), taskKey: this.#keyOf(game) } };
  }

  step(action: number): StepResult<BabaObservation, BabaInfo> {
    this.ensureOpen('step');
    this.checkAction(action);
    const game = this.#started('step');
    this.#plan = this.#plan?.[0] === action ? this.#plan.slice(1) : undefined;
    const { reward, won } = game.advance(action);
    this.#turns += 1;
    this.#won = won;
    this.#notice = undefined;
    this.#words = describe(game);
    if (this.#words === undefined) this.#startAgain(game);
    const [terminated, truncated] = [won, !won && this.#turns >= LEVEL_STEPS];
    const now = this.#game!;
    return {
      observation: this.#observe(now),
      reward,
      terminated,
      truncated,
      info: { ...this.#info(now), ...((terminated || truncated) && { success: won }) },
    };
  }

  override render(): RenderFrame {
    const game = this.#started('render');
    if (this.renderMode === 'rgb_array') return this.#painter.draw(game);
    return this.renderMode === 'ansi' ? `${this.#text(game)}\n` : this.renderNothing();
  }

  /** The first action of a shortest way to win; `undefined` if there is none, or the search is too large. */
  oracle(): number | undefined {
    const game = this.#started('oracle');
    if (this.#gaveUp) return undefined;
    this.#plan ??= solveBaba(game);
    this.#gaveUp = this.#plan === undefined;
    return this.#plan?.[0];
  }

  /** The action in words, for people. */
  describeAction(action: number): string {
    return BABA_ACTIONS[action] ?? String(action);
  }

  /** The task in words, for people. */
  describeTask(): string {
    return 'Reach what wins, or write the rule that makes something win.';
  }

  /** The level in BALROG's words, for people who do not see the picture. */
  describeState(): string {
    return this.#text(this.#started('describeState'));
  }

  snapshot(): EnvSnapshot {
    const [random, game] = [this.#random?.getState() ?? null, this.#game ? saveBaba(this.#game) : null];
    const [turns, won, notice] = [this.#turns, this.#won, this.#notice ?? null];
    return { kind: KIND, state: { level: this.#level, random, game, turns, won, notice } };
  }

  /**
   * Continues a saved episode. A refused snapshot changes nothing.
   *
   * @throws {SnapshotMismatchError}  The snapshot is damaged, or of another level.
   */
  restore(snapshot: EnvSnapshot): void {
    this.ensureOpen('restore');
    const [width, height] = sizeOf(this.#level);
    const saved = parseSnapshot(
      snapshot,
      KIND,
      z.strictObject({
        level: z.literal(this.#level),
        random: numpyRandomState.nullable(),
        game: savedBaba(width, height).nullable(),
        turns: option.integer(0, LEVEL_STEPS),
        won: option.boolean(),
        notice: z.string().max(MAX_TEXT).nullable(),
      }),
    );
    const game = saved.game === null ? undefined : loadBaba(saved.game, width, height);
    this.#random = saved.random === null ? undefined : new RandomState(0);
    if (saved.random !== null) this.#random!.setState(saved.random);
    [this.#game, this.#turns, this.#won] = [game, saved.turns, saved.won];
    [this.#notice, this.#words] = [saved.notice ?? undefined, undefined];
    this.#forget();
  }

  #drawn(random: RandomState): BabaGame {
    return new BabaGame(drawLevel(this.#level, random), random);
  }

  /** As BALROG does when nothing can move any more. */
  #startAgain(broken: BabaGame): void {
    // a level as it is drawn has somebody who is "you"
    const game = this.#drawn(this.#random!);
    this.#notice = resetText(broken, game, this.#isPublished);
    this.#game = game;
    this.#forget();
  }

  #forget(): void {
    this.#plan = undefined;
    this.#gaveUp = false;
  }

  #keyOf({ grid }: BabaGame): string {
    const things = grid.stacks.map((stack) =>
      stack.map((thing) => ('word' in thing ? thing.word : nameOf(thing))).join('+'),
    );
    return taskKey('baba', `${this.#level}:${things.join()}`);
  }

  #text(game: BabaGame): string {
    this.#words ??= this.#notice ?? describe(game)!;
    return this.#words;
  }

  #observe(game: BabaGame): BabaObservation {
    if (this.#kind === 'text') return this.#text(game);
    const image: RgbImage = this.#painter.draw(game);
    return this.#kind === 'image' ? image : { text: this.#text(game), image };
  }

  #info(game: BabaGame): BabaInfo {
    return { level: this.#level, rules: describeRules(game.rules.all), progression: Number(this.#won) };
  }

  #started(method: string): BabaGame {
    return this.started(method, this.#game);
  }
}

const nameOf = (thing: { readonly kind: string; readonly name?: string; readonly color?: string }) =>
  thing.kind === 'border' ? '#' : `${thing.color} ${thing.name}`;
