/**
 * Blackjack: hit or stand against a dealer of whom one card is seen.
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
  type GeneratorState,
  InvalidActionError,
  type RenderFrame,
  ResetNeededError,
  type ResetOptions,
  type ResetResult,
  type RgbImage,
  type Space,
  type Split,
  type StepResult,
  spaces,
} from '@vlgym/core';
import { blackjackDialogue } from '../dialogue/blackjack-dialogue.js';
import { BlackjackPicture } from '../pictures/blackjack-picture.js';
import { shouldHit } from '../solver/blackjack-strategy.js';
import {
  type BlackjackCard,
  BUST_ABOVE,
  cardName,
  DEALER_STANDS_AT,
  drawCard,
  drawHand,
  drawUnused,
  isNatural,
  isSoft,
  score,
  total,
} from './blackjack-hand.js';
import { cardBoxes } from './cards.js';
import { type CardGameOptions, checkedOptions, RENDERING, savedState } from './options.js';
import { blackjackKey } from './task-keys.js';

export interface BlackjackOptions extends CardGameOptions {
  /** A natural (ace and ten at once) that wins pays 1.5. Default false. */
  readonly natural?: boolean;
  /** A natural wins at once unless the dealer has one too; overrides `natural`. Default false. */
  readonly sab?: boolean;
  /** False: the observation is `[player's total, dealer's open card, usable ace]` in place of a picture. */
  readonly isPixel?: boolean;
}

export type BlackjackTotals = [total: number, dealer: number, usableAce: number];
export type BlackjackObservation = RgbImage | BlackjackTotals;

/**
 * Keys as in the published code. The dealer's second card is here although the picture hides it. `taskKey` stands there
 * at reset: what the player's cards and the dealer's open card count for.
 */
export type BlackjackInfo = { 'Dealer Card': BlackjackCard[]; 'Player Card': BlackjackCard[]; taskKey?: string };

/** Where -v0 keeps what the published code does by mistake. */
interface BlackjackRules {
  /** Whether naturals and usable aces are recognised. The published code compares whole cards with bare values. */
  readonly recognisesAces: boolean;
  /** What the picture does with more than four cards. */
  readonly overflow: 'wrap' | 'narrow';
}

const PUBLISHED: BlackjackRules = { recognisesAces: false, overflow: 'wrap' };
const CORRECTED: BlackjackRules = { recognisesAces: true, overflow: 'narrow' };

interface Hands {
  readonly dealer: readonly BlackjackCard[];
  readonly player: readonly BlackjackCard[];
}

interface SavedState {
  readonly hands: Hands | null;
  readonly generator: GeneratorState;
}

const STAND = 0;
const HIT = 1;
const SNAPSHOT_KIND = 'blackjack/1';

/** `gym_cards/Blackjack-v0`: as published; `natural` and `sab` are accepted and have no effect. */
export class BlackjackEnv extends BaseEnv<BlackjackObservation, number, BlackjackInfo> {
  override readonly metadata = RENDERING;
  readonly observationSpace: Space<BlackjackObservation>;
  readonly actionSpace = spaces.discrete(2, { labels: ['stand', 'hit'] });
  readonly dialogue: Dialogue<BlackjackObservation, number, BlackjackInfo>;
  /** Key on a keyboard → action. */
  readonly keys: Readonly<Record<string, number>> = { s: STAND, h: HIT };

  readonly #rules: BlackjackRules;
  readonly #natural: boolean;
  readonly #sab: boolean;
  readonly #isPixel: boolean;
  readonly #picture: BlackjackPicture;
  readonly #split: Split | undefined;
  #hands: Hands | undefined;

  constructor(
    { natural = false, sab = false, isPixel = true, ...options }: BlackjackOptions = {},
    rules: BlackjackRules = PUBLISHED,
  ) {
    super({ renderMode: options.renderMode });
    const { size, dialogue, split } = checkedOptions(options);
    this.#split = split;
    this.#rules = rules;
    this.#natural = natural;
    this.#sab = sab;
    this.#isPixel = isPixel;
    this.observationSpace = (
      isPixel ? spaces.image(size) : spaces.tuple([spaces.discrete(32), spaces.discrete(11), spaces.discrete(2)])
    ) as Space<BlackjackObservation>;
    this.#picture = new BlackjackPicture(size, rules);
    this.dialogue = blackjackDialogue(dialogue);
  }

  reset({ seed }: ResetOptions = {}): ResetResult<BlackjackObservation, BlackjackInfo> {
    this.ensureOpen('reset');
    if (seed !== undefined) this.reseed(seed);
    const hands = drawInSplit(this.#split, () => this.#deal(), keyOf);
    this.#hands = hands;
    this.#show(hands);
    return { observation: this.#observe(hands), info: { ...infoOf(hands), taskKey: keyOf(hands) } };
  }

  step(action: number): StepResult<BlackjackObservation, BlackjackInfo> {
    this.ensureOpen('step');
    if (!this.actionSpace.contains(action)) throw new InvalidActionError(action, this.actionSpace.describe());
    const before = this.#dealt('step');
    const hands = action === HIT ? this.#hit(before) : this.#stand(before);
    this.#hands = hands;
    if (action === HIT) this.#picture.draw(hands.player.map(cardName));
    const bust = total(hands.player) > BUST_ABOVE;
    return {
      observation: this.#observe(hands),
      reward: action === STAND ? this.#settle(hands) : bust ? -1 : 0,
      terminated: action === STAND || bust,
      truncated: false,
      info: infoOf(hands),
    };
  }

  override render(): RenderFrame {
    const hands = this.#dealt('render');
    if (this.renderMode === 'rgb_array') return this.#picture.copy();
    if (this.renderMode !== 'ansi') return undefined;
    const dealer = cardBoxes([cardName(hands.dealer[0]!), '?']);
    return `Dealer\n${dealer}\nPlayer: ${total(hands.player)}\n${cardBoxes(hands.player.map(cardName))}\n`;
  }

  /** The action with the higher expected reward, exact for the infinite deck; it does not look at hidden cards. */
  oracle(): number {
    const { dealer, player } = this.#dealt('oracle');
    return shouldHit({ points: total(player), soft: isSoft(player) }, dealer[0]![0]) ? HIT : STAND;
  }

  /** For people. */
  describeAction(action: number): string {
    return action === HIT ? 'hit: take a card' : 'stand: let the dealer play';
  }

  snapshot(): EnvSnapshot {
    const state: SavedState = { hands: this.#hands ?? null, generator: this.rng.getState() };
    return { kind: SNAPSHOT_KIND, state: structuredClone(state) };
  }

  restore(snapshot: EnvSnapshot): void {
    const { hands, generator } = savedState<SavedState>(snapshot, SNAPSHOT_KIND);
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
    if (!this.#rules.recognisesAces || !isNatural(player)) return reward;
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

  #observe({ dealer, player }: Hands): BlackjackObservation {
    if (this.#isPixel) return this.#picture.copy();
    const usableAce = this.#rules.recognisesAces && isSoft(player) ? 1 : 0;
    return [total(player), dealer[0]![0], usableAce];
  }
}

/** `vlgym/Blackjack-v1`: the same hands; naturals and usable aces count, and the picture shows every card. */
export class BlackjackV1Env extends BlackjackEnv {
  constructor(options: BlackjackOptions = {}) {
    super(options, CORRECTED);
  }
}

const keyOf = ({ dealer, player }: Hands): string => blackjackKey(player, dealer[0]!);

/** Copies: the published code hands out its own lists, so that an old `info` shows later cards. */
function infoOf({ dealer, player }: Hands): BlackjackInfo {
  const copied = (hand: readonly BlackjackCard[]) =>
    hand.map(([value, face, suit]): BlackjackCard => [value, face, suit]);
  return { 'Dealer Card': copied(dealer), 'Player Card': copied(player) };
}
