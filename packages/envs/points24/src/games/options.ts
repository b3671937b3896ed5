/** The options of the card games, and small parts that all of them share. One strict schema per environment. */
import { option, parseOptions, type RenderMode, SPLITS, type Split, type SplitOption } from '@vlgym/core';
import { z } from 'zod';
import { DIALOGUE_STYLES, type DialogueOptions, type DialogueStyle } from '../dialogue/style.js';
import { PUBLISHED_SIZE, type Size } from '../pictures/canvas.js';

export interface CardGameOptions extends SplitOption {
  /** `rgb_array` renders the picture, `ansi` a text for terminals. */
  readonly renderMode?: RenderMode | undefined;
  /** Pixels of the picture, 16 to 4096 a side; default 300 x 300 as published. 84 x 112 can still be read. */
  readonly size?: Size | undefined;
  /** How the game speaks with a model; default `rl4vlm-v1`. */
  readonly dialogue?: DialogueStyle | undefined;
  /** Ask for the action alone, without thoughts; default false. */
  readonly actionOnly?: boolean | undefined;
}

export interface NumberLineOptions extends CardGameOptions {
  /** Positions go from 0 to this; default 5. */
  readonly maxPosition?: number | undefined;
}

export interface EZPointsOptions extends CardGameOptions {
  /** Default 12. Hands are dealt for 12 whatever the target. */
  readonly target?: number | undefined;
}

export interface EZPointsV1Options extends EZPointsOptions {
  /** Actions after which the episode is truncated; default 20. */
  readonly maxSteps?: number | undefined;
}

export interface Points24Options extends CardGameOptions {
  /** Default 24. */
  readonly target?: number | undefined;
  /** J, Q and K count as 10 (default), else as 11, 12 and 13, which adds three actions. */
  readonly treatFaceCardsAs10?: boolean | undefined;
}

export interface Points24V1Options extends CardGameOptions {
  /** Default 24. */
  readonly target?: number | undefined;
  /** J, Q and K count as 10 (default), else as 11, 12 and 13, which adds three actions. */
  readonly faceCardsAsTen?: boolean | undefined;
  /** Deal again until the hand has a solution; default false. */
  readonly solvableOnly?: boolean | undefined;
  /** Actions after which the episode is truncated; default 20. */
  readonly maxSteps?: number | undefined;
}

export interface SignsOptions extends CardGameOptions {
  /** Cards of a hand, 2 (default) to 4; an episode has one step fewer. */
  readonly cards?: number | undefined;
}

export interface BlackjackOptions extends CardGameOptions {
  /** A natural (ace and ten at once) that wins pays 1.5. Default false. */
  readonly natural?: boolean | undefined;
  /** A natural wins at once unless the dealer has one too; overrides `natural`. Default false. */
  readonly sab?: boolean | undefined;
  /** False: the observation is `[player's total, dealer's open card, usable ace]` in place of a picture. */
  readonly isPixel?: boolean | undefined;
}

export const RENDERING = { renderModes: ['rgb_array', 'ansi'], renderFps: 2 } as const;

const side = option.integer(16, 4096);
const target = option.integer(0, 1_000_000).optional();
const maxSteps = option.integer(1, 1000).optional();
const flag = option.boolean().optional();

const shared = {
  renderMode: option.renderMode().optional(),
  size: z
    .strictObject({ height: side, width: side }, { error: '{ height, width } with 16 to 4096 pixels each' })
    .optional(),
  dialogue: option.oneOf(DIALOGUE_STYLES).optional(),
  actionOnly: flag,
  split: option.oneOf(SPLITS).optional(),
} satisfies Shape<CardGameOptions>;

type Shape<Options> = { readonly [K in keyof Required<Options>]: z.ZodType<unknown, Options[K]> };

/** Every option of every game; the keys of `shared` are in all of them. */
export const OPTIONS = {
  numberLine: z.strictObject({
    ...shared,
    maxPosition: option.integer(1, 1_000_000).optional(),
  } satisfies Shape<NumberLineOptions>),
  ezPoints: z.strictObject({ ...shared, target } satisfies Shape<EZPointsOptions>),
  ezPointsV1: z.strictObject({ ...shared, target, maxSteps } satisfies Shape<EZPointsV1Options>),
  points24: z.strictObject({ ...shared, target, treatFaceCardsAs10: flag } satisfies Shape<Points24Options>),
  points24V1: z.strictObject({
    ...shared,
    target,
    maxSteps,
    faceCardsAsTen: flag,
    solvableOnly: flag,
  } satisfies Shape<Points24V1Options>),
  signs: z.strictObject({ ...shared, cards: option.integer(2, 4).optional() } satisfies Shape<SignsOptions>),
  blackjack: z.strictObject({ ...shared, natural: flag, sab: flag, isPixel: flag } satisfies Shape<BlackjackOptions>),
} as const;

const NAMES = Object.values(OPTIONS).flatMap((schema) => Object.keys(schema.shape));

/** @throws {UnknownOptionError | InvalidOptionError} */
export function checkedOptions<Game extends keyof typeof OPTIONS>(
  game: Game,
  options: unknown,
): z.output<(typeof OPTIONS)[Game]> {
  return parseOptions<(typeof OPTIONS)[Game]>(options, OPTIONS[game], { elsewhere: NAMES });
}

/** What the games take from the options that they share. */
export function commonOptions({ size = PUBLISHED_SIZE, dialogue, actionOnly, split }: CardGameOptions): {
  readonly split: Split | undefined;
  readonly size: Size;
  readonly dialogue: DialogueOptions;
} {
  return { split, size: { height: size.height, width: size.width }, dialogue: { style: dialogue, actionOnly } };
}
