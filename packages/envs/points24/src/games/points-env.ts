/**
 * What EZPoints and Points24 share: a hand of cards, a formula written entry by entry, a reward for the target.
 *
 * The differences are data: how a hand is dealt, which signs there are, and a rule book (`points-rules.ts`).
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
import { PointsPicture } from '../pictures/points-picture.js';
import { completeFormula } from '../solver/complete.js';
import { CARD, cardBoxes, checkedCards } from './cards.js';
import { type CardGameOptions, commonOptions, RENDERING } from './options.js';
import { BLANK, type Illegality, type PointsRules, remainingNumbers, type Table } from './points-rules.js';
import { handKey } from './task-keys.js';

/** Keys as in the published code. */
export type PointsInfo = {
  /** Names: suit letter, rank letter. */
  Cards: string[];
  /** What the cards count for. */
  Numbers: number[];
  /** Numbers and signs appended so far; a blank where the published rules punished an illegal number. */
  Formula: FormulaEntry[];
  /** Why the last action was illegal; never there under the published rules. */
  Illegal?: Illegality;
  /** At reset: the hand as numbers in ascending order, and the target. */
  taskKey?: string;
};

export interface Hand {
  readonly cards: readonly string[];
  readonly numbers: readonly number[];
}

/** A game as data. */
export interface PointsGame {
  readonly name: 'ezpoints' | 'points24';
  readonly target: number;
  readonly handSize: number;
  /** Actions 0 to `highest - 1` are the numbers 1 to `highest`. */
  readonly highest: number;
  /** The actions after them, in index order; `=` is the last. */
  readonly signs: readonly string[];
  readonly rules: PointsRules;
  deal(random: PythonRandom): Hand;
  /** What a card counts for. */
  numberOf(card: string): number;
}

/** What `reset` takes under `options`; `checkedCards` says what a hand is. */
const EPISODE = z.strictObject({ cards: z.unknown().optional() });

/** Longest formula of any game and option: `maxSteps` is at most 1000. */
const MAX_FORMULA = 1000;

/**
 * `reset` takes `options: { cards: ['H3', 'S3', 'D8', 'C8'] }` to play a chosen hand; no number is drawn then, and the
 * hand may be of the other split.
 *
 * Seeds act as in the published code after `random.seed(seed)`. That code also deals a hand in its constructor, from a
 * generator shared by the whole process; here each environment has its own generator, so that is not done.
 */
export class PointsEnv extends BaseEnv<RgbImage, number, PointsInfo> {
  override readonly metadata = RENDERING;
  readonly observationSpace: ReturnType<typeof spaces.image<3>>;
  readonly actionSpace: ReturnType<typeof spaces.discrete>;
  readonly dialogue: Dialogue<RgbImage, number, PointsInfo>;

  readonly #game: PointsGame;
  /** What each action appends. */
  readonly #entries: readonly FormulaEntry[];
  readonly #picture: PointsPicture;
  readonly #split: Split | undefined;
  #random: PythonRandom | undefined;
  #table: Table | undefined;

  /** @param options  Checked. */
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

  reset(given?: ResetOptions): ResetResult<RgbImage, PointsInfo> {
    this.ensureOpen('reset');
    const { seed, options } = parseReset(given, EPISODE);
    if (seed !== undefined) this.#random = new PythonRandom(seed);
    this.#random ??= new PythonRandom();
    const hand = options.cards === undefined ? this.#dealInSplit(this.#random) : this.#chosenHand(options.cards);
    this.#table = { ...hand, target: this.#game.target, formula: [], steps: 0 };
    this.#picture.deal(hand.cards);
    return { observation: this.#picture.copy(), info: { ...infoOf(this.#table), taskKey: this.#keyOf(hand) } };
  }

  step(action: number): StepResult<RgbImage, PointsInfo> {
    this.ensureOpen('step');
    const table = this.#dealt('step');
    const entry = this.#entryOf(action);
    table.steps += 1;
    const { reward, terminated, truncated, illegality } = this.#game.rules.play(table, entry);
    this.#picture.write(table.formula);
    return {
      observation: this.#picture.copy(),
      reward,
      terminated,
      truncated,
      info: illegality ? { ...infoOf(table), Illegal: illegality } : infoOf(table),
    };
  }

  override render(): RenderFrame {
    const { cards, formula, target } = this.#dealt('render');
    if (this.renderMode === 'rgb_array') return this.#picture.copy();
    if (this.renderMode === 'ansi') return `${cardBoxes(cards)}\nTarget ${target}   Formula: ${formula.join(' ')}\n`;
    return this.renderNothing();
  }

  /** The next entry of the shortest formula that still reaches the target, `=` once it stands; else `undefined`. */
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

  /** As `oracle`, but gives up with `=` where nothing leads to the target: an expert for every hand. */
  expertAction(): number {
    return this.oracle() ?? this.#entries.indexOf('=');
  }

  /** 1 for actions without a penalty: under the published rules only numbers can be illegal. */
  actionMask(): Uint8Array {
    const { numbers, formula } = this.#dealt('actionMask');
    const { rules } = this.#game;
    return Uint8Array.from(this.#entries, (entry) => (rules.illegality(numbers, formula, entry) ? 0 : 1));
  }

  /** For people: `append 7`, `end with =`. */
  describeAction(action: number): string {
    const entry = this.#entryOf(action);
    return entry === '=' ? 'end with =' : `append ${entry}`;
  }

  /** Key on a keyboard → action; `0` stands for 10. */
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

  /** What a snapshot may hold: a hand of this game, with the numbers its cards count for, and this game's entries. */
  #savedState() {
    const { handSize, target, numberOf } = this.#game;
    const entries: readonly unknown[] = [...this.#entries, BLANK];
    const hand = `${handSize} cards, and the numbers they count for here`;
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
    const entry = typeof action === 'number' ? this.#entries[action] : undefined; // '0' would find an entry, too
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

/** Copies: the published code hands out its own lists, so that an old `info` shows later entries. */
function infoOf({ cards, numbers, formula }: Table): PointsInfo {
  return { Cards: [...cards], Numbers: [...numbers], Formula: [...formula] };
}
