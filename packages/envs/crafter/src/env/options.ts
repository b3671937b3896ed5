/** Options of every Crafter environment, and their checks. */
import { option, parseOptions, type RenderMode, SPLITS, type SplitOption } from '@vlgym/core';
import { z } from 'zod';
import { DIALOGUE_STYLES, type DialogueStyle } from '../dialogue/styles.js';

const OBSERVATION_KINDS = ['image', 'text', 'both'] as const;

/**
 * - `image`: a picture.
 * - `text`: what the player sees, in BALROG's sentences, and below it vitals and items.
 * - `both`: `{ text, image }`.
 */
export type ObservationKind = (typeof OBSERVATION_KINDS)[number];

const NIGHT_NOISE = ['world', 'own'] as const;
/** The generator of the noise of dark pictures. */
export type NightNoise = (typeof NIGHT_NOISE)[number];

export interface CrafterOptions extends SplitOption {
  /** Default `image`, and `both` in `balrog/Crafter-v0`. */
  readonly observation?: ObservationKind | undefined;
  /** Pixels of a side of pictures, 18 to 1024; default 64, and 256 in `balrog/Crafter-v0`. */
  readonly size?: number | undefined;
  /** Columns and rows of the map, each 9 to 256; default [64, 64]. */
  readonly area?: readonly [columns: number, rows: number] | undefined;
  /** Steps after which an episode is truncated, 1 to 1,000,000; default 10,000, and 2,000 in `balrog/Crafter-v0`. */
  readonly maxSteps?: number | undefined;
  /**
   * `world` (default, as published): a dark picture takes its noise from the generator of the world, so what happens at night
   * depends on the size of pictures. `own`: pictures have their own generator, and the world is the same at any size.
   */
  readonly nightNoise?: NightNoise | undefined;
  /** Style of prompts and responses; default `plain-v1`, and `balrog-naive-v1` in `balrog/Crafter-v0`. */
  readonly dialogue?: DialogueStyle | undefined;
  /** `rgb_array` renders the picture, `ansi` BALROG's sentences. */
  readonly renderMode?: RenderMode | undefined;
}

const side = option.integer(9, 256);
const schema = z.strictObject({
  observation: option.oneOf(OBSERVATION_KINDS).optional(),
  size: option.integer(18, 1024).optional(),
  area: z.tuple([side, side]).readonly().optional(),
  maxSteps: option.integer(1, 1_000_000).optional(),
  nightNoise: option.oneOf(NIGHT_NOISE).optional(),
  dialogue: option.oneOf(DIALOGUE_STYLES).optional(),
  renderMode: option.renderMode().optional(),
  split: option.oneOf(SPLITS).optional(),
} satisfies Record<keyof CrafterOptions, z.ZodType>);

/** @throws {UnknownOptionError | InvalidOptionError} */
export const checkedOptions = (options: unknown): z.output<typeof schema> => parseOptions(options, schema);
