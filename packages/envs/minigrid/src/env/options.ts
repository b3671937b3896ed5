/** Options of every level, and their checks. */
import { option, parseOptions, type RenderMode, SPLITS, type SplitOption } from '@vlgym/core';
import { z } from 'zod';
import { MIXED_KINDS, type MixedKind } from '../babyai/levels/mixed-local.js';
import { DIALOGUE_STYLES, type DialogueStyle } from '../dialogue/styles.js';

const OBSERVATION_KINDS = ['symbolic', 'image', 'text', 'both'] as const;

/**
 * - `symbolic`: the original's dictionary: `image` (type, color, state of each cell of the view), `direction`, `mission`.
 * - `image`: a picture.
 * - `text`: what the agent sees, in the sentences of BabyAI-Text.
 * - `both`: `{ text, image }`.
 */
export type ObservationKind = (typeof OBSERVATION_KINDS)[number];

/** The content of a picture: the part that the agent sees, or the whole world with that part brighter. */
export type Shown = 'agent' | 'whole';

export interface MiniGridOptions extends SplitOption {
  /** Default `symbolic`, as published. */
  readonly observation?: ObservationKind | undefined;
  /** The content of pictures; default `agent`. */
  readonly view?: Shown | undefined;
  /** Pixels of a cell in pictures of observations, 1 to 64; default 8. */
  readonly tileSize?: number | undefined;
  /** Cells of a side of the agent's view: odd, 3 to 25; default 7. */
  readonly viewSize?: number | undefined;
  /** Brighten what the agent sees; default true. */
  readonly highlight?: boolean | undefined;
  /** Steps after which an episode is truncated; default: by the level, and in BabyAI by the instruction. */
  readonly maxSteps?: number | undefined;
  /** Style of prompts and responses; default `plain-v1`. */
  readonly dialogue?: DialogueStyle | undefined;
  /** `rgb_array` renders the whole world with 32 pixels per cell, `ansi` two letters per cell. */
  readonly renderMode?: RenderMode | undefined;
}

export interface MixedLocalOptions extends MiniGridOptions {
  /** Kind of the instruction; default `goto`. */
  readonly kind?: MixedKind | undefined;
  /** Objects besides those that the instruction needs, 0 to 12; default 0, as in BALROG. */
  readonly distractors?: number | undefined;
}

const VIEW_SIZE = 'an odd number from 3 to 25';

const shape = {
  observation: option.oneOf(OBSERVATION_KINDS).optional(),
  view: option.oneOf(['agent', 'whole']).optional(),
  tileSize: option.integer(1, 64).optional(),
  viewSize: option
    .integer(3, 25)
    .refine((size) => size % 2 === 1, { error: VIEW_SIZE })
    .optional(),
  highlight: option.boolean().optional(),
  maxSteps: option.integer(1, 1_000_000).optional(),
  dialogue: option.oneOf(DIALOGUE_STYLES).optional(),
  renderMode: option.renderMode().optional(),
  split: option.oneOf(SPLITS).optional(),
} satisfies Record<keyof MiniGridOptions, z.ZodType>;

const schema = z.strictObject(shape);
const mixed = z.strictObject({
  ...shape,
  kind: option.oneOf(MIXED_KINDS).optional(),
  distractors: option.integer(0, 12).optional(),
} satisfies Record<keyof MixedLocalOptions, z.ZodType>);

const MIXED_NAMES = ['kind', 'distractors'];

/** @throws {UnknownOptionError | InvalidOptionError} */
export const checkedOptions = (options: unknown): z.output<typeof schema> =>
  parseOptions(options, schema, { elsewhere: MIXED_NAMES });

/** @throws {UnknownOptionError | InvalidOptionError} */
export const checkedMixedOptions = (options: unknown): z.output<typeof mixed> => parseOptions(options, mixed);
