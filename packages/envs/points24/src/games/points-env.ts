/**
 * The environment of EZPoints and Points24: a hand of cards, a formula written entry by entry, a reward for the target.
 *
 * The differences are data: how a hand is dealt, the available signs, and the rules (`points-rules.ts`).
 */
import { type Dialogue, InvalidActionError, type Space, type StepResult, savedCount, spaces } from '@vlgym/core';
import { z } from 'zod';
import { pointsDialogue } from '../dialogue/points-dialogue.js';
import type { FormulaEntry } from '../formula/values.js';
import { endWords, refusalWords, tableWords } from '../people/points-words.js';
import { PointsPicture } from '../pictures/points-picture.js';
import { completeFormula } from '../solver/complete.js';
import { describeTable } from '../text/describe.js';
import { CardGameEnv, type Played, type SavedAs } from './card-game-env.js';
import { CARD, cardBoxes, checkedCards } from './cards.js';
import type { PointsInfo } from './info.js';
import { type ObservationKind, type ObservationOfKind, spaceOf } from './observations.js';
import { type CardGameOptions, commonOptions } from './options.js';
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
export class PointsEnv<Kind extends ObservationKind = 'image'> extends CardGameEnv<
  Table,
  ObservationOfKind<Kind>,
  PointsInfo
> {
  readonly observationSpace: Space<ObservationOfKind<Kind>>;
  readonly actionSpace: ReturnType<typeof spaces.discrete>;
  readonly dialogue: Dialogue<ObservationOfKind<Kind>, number, PointsInfo>;

  protected readonly picture: PointsPicture;
  protected override readonly episodeOptions = EPISODE;
  readonly #game: PointsGame;
  /** The entry that each action appends. */
  readonly #entries: readonly FormulaEntry[];

  /** @param options  Options that are already checked. */
  constructor(game: PointsGame, options: CardGameOptions) {
    super(options);
    const { size, dialogue, observation } = commonOptions(options);
    this.#game = game;
    this.#entries = [...Array.from({ length: game.highest }, (_, index) => index + 1), ...game.signs];
    this.observationSpace = spaceOf<Kind>(observation, size);
    this.actionSpace = spaces.discrete(this.#entries.length, { labels: this.#entries.map(String) });
    this.picture = new PointsPicture(game.name, size);
    this.dialogue = pointsDialogue(game, this.#entries, dialogue);
  }

  get stepLimit(): number {
    return this.#game.rules.stepLimit;
  }

  protected override begin({ cards }: { readonly cards?: unknown }): Table {
    return cards === undefined ? super.begin({}) : this.#table(this.#chosenHand(cards));
  }

  protected deal(): Table {
    return this.#table(this.#game.deal(this.random));
  }

  protected play(table: Table, action: number): Played<Table> {
    table.steps += 1;
    const { illegality, ...result } = this.#game.rules.play(table, this.#entryOf(action));
    this.picture.write(table.formula);
    return { state: table, ...result, ...(illegality && { info: { Illegal: illegality } }) };
  }

  /**
   * The next entry of the shortest formula that reaches the target, or `=` if it is complete; otherwise `undefined`.
   */
  oracle(): number | undefined {
    const table = this.dealt('oracle');
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
  expert(): number {
    return this.oracle() ?? this.#entries.indexOf('=');
  }

  /** 1 for actions without a penalty. Under the published rules only numbers can be illegal. */
  actionMask(): Uint8Array {
    const { numbers, formula } = this.dealt('actionMask');
    const { rules } = this.#game;
    return Uint8Array.from(this.#entries, (entry) => (rules.illegality(numbers, formula, entry) ? 0 : 1));
  }

  /** The action in words, for people: `append 7`, `end with =`. */
  describeAction(action: number): string {
    const entry = this.#entryOf(action);
    return entry === '=' ? 'end with =' : `append ${entry}`;
  }

  describeTask(): string {
    const { target, handSize } = this.#game;
    return `Make ${target} from the ${handSize === 2 ? 'two' : 'four'} cards.`;
  }

  /** The reason why an entry would be illegal now, for people. */
  describeRefusal(action: number): string | undefined {
    const table = this.dealt('describeRefusal');
    const entry = this.#entryOf(action);
    const reason = this.#game.rules.illegality(table.numbers, table.formula, entry);
    return reason && refusalWords(reason, table, entry);
  }

  /** The value of the formula, and what is wrong with it, for people. */
  describeEnd({ terminated }: StepResult<ObservationOfKind<Kind>, PointsInfo>): string {
    const table = this.dealt('describeEnd');
    return terminated ? endWords(table) : 'The hand is over, because the last step is used and the formula has no =.';
  }

  /** Keyboard key → action; `0` means 10. */
  get keys(): Readonly<Record<string, number>> {
    const pairs = this.#entries.map((entry, action) => [KEYS[entry] ?? String(entry), action] as const);
    return Object.fromEntries(pairs);
  }

  /** The schema of a snapshot: a hand of this game, the values of its cards, and entries of this game. */
  protected get saved(): SavedAs<Table> {
    const { handSize, target, numberOf } = this.#game;
    const entries: readonly unknown[] = [...this.#entries, BLANK];
    const hand = `${handSize} cards and their values in this game`;
    const schema = z
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
    return { kind: `${this.#game.name}/1`, name: 'table', schema };
  }

  protected show({ cards, formula }: Table): void {
    this.picture.deal(cards);
    if (formula.length > 0) this.picture.write(formula);
  }

  protected describe({ cards, formula }: Table): string {
    return describeTable(cards, formula);
  }

  /** Returns copies. The published code returns its own lists, so an old `info` shows later entries. */
  protected infoOf({ cards, numbers, formula }: Table): PointsInfo {
    return { Cards: [...cards], Numbers: [...numbers], Formula: [...formula] };
  }

  protected keyOf({ numbers }: Hand): string {
    return handKey(this.#game.name, numbers, this.#game.target);
  }

  protected text({ cards, formula, target }: Table): string {
    return `${cardBoxes(cards)}\nTarget ${target}   Formula: ${formula.join(' ')}\n`;
  }

  protected words(table: Table): string {
    return tableWords(table);
  }

  #table(hand: Hand): Table {
    return { ...hand, target: this.#game.target, formula: [], steps: 0 };
  }

  #chosenHand(cards: unknown): Hand {
    const names = checkedCards(cards, this.#game.handSize);
    return { cards: names, numbers: names.map((card) => this.#game.numberOf(card)) };
  }

  #entryOf(action: number): FormulaEntry {
    const entry = typeof action === 'number' ? this.#entries[action] : undefined; // '0' would also find an entry
    if (entry === undefined) throw new InvalidActionError(action, this.actionSpace.describe());
    return entry;
  }
}

const KEYS: Readonly<Record<string, string>> = { 10: '0', 11: 'j', 12: 'q', 13: 'k' };
