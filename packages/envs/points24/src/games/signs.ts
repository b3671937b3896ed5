/**
 * Signs: place a sign between each pair of adjacent cards in a row, so that the row equals the target.
 *
 * A game of this package, after Points24 of RL4VLM/RL4VLM (MIT): the same cards and values, and the rewards of its
 * paper rules. The target changes with the hand, and there are many hands, so a policy must solve hands that it has
 * never seen. A formula is always well formed, so only the choice of signs is learned from play.
 */
import { type Dialogue, ResetNeededError, type Space, type StepResult, spaces } from '@vlgym/core';
import { z } from 'zod';
import { signsDialogue } from '../dialogue/signs-dialogue.js';
import { formulaEquals } from '../formula/evaluate.js';
import type { FormulaEntry } from '../formula/values.js';
import { listed, spokenCards } from '../people/card-words.js';
import { PointsPicture } from '../pictures/points-picture.js';
import { describeTable } from '../text/describe.js';
import { CardGameEnv, type Played, type SavedAs } from './card-game-env.js';
import { CARD, cardBoxes, face, rankOf, SUITS } from './cards.js';
import { SIGNS, type Sign, type SignsInfo } from './info.js';
import { type ObservationKind, type ObservationOfKind, spaceOf } from './observations.js';
import { checkedOptions, commonOptions, type SignsOptions, type TargetPlace } from './options.js';
import { rowKey } from './task-keys.js';

export type { Sign, SignsInfo } from './info.js';
export type { SignsOptions, TargetPlace } from './options.js';

interface Row {
  readonly cards: readonly string[];
  readonly numbers: readonly number[];
  readonly target: number;
  readonly signs: readonly Sign[];
}

const SOLVED = 10;
const FAILED = -1;
/** 13 * 13 * 13 * 13. */
const MAX_TARGET = 28_561;

/** `vlgym/Signs-v1`: +10 for the target, −1 for another value, 0 while signs are missing. */
export class SignsEnv<Kind extends ObservationKind = 'image'> extends CardGameEnv<
  Row,
  ObservationOfKind<Kind>,
  SignsInfo
> {
  readonly observationSpace: Space<ObservationOfKind<Kind>>;
  readonly actionSpace = spaces.discrete(SIGNS.length, { labels: [...SIGNS] });
  readonly dialogue: Dialogue<ObservationOfKind<Kind>, number, SignsInfo>;
  /** Keyboard key → action. */
  readonly keys: Readonly<Record<string, number>> = { '+': 0, '-': 1, '*': 2 };

  protected readonly picture: PointsPicture;
  readonly #handSize: number;
  readonly #targetIn: TargetPlace;

  /** @param targetIn  Where the target stands if the option leaves it open. */
  constructor(options: SignsOptions<Kind> = {}, targetIn: TargetPlace = 'text') {
    const checked = checkedOptions('signs', options);
    super(checked);
    const { size, dialogue, observation } = commonOptions(checked);
    const { cards = 2 } = checked;
    this.#handSize = cards;
    this.#targetIn = checked.targetIn ?? targetIn;
    this.observationSpace = spaceOf<Kind>(observation, size);
    this.picture = new PointsPicture(cards === 2 ? 'ezpoints' : 'points24', size);
    this.dialogue = signsDialogue(this.#handSize, dialogue, this.#targetIn);
  }

  /** One step for each gap; an unreadable answer leaves its gap without a sign. */
  get stepLimit(): number {
    return this.#handSize - 1;
  }

  protected play(before: Row, action: number): Played<Row> {
    if (isFull(before)) throw new ResetNeededError('step');
    const state = { ...before, signs: [...before.signs, SIGNS[action]!] };
    this.show(state);
    const terminated = isFull(state);
    const reward = terminated ? (formulaEquals(written(state), state.target) ? SOLVED : FAILED) : 0;
    return { state, reward, terminated };
  }

  /** The next sign of the first solution, in the order of the actions; `undefined` if no solution remains. */
  oracle(): number | undefined {
    const row = this.dealt('oracle');
    const isLost = (signs: readonly Sign[]): boolean =>
      signs.length === row.cards.length - 1
        ? !formulaEquals(written({ ...row, signs }), row.target)
        : SIGNS.every((sign) => isLost([...signs, sign]));
    const action = SIGNS.findIndex((sign) => !isFull(row) && !isLost([...row.signs, sign]));
    return action < 0 ? undefined : action;
  }

  /** Like `oracle`, but continues with `+` if the target is unreachable. */
  expert(): number {
    return this.oracle() ?? 0;
  }

  /** The action in words, for people. */
  describeAction(action: number): string {
    return `place ${SIGNS[action] ?? '?'}`;
  }

  describeTask(): string {
    return `Make ${this.dealt('describeTask').target} with a sign between ${this.#handSize === 2 ? 'the' : 'all'} cards.`;
  }

  describeEnd(_last: StepResult<ObservationOfKind<Kind>, SignsInfo>): string {
    const { target, ...row } = this.dealt('describeEnd');
    const value = rowValue(row.numbers, row.signs);
    return `${written(row).join(' ')} is ${value}${value === target ? ', the target' : `, not ${target}`}.`;
  }

  /** The schema of a snapshot: a hand of this game with at most one sign per gap; the numbers follow from the cards. */
  protected get saved(): SavedAs<Row> {
    const schema = z
      .strictObject({
        cards: z.array(z.string().regex(CARD)).length(this.#handSize),
        numbers: z.array(z.int().min(1).max(13)).length(this.#handSize),
        target: z.int().min(-MAX_TARGET).max(MAX_TARGET),
        signs: z.array(z.enum(SIGNS)).max(this.#handSize - 1),
      })
      .refine(({ cards, numbers }) => cards.every((card, index) => rankOf(card) === numbers[index]));
    return { kind: 'signs/1', name: 'row', schema };
  }

  /** Deals the highest card first. Random signs determine the target. */
  protected deal(): Row {
    const { random } = this;
    const ranks = Array.from({ length: this.#handSize }, () => random.randint(1, 13)).sort((a, b) => b - a);
    const cards = ranks.map((rank) => random.choice(SUITS) + face(rank));
    const numbers = cards.map(rankOf);
    const target = rowValue(
      numbers,
      numbers.slice(1).map(() => random.choice(SIGNS)),
    );
    return { cards, numbers, target, signs: [] };
  }

  protected describe({ cards, signs, target }: Row): string {
    return describeTable(cards, signs, this.#targetIn === 'picture' ? target : undefined);
  }

  protected show(row: Row): void {
    this.picture.deal(row.cards, this.#targetIn === 'picture' ? row.target : undefined);
    this.picture.write(row.signs);
  }

  protected infoOf({ cards, numbers, signs, target }: Row): SignsInfo {
    return { Cards: [...cards], Numbers: [...numbers], Signs: [...signs], Target: target };
  }

  protected keyOf({ numbers }: Row): string {
    return rowKey(numbers);
  }

  protected words(row: Row): string {
    const cards = `The cards from the left are ${spokenCards(row.cards)}; they count ${listed(row.numbers)}.`;
    const signs = row.signs.length === 0 ? 'No sign is placed yet.' : `So far: ${written(row).join(' ')}.`;
    return `${cards} The target is ${row.target}. ${signs}`;
  }

  protected text(row: Row): string {
    return `${cardBoxes(row.cards)}\nTarget ${row.target}   ${written(row).join(' ')}\n`;
  }
}

/** `vlgym/Signs-v2`: the same hands; the target is in the picture, so the prompt alone solves little. */
export class SignsV2Env<Kind extends ObservationKind = 'image'> extends SignsEnv<Kind> {
  constructor(options: SignsOptions<Kind> = {}) {
    super(options, 'picture');
  }
}

const isFull = ({ cards, signs }: Row): boolean => signs.length === cards.length - 1;

/** `7 + 4`, or `7` before the first sign. */
function written({ numbers, signs }: Pick<Row, 'numbers' | 'signs'>): FormulaEntry[] {
  return numbers
    .slice(0, signs.length + 1)
    .flatMap((number, index) => (index ? [signs[index - 1]!, number] : [number]));
}

/** Products before sums. */
function rowValue(numbers: readonly number[], signs: readonly Sign[]): number {
  const terms = [numbers[0]!];
  for (const [index, sign] of signs.entries()) {
    const number = numbers[index + 1]!;
    if (sign === '*') terms.push(terms.pop()! * number);
    else terms.push(sign === '-' ? -number : number);
  }
  return terms.reduce((sum, term) => sum + term, 0);
}
