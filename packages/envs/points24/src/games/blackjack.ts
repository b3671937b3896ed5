/**
 * Blackjack: hit or stand against a dealer with one visible card.
 *
 * Rules follow `gym_cards/Blackjack-v0` of RL4VLM/RL4VLM (MIT), `gym-cards/gym_cards/envs/blackjack.py`;
 * `test/golden/gym-cards.json` pins hands, rewards and the state of the generator.
 */
import {
  BaseEnv,
  type Dialogue,
  drawInSplit,
  type EnvSnapshot,
  Generator,
  generatorState,
  InvalidActionError,
  InvalidOptionError,
  parseReset,
  parseSnapshot,
  type RenderFrame,
  ResetNeededError,
  type ResetOptions,
  type ResetResult,
  type Space,
  type Split,
  type StepResult,
  spaces,
} from '@vlgym/core';
import { z } from 'zod';
import { blackjackDialogue } from '../dialogue/blackjack-dialogue.js';
import { BlackjackPicture } from '../pictures/blackjack-picture.js';
import type { DrawIntoOptions } from '../pictures/canvas.js';
import { shouldHit } from '../solver/blackjack-strategy.js';
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
import { cardBoxes } from './cards.js';
import type { BlackjackInfo, BlackjackObservation, BlackjackTotals } from './info.js';
import { type BlackjackOptions, checkedOptions, commonOptions, RENDERING } from './options.js';
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

const SAVED_STATE = z.strictObject({
  hands: z.strictObject({ dealer: savedHand, player: savedHand }).nullable(),
  generator: generatorState,
});

const STAND = 0;
const HIT = 1;
const SNAPSHOT_KIND = 'blackjack/1';

/** `gym_cards/Blackjack-v0`: as published; `natural` and `sab` are accepted and have no effect. */
export class BlackjackEnv<Observation extends BlackjackObservation = BlackjackObservation> extends BaseEnv<
  Observation,
  number,
  BlackjackInfo
> {
  override readonly metadata = RENDERING;
  readonly observationSpace: Space<Observation>;
  readonly actionSpace = spaces.discrete(2, { labels: ['stand', 'hit'] });
  readonly dialogue: Dialogue<Observation, number, BlackjackInfo>;
  /** Keyboard key → action. */
  readonly keys: Readonly<Record<string, number>> = { s: STAND, h: HIT };

  readonly #rules: BlackjackRules;
  readonly #natural: boolean;
  readonly #sab: boolean;
  readonly #isPixel: boolean;
  readonly #picture: BlackjackPicture;
  readonly #split: Split | undefined;
  #hands: Hands | undefined;

  constructor(options: BlackjackOptions = {}, rules: BlackjackRules = PUBLISHED) {
    const checked = checkedOptions('blackjack', options);
    super({ renderMode: checked.renderMode });
    const { natural = false, sab = false, isPixel = true } = checked;
    const { size, dialogue, split } = commonOptions(checked);
    this.#split = split;
    this.#rules = rules;
    this.#natural = natural;
    this.#sab = sab;
    this.#isPixel = isPixel;
    this.observationSpace = (isPixel
      ? spaces.image(size)
      : spaces.tuple([spaces.discrete(32), spaces.discrete(11), spaces.discrete(2)])) as unknown as Space<Observation>;
    this.#picture = new BlackjackPicture(size, rules);
    this.dialogue = blackjackDialogue(dialogue) as unknown as typeof this.dialogue;
  }

  /** From two cards to the largest hand, a card a step. */
  get stepLimit(): number {
    return MAX_HAND - 2;
  }

  reset(given?: ResetOptions): ResetResult<Observation, BlackjackInfo> {
    this.ensureOpen('reset');
    const { seed } = parseReset(given);
    if (seed !== undefined) this.reseed(seed);
    const hands = drawInSplit(this.#split, () => this.#deal(), keyOf);
    this.#hands = hands;
    this.#show(hands);
    return { observation: this.#observe(hands, false), info: { ...infoOf(hands), taskKey: keyOf(hands) } };
  }

  step(action: number): StepResult<Observation, BlackjackInfo> {
    this.ensureOpen('step');
    if (!this.actionSpace.contains(action)) throw new InvalidActionError(action, this.actionSpace.describe());
    const before = this.#dealt('step');
    const hands = action === HIT ? this.#hit(before) : this.#stand(before);
    this.#hands = hands;
    if (action === HIT) this.#picture.draw(hands.player.map(cardName));
    const bust = total(hands.player) > BUST_ABOVE;
    const terminated = action === STAND || bust;
    return {
      observation: this.#observe(hands, terminated),
      reward: action === STAND ? this.#settle(hands) : bust ? -1 : 0,
      terminated,
      truncated: false,
      info: infoOf(hands),
    };
  }

  /**
   * Draws all further pictures into this buffer: every observation is a view of it that the next step changes, and that
   * only this environment may write to. With `undefined` observations have their own buffers again, as by default.
   *
   * @throws {InvalidOptionError}  The length is not `3 * height * width` bytes, or `isPixel` is false.
   */
  drawInto(frame: Uint8Array | undefined, options?: DrawIntoOptions): void {
    if (frame && !this.#isPixel) throw new InvalidOptionError('isPixel', false, 'true, to draw into a buffer');
    this.#picture.drawInto(frame, options);
  }

  override render(): RenderFrame {
    const hands = this.#dealt('render');
    if (this.renderMode === 'rgb_array') return this.#picture.copy();
    if (this.renderMode !== 'ansi') return this.renderNothing();
    const dealer = cardBoxes([cardName(hands.dealer[0]!), '?']);
    return `Dealer\n${dealer}\nPlayer: ${total(hands.player)}\n${cardBoxes(hands.player.map(cardName))}\n`;
  }

  /** The action with the higher expected reward, exact for the infinite deck, without knowledge of hidden cards. */
  oracle(): number {
    const { dealer, player } = this.#dealt('oracle');
    return shouldHit({ points: total(player), soft: isSoft(player) }, dealer[0]![0]) ? HIT : STAND;
  }

  /** The action in words, for people. */
  describeAction(action: number): string {
    return action === HIT ? 'hit: take a card' : 'stand: let the dealer play';
  }

  snapshot(): EnvSnapshot {
    const state = { hands: this.#hands ?? null, generator: this.rng.getState() };
    return { kind: SNAPSHOT_KIND, state: structuredClone(state) };
  }

  restore(snapshot: EnvSnapshot): void {
    const { hands, generator } = parseSnapshot(snapshot, SNAPSHOT_KIND, SAVED_STATE);
    this.rng = new Generator(0);
    this.rng.setState(generator);
    this.#hands = hands ?? undefined;
    if (hands) this.#show(hands);
  }

  #deal(): Hands {
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

  #dealt(method: string): Hands {
    if (!this.#hands) throw new ResetNeededError(method);
    return this.#hands;
  }

  #show({ dealer, player }: Hands): void {
    this.#picture.deal(cardName(dealer[0]!), player.map(cardName));
  }

  #observe({ dealer, player }: Hands, last: boolean): Observation {
    if (this.#isPixel) return this.#picture.observe(last) as Observation;
    const usableAce = this.#rules.recognizesAces && isSoft(player) ? 1 : 0;
    return [total(player), dealer[0]![0], usableAce] as BlackjackTotals as Observation;
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

const keyOf = ({ dealer, player }: Hands): string => blackjackKey(player, dealer[0]!);

/** Returns copies. The published code returns its own lists, so an old `info` shows later cards. */
function infoOf({ dealer, player }: Hands): BlackjackInfo {
  const copied = (hand: readonly BlackjackCard[]) =>
    hand.map(([value, face, suit]): BlackjackCard => [value, face, suit]);
  return { 'Dealer Card': copied(dealer), 'Player Card': copied(player) };
}
