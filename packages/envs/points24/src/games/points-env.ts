/**
 * The environment of EZPoints and Points24: a hand of cards, a formula written entry by entry, a reward for the target.
 *
 * The differences are data: how a hand is dealt, the available signs, and the rules (`points-rules.ts`).
 */
import {
  BaseEnv,
  type Dialogue,
  drawInSplit,
  type EnvSnapshot,
  InvalidActionError,
  PythonRandom,
  type PythonRandomState,
  parseReset,
  parseSnapshot,
  pythonRandomState,
  type RenderFrame,
  ResetNeededError,
  type ResetOptions,
  type ResetResult,
  type RgbImage,
  type Split,
  type StepResult,
  savedCount,
  spaces,
} from '@vlgym/core';
import { z } from 'zod';
import { pointsDialogue } from '../dialogue/points-dialogue.js';
import type { FormulaEntry } from '../formula/values.js';
import type { DrawIntoOptions } from '../pictures/canvas.js';
import { PointsPicture } from '../pictures/points-picture.js';
import { completeFormula } from '../solver/complete.js';
import { CARD, cardBoxes, checkedCards } from './cards.js';
import type { PointsInfo } from './info.js';
import { type CardGameOptions, commonOptions, RENDERING } from './options.js';
import type { Hand, PointsGame } from './points-game.js';
import { BLANK, remainingNumbers, type Table } from './points-rules.js';
import { handKey } from './task-keys.js';

export type { PointsInfo } from './info.js';

/** The options of `reset`; `checkedCards` checks the hand. */
const EPISODE = z.strictObject({ cards: z.unknown().optional() });

/** Maximum length of a formula, because `maxSteps` is at most 1000. */
const MAX_FORMULA = 1000;

/**
 * `reset` takes `options: { cards: ['H3', 'S3', 'D8', 'C8'] }` to play a chosen hand. Then nothing is drawn, and the
 * hand may belong to the other split.
 *
 * Seeds work as in the published code after `random.seed(seed)`. That code also deals a hand in its constructor, from a
 * generator shared by the whole process. Here each environment has its own generator, so the constructor does not deal.
 */
export class PointsEnv extends BaseEnv<RgbImage, number, PointsInfo> {
  override readonly metadata = RENDERING;
  readonly observationSpace: ReturnType<typeof spaces.image<3>>;
  readonly actionSpace: ReturnType<typeof spaces.discrete>;
  readonly dialogue: Dialogue<RgbImage, number, PointsInfo>;

  readonly #game: PointsGame;
  /** The entry that each action appends. */
  readonly #entries: readonly FormulaEntry[];
  readonly #picture: PointsPicture;
  readonly #split: Split | undefined;
  #random: PythonRandom | undefined;
  #table: Table | undefined;

  /** @param options  Options that are already checked. */
  constructor(game: PointsGame, options: CardGameOptions) {
    super({ renderMode: options.renderMode });
    const { size, dialogue, split } = commonOptions(options);
    this.#game = game;
    this.#split = split;
    this.#entries = [...Array.from({ length: game.highest }, (_, index) => index + 1), ...game.signs];
    this.observationSpace = spaces.image(size);
    this.actionSpace = spaces.discrete(this.#entries.length, { labels: this.#entries.map(String) });
    this.#picture = new PointsPicture(game.name, size);
    this.dialogue = pointsDialogue(game, this.#entries, dialogue);
  }

  get stepLimit(): number {
    return this.#game.rules.stepLimit;
  }

  reset(given?: ResetOptions): ResetResult<RgbImage, PointsInfo> {
    this.ensureOpen('reset');
    const { seed, options } = parseReset(given, EPISODE);
    if (seed !== undefined) this.#random = new PythonRandom(seed);
    this.#random ??= new PythonRandom();
    const hand = options.cards === undefined ? this.#dealInSplit(this.#random) : this.#chosenHand(options.cards);
    this.#table = { ...hand, target: this.#game.target, formula: [], steps: 0 };
    this.#picture.deal(hand.cards);
    return { observation: this.#picture.observe(false), info: { ...infoOf(this.#table), taskKey: this.#keyOf(hand) } };
  }

  step(action: number): StepResult<RgbImage, PointsInfo> {
    this.ensureOpen('step');
    const table = this.#dealt('step');
    const entry = this.#entryOf(action);
    table.steps += 1;
    const { reward, terminated, truncated, illegality } = this.#game.rules.play(table, entry);
    this.#picture.write(table.formula);
    return {
      observation: this.#picture.observe(terminated || truncated),
      reward,
      terminated,
      truncated,
      info: illegality ? { ...infoOf(table), Illegal: illegality } : infoOf(table),
    };
  }

  /**
   * Draws all further pictures into this buffer: every observation is a view of it that the next step changes, and that
   * only this environment may write to. With `undefined` observations have their own buffers again, as by default.
   *
   * @throws {InvalidOptionError}  The length is not `3 * height * width` bytes.
   */
  drawInto(frame: Uint8Array | undefined, options?: DrawIntoOptions): void {
    this.#picture.drawInto(frame, options);
  }

  override render(): RenderFrame {
    const { cards, formula, target } = this.#dealt('render');
    if (this.renderMode === 'rgb_array') return this.#picture.copy();
    if (this.renderMode === 'ansi') return `${cardBoxes(cards)}\nTarget ${target}   Formula: ${formula.join(' ')}\n`;
    return this.renderNothing();
  }

  /**
   * The next entry of the shortest formula that reaches the target, or `=` if it is complete; otherwise `undefined`.
   */
  oracle(): number | undefined {
    const table = this.#dealt('oracle');
    const { numbers, formula, target } = table;
    const rest = completeFormula({
      formula,
      remaining: remainingNumbers(numbers, formula),
      target,
      signs: this.#game.signs.join(''),
      room: this.#game.rules.room(table),
    });
    return rest && this.#entries.indexOf(rest[0] ?? '=');
  }

  /** Like `oracle`, but gives up with `=` if the target is unreachable: an expert for every hand. */
  expertAction(): number {
    return this.oracle() ?? this.#entries.indexOf('=');
  }

  /** 1 for actions without a penalty. Under the published rules only numbers can be illegal. */
  actionMask(): Uint8Array {
    const { numbers, formula } = this.#dealt('actionMask');
    const { rules } = this.#game;
    return Uint8Array.from(this.#entries, (entry) => (rules.illegality(numbers, formula, entry) ? 0 : 1));
  }

  /** The action in words, for people: `append 7`, `end with =`. */
  describeAction(action: number): string {
    const entry = this.#entryOf(action);
    return entry === '=' ? 'end with =' : `append ${entry}`;
  }

  /** Keyboard key → action; `0` means 10. */
  get keys(): Readonly<Record<string, number>> {
    const pairs = this.#entries.map((entry, action) => [KEYS[entry] ?? String(entry), action] as const);
    return Object.fromEntries(pairs);
  }

  snapshot(): EnvSnapshot {
    const state = { table: this.#table ?? null, random: this.#random?.getState() ?? null };
    return { kind: this.#snapshotKind, state: structuredClone(state) };
  }

  restore(snapshot: EnvSnapshot): void {
    const { table, random } = parseSnapshot(snapshot, this.#snapshotKind, this.#savedState());
    this.#random = random ? restoredRandom(random) : undefined;
    this.#table = table ?? undefined;
    if (!table) return;
    this.#picture.deal(table.cards);
    this.#picture.write(table.formula);
  }

  /** The schema of a snapshot: a hand of this game, the values of its cards, and entries of this game. */
  #savedState() {
    const { handSize, target, numberOf } = this.#game;
    const entries: readonly unknown[] = [...this.#entries, BLANK];
    const hand = `${handSize} cards and their values in this game`;
    const table = z
      .strictObject({
        cards: z.array(z.string().regex(CARD)).length(handSize),
        numbers: z.array(z.int()).length(handSize),
        target: z.literal(target),
        formula: z
          .array(z.custom<FormulaEntry>((entry) => entries.includes(entry), { error: 'an entry of this game' }))
          .max(MAX_FORMULA),
        steps: savedCount,
      })
      .refine(({ cards, numbers }) => cards.every((card, index) => numberOf(card) === numbers[index]), { error: hand })
      .refine(({ formula, steps }) => formula.length <= steps, { error: 'as many steps as entries, or more' });
    return z.strictObject({ table: table.nullable(), random: pythonRandomState.nullable() });
  }

  get #snapshotKind(): string {
    return `${this.#game.name}/1`;
  }

  #dealInSplit(random: PythonRandom): Hand {
    return drawInSplit(
      this.#split,
      () => this.#game.deal(random),
      (hand) => this.#keyOf(hand),
    );
  }

  #keyOf({ numbers }: Hand): string {
    return handKey(this.#game.name, numbers, this.#game.target);
  }

  #chosenHand(cards: unknown): Hand {
    const names = checkedCards(cards, this.#game.handSize);
    return { cards: names, numbers: names.map((card) => this.#game.numberOf(card)) };
  }

  #dealt(method: string): Table {
    if (!this.#table) throw new ResetNeededError(method);
    return this.#table;
  }

  #entryOf(action: number): FormulaEntry {
    const entry = typeof action === 'number' ? this.#entries[action] : undefined; // '0' would also find an entry
    if (entry === undefined) throw new InvalidActionError(action, this.actionSpace.describe());
    return entry;
  }
}

const KEYS: Readonly<Record<string, string>> = { 10: '0', 11: 'j', 12: 'q', 13: 'k' };

function restoredRandom(state: PythonRandomState): PythonRandom {
  const random = new PythonRandom(0);
  random.setState(state);
  return random;
}

/** Returns copies. The published code returns its own lists, so an old `info` shows later entries. */
function infoOf({ cards, numbers, formula }: Table): PointsInfo {
  return { Cards: [...cards], Numbers: [...numbers], Formula: [...formula] };
}
