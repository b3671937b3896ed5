/** Options of the card games, one strict schema per environment. */
import { option, parseOptions, type RenderMode, SPLITS, type Split, type SplitOption } from '@vlgym/core';
import { z } from 'zod';
import { DIALOGUE_STYLES, type DialogueOptions, type DialogueStyle } from '../dialogue/style.js';
import { PUBLISHED_SIZE, type Size } from '../pictures/canvas.js';
import { OBSERVATION_KINDS, type ObservationKind } from './observations.js';

/** @typeParam Kind  The kind of observation, which the environment's types follow. */
export interface CardGameOptions<Kind extends ObservationKind = ObservationKind> extends SplitOption {
  /** `image` (default), or `text`: what the picture shows, in words. */
  readonly observation?: Kind | undefined;
  /** `rgb_array` renders the picture, `ansi` a text for terminals. */
  readonly renderMode?: RenderMode | undefined;
  /**
   * Size of the picture in pixels, 16 to 4096 per side; default 300 x 300, as published. 84 x 112 is still readable.
   */
  readonly size?: Size | undefined;
  /** Style of the prompts and responses; default `rl4vlm-v1`. */
  readonly dialogue?: DialogueStyle | undefined;
  /** Ask only for the action, without thoughts; default false. */
  readonly actionOnly?: boolean | undefined;
}

export interface NumberLineOptions<Kind extends ObservationKind = ObservationKind> extends CardGameOptions<Kind> {
  /** The largest position; the smallest is 0. Default 5. */
  readonly maxPosition?: number | undefined;
}

export interface EZPointsOptions<Kind extends ObservationKind = ObservationKind> extends CardGameOptions<Kind> {
  /** Default 12. Hands are dealt for 12 with any target. */
  readonly target?: number | undefined;
}

export interface EZPointsV1Options<Kind extends ObservationKind = ObservationKind> extends EZPointsOptions<Kind> {
  /** Maximum number of actions before truncation; default 20. */
  readonly maxSteps?: number | undefined;
}

export interface Points24Options<Kind extends ObservationKind = ObservationKind> extends CardGameOptions<Kind> {
  /** Default 24. */
  readonly target?: number | undefined;
  /** J, Q and K count as 10 (default), else as 11, 12 and 13, which adds three actions. */
  readonly treatFaceCardsAs10?: boolean | undefined;
}

export interface Points24V1Options<Kind extends ObservationKind = ObservationKind> extends CardGameOptions<Kind> {
  /** Default 24. */
  readonly target?: number | undefined;
  /** J, Q and K count as 10 (default), else as 11, 12 and 13, which adds three actions. */
  readonly faceCardsAsTen?: boolean | undefined;
  /** Deal only hands with a solution; default false. */
  readonly solvableOnly?: boolean | undefined;
  /** Maximum number of actions before truncation; default 20. */
  readonly maxSteps?: number | undefined;
}

export interface SignsOptions<Kind extends ObservationKind = ObservationKind> extends CardGameOptions<Kind> {
  /** Number of cards of a hand, 2 (default) to 4; an episode has one step less. */
  readonly cards?: number | undefined;
  /**
   * The place of the target: in the prompt's text (default of `vlgym/Signs-v1`), or only in the picture (default of
   * `vlgym/Signs-v2`).
   */
  readonly targetIn?: TargetPlace | undefined;
}

const TARGET_PLACES = ['text', 'picture'] as const;
export type TargetPlace = (typeof TARGET_PLACES)[number];

export interface BlackjackOptions extends CardGameOptions {
  /** Pay 1.5 for a winning natural (ace and ten in the first two cards). Default false. */
  readonly natural?: boolean | undefined;
  /** A natural wins unless the dealer has one too; overrides `natural`. Default false. */
  readonly sab?: boolean | undefined;
  /**
   * False for observations `[player's total, dealer's open card, usable ace]` instead of pictures, without `observation`.
   * Default true.
   */
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
  observation: option.oneOf(OBSERVATION_KINDS).optional(),
  split: option.oneOf(SPLITS).optional(),
} satisfies Shape<CardGameOptions>;

type Shape<Options> = { readonly [K in keyof Required<Options>]: z.ZodType<unknown, Options[K]> };

/** The schemas of all games; each contains `shared`. */
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
  signs: z.strictObject({
    ...shared,
    cards: option.integer(2, 4).optional(),
    targetIn: option.oneOf(TARGET_PLACES).optional(),
  } satisfies Shape<SignsOptions>),
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

/** Resolves the options that all games share. */
export function commonOptions({
  size = PUBLISHED_SIZE,
  dialogue,
  actionOnly,
  observation = 'image',
  split,
}: CardGameOptions): {
  readonly split: Split | undefined;
  readonly size: Size;
  readonly observation: ObservationKind;
  readonly dialogue: DialogueOptions;
} {
  return {
    split,
    size: { height: size.height, width: size.width },
    observation,
    dialogue: { style: dialogue, actionOnly, observation },
  };
}
