/**
 * Blackjack: hit or stand against a dealer with one visible card.
 *
 * Rules follow `gym_cards/Blackjack-v0` of RL4VLM/RL4VLM (MIT), `gym-cards/gym_cards/envs/blackjack.py`;
 * `test/golden/gym-cards.json` pins hands, rewards and the state of the generator.
 */
import {
  type Dialogue,
  Generator,
  generatorState,
  InvalidOptionError,
  type RgbImage,
  type Space,
  type StepResult,
  spaces,
} from '@vlgym/core';
import { z } from 'zod';
import { blackjackDialogue } from '../dialogue/blackjack-dialogue.js';
import { endWords, handsWords } from '../people/blackjack-words.js';
import { BlackjackPicture, cardsShown } from '../pictures/blackjack-picture.js';
import type { DrawIntoOptions, Size } from '../pictures/canvas.js';
import { shouldHit } from '../solver/blackjack-strategy.js';
import { describeBlackjack } from '../text/describe.js';
import {
  type BlackjackCard,
  BUST_ABOVE,
  cardName,
  DEALER_STANDS_AT,
  drawCard,
  drawHand,
  drawUnused,
  isCard,
  isNatural,
  isSoft,
  MAX_HAND,
  score,
  total,
} from './blackjack-hand.js';
import { CardGameEnv, type Played, type SavedAs } from './card-game-env.js';
import { cardBoxes } from './cards.js';
import type { BlackjackInfo, BlackjackObservation, BlackjackTotals } from './info.js';
import { spaceOf } from './observations.js';
import { type BlackjackOptions, checkedOptions, commonOptions } from './options.js';
import { blackjackKey } from './task-keys.js';

export type { BlackjackInfo, BlackjackObservation, BlackjackTotals } from './info.js';
export type { BlackjackOptions } from './options.js';

/** Rules in which -v0 keeps mistakes of the published code. */
interface BlackjackRules {
  /** True to recognize naturals and usable aces. The published code compares cards with numbers, which never match. */
  readonly recognizesAces: boolean;
  /** How the picture shows more than four cards. */
  readonly overflow: 'wrap' | 'narrow';
}

const PUBLISHED: BlackjackRules = { recognizesAces: false, overflow: 'wrap' };
const CORRECTED: BlackjackRules = { recognizesAces: true, overflow: 'narrow' };

interface Hands {
  readonly dealer: readonly BlackjackCard[];
  readonly player: readonly BlackjackCard[];
}

const savedHand = z
  .array(z.custom<BlackjackCard>(isCard, { error: '[value, face, suit] of a card' }))
  .min(2)
  .max(MAX_HAND);

const SAVED: SavedAs<Hands> = {
  kind: 'blackjack/1',
  name: 'hands',
  schema: z.strictObject({ dealer: savedHand, player: savedHand }),
};

const STAND = 0;
const HIT = 1;

/** `gym_cards/Blackjack-v0`: as published; `natural` and `sab` are accepted and have no effect. */
export class BlackjackEnv<Observation extends BlackjackObservation = BlackjackObservation> extends CardGameEnv<
  Hands,
  Observation,
  BlackjackInfo
> {
  readonly observationSpace: Space<Observation>;
  readonly actionSpace = spaces.discrete(2, { labels: ['stand', 'hit'] });
  readonly dialogue: Dialogue<Observation, number, BlackjackInfo>;
  /** Keyboard key → action. */
  readonly keys: Readonly<Record<string, number>> = { s: STAND, h: HIT };

  protected readonly picture: BlackjackPicture;
  protected override readonly generatorShape = { generator: generatorState };
  readonly #rules: BlackjackRules;
  readonly #natural: boolean;
  readonly #sab: boolean;
  readonly #isPixel: boolean;
  readonly #size: Size;

  constructor(options: BlackjackOptions = {}, rules: BlackjackRules = PUBLISHED) {
    const checked = checkedOptions('blackjack', options);
    super(checked);
    const { natural = false, sab = false, isPixel = true } = checked;
    const { size, dialogue, observation } = commonOptions(checked);
    if (!isPixel && checked.observation !== undefined) {
      throw new InvalidOptionError(
        'isPixel',
        false,
        `nothing with observation: '${checked.observation}'; it shows totals`,
      );
    }
    this.#rules = rules;
    this.#natural = natural;
    this.#sab = sab;
    this.#isPixel = isPixel;
    this.#size = size;
    this.observationSpace = (isPixel
      ? spaceOf(observation, size)
      : spaces.tuple([spaces.discrete(32), spaces.discrete(11), spaces.discrete(2)])) as unknown as Space<Observation>;
    this.picture = new BlackjackPicture(size, rules);
    this.dialogue = blackjackDialogue(dialogue) as unknown as typeof this.dialogue;
  }

  /** From two cards to the largest hand, a card a step. */
  get stepLimit(): number {
    return MAX_HAND - 2;
  }

  protected play(before: Hands, action: number): Played<Hands> {
    if (action === STAND) {
      const state = this.#stand(before);
      return { state, reward: this.#settle(state), terminated: true };
    }
    const state = this.#hit(before);
    this.picture.draw(state.player.map(cardName));
    const bust = total(state.player) > BUST_ABOVE;
    return { state, reward: bust ? -1 : 0, terminated: bust };
  }

  /** @throws {InvalidOptionError}  The length is not `3 * height * width` bytes, or `isPixel` is false. */
  override drawInto(frame: Uint8Array | undefined, options?: DrawIntoOptions): void {
    if (frame && !this.#isPixel) throw new InvalidOptionError('isPixel', false, 'true, to draw into a buffer');
    super.drawInto(frame, options);
  }

  /** The action with the higher expected reward, exact for the infinite deck, without knowledge of hidden cards. */
  oracle(): number {
    const { dealer, player } = this.dealt('oracle');
    return shouldHit({ points: total(player), soft: isSoft(player) }, dealer[0]![0]) ? HIT : STAND;
  }

  /** The action in words, for people. */
  describeAction(action: number): string {
    return action === HIT ? 'hit: take a card' : 'stand: let the dealer play';
  }

  describeEnd(_last: StepResult<Observation, BlackjackInfo>): string {
    return endWords(this.dealt('describeEnd'));
  }

  /** Both hands open. Observations never show the dealer's second card, as published. */
  renderEnd(): RgbImage {
    const { dealer, player } = this.dealt('renderEnd');
    const picture = new BlackjackPicture(this.#size, { overflow: 'narrow' });
    picture.open(dealer.map(cardName), player.map(cardName));
    return picture.copy();
  }

  protected readonly saved = SAVED;

  protected override restart(seed: number | undefined): void {
    if (seed !== undefined) this.reseed(seed);
  }

  protected override saveGenerator(): Record<string, unknown> {
    return { generator: this.rng.getState() };
  }

  protected override loadGenerator({ generator }: Record<string, unknown>): void {
    this.rng = new Generator(0);
    this.rng.setState(generator as Parameters<Generator['setState']>[0]);
  }

  protected deal(): Hands {
    const dealer = drawHand(this.rng);
    const player = drawHand(this.rng);
    drawUnused(this.rng, dealer[0][0]);
    return { dealer, player };
  }

  #hit({ dealer, player }: Hands): Hands {
    return { dealer, player: [...player, drawCard(this.rng)] };
  }

  #stand({ dealer, player }: Hands): Hands {
    const drawn = [...dealer];
    while (total(drawn) < DEALER_STANDS_AT) drawn.push(drawCard(this.rng));
    return { dealer: drawn, player };
  }

  #settle({ dealer, player }: Hands): number {
    const reward = Math.sign(score(player) - score(dealer));
    if (!this.#rules.recognizesAces || !isNatural(player)) return reward;
    if (this.#sab) return isNatural(dealer) ? reward : 1;
    return this.#natural && reward === 1 ? 1.5 : reward;
  }

  protected show({ dealer, player }: Hands): void {
    this.picture.deal(cardName(dealer[0]!), player.map(cardName));
  }

  protected describe({ dealer, player }: Hands): string {
    return describeBlackjack(cardName(dealer[0]!), cardsShown(player.map(cardName), this.#rules));
  }

  protected override observe(hands: Hands, last: boolean): Observation {
    if (this.#isPixel) return super.observe(hands, last);
    const { dealer, player } = hands;
    const usableAce = this.#rules.recognizesAces && isSoft(player) ? 1 : 0;
    return [total(player), dealer[0]![0], usableAce] as BlackjackTotals as Observation;
  }

  /** Returns copies. The published code returns its own lists, so an old `info` shows later cards. */
  protected infoOf({ dealer, player }: Hands): BlackjackInfo {
    const copied = (hand: readonly BlackjackCard[]) =>
      hand.map(([value, face, suit]): BlackjackCard => [value, face, suit]);
    return { 'Dealer Card': copied(dealer), 'Player Card': copied(player) };
  }

  protected keyOf({ dealer, player }: Hands): string {
    return blackjackKey(player, dealer[0]!);
  }

  protected words(hands: Hands): string {
    return handsWords(hands);
  }

  protected text({ dealer, player }: Hands): string {
    const seen = cardBoxes([cardName(dealer[0]!), '?']);
    return `Dealer\n${seen}\nPlayer: ${total(player)}\n${cardBoxes(player.map(cardName))}\n`;
  }
}

/** `vlgym/Blackjack-v1`: the same hands; naturals and usable aces count, and the picture shows every card. */
export class BlackjackV1Env<
  Observation extends BlackjackObservation = BlackjackObservation,
> extends BlackjackEnv<Observation> {
  constructor(options: BlackjackOptions = {}) {
    super(options, CORRECTED);
  }
}
