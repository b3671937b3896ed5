/** Options that all worlds share, and their checks. */
import { InvalidOptionError, option, parseOptions, type RenderMode, SPLITS } from '@vlgym/core';
import { z } from 'zod';
import { DIALOGUE_STYLES, type DialogueStyle } from '../dialogue/styles.js';
import type { Quality, Size, ViewName } from '../scene/painter.js';
import type { SimulationOptions } from '../tasks/simulation.js';
import { KEY_VERSIONS } from '../tasks/task-key.js';

export const OBSERVATION_KINDS = ['rgb', 'depth', 'rgbd', 'text'] as const;

/**
 * - `rgb`: a picture.
 * - `depth`: meters along the view axis.
 * - `rgbd`: both.
 * - `text`: a description in words, without drawing.
 */
export type ObservationKind = (typeof OBSERVATION_KINDS)[number];

export interface MiniWorldOptions extends SimulationOptions {
  /** Pixels of the observation; default 80 x 60. */
  readonly obsWidth?: number | undefined;
  readonly obsHeight?: number | undefined;
  /** Pixels of `render()`; default 800 x 600. */
  readonly windowWidth?: number | undefined;
  readonly windowHeight?: number | undefined;
  /** The view of `render()`: from the agent (default) or from above. */
  readonly view?: ViewName | undefined;
  /** Default `rgb`. */
  readonly observation?: ObservationKind | undefined;
  /**
   * Size of the action space, which the dialogue offers; the first of the eight actions. Default: the task's number,
   * and at least 4 with a dialogue of VL-DAC.
   */
  readonly numActions?: number | undefined;
  /** Style of the prompts and responses; default `plain-v1`. */
  readonly dialogue?: DialogueStyle | undefined;
  /**
   * How textures are drawn. `trilinear` (default) is the original's filter. `fast` takes one texel of one mipmap level per
   * 8 x 8 pixels: several times as fast, and grainier.
   */
  readonly filter?: 'trilinear' | 'fast' | undefined;
  /** Samples per pixel: 4 (default) smooths edges as the original does, 1 does not. */
  readonly samples?: 1 | 4 | undefined;
  /** Folder with the original's pictures (`miniworld` or `miniworld/textures`); omitted: textures are generated. */
  readonly assets?: string | undefined;
  readonly renderMode?: RenderMode | undefined;
}

export interface CheckedOptions {
  readonly size: Size;
  readonly window: Size;
  readonly view: ViewName;
  readonly observation: ObservationKind;
  readonly numActions: number | undefined;
  readonly dialogue: DialogueStyle;
  readonly assets: string | undefined;
  readonly quality: Quality;
  readonly simulation: SimulationOptions;
}

/** Maximum side of a picture in pixels; a larger number is a typing error. */
const MAX_PIXELS = 4096;

const side = option.integer(1, MAX_PIXELS).optional();

/** The options of every environment; tasks of the suite have further ones (`TASK_OPTIONS`). */
const MINIWORLD_OPTIONS = z.strictObject({
  obsWidth: side,
  obsHeight: side,
  windowWidth: side,
  windowHeight: side,
  view: option.oneOf(['agent', 'top']).optional(),
  observation: option.oneOf(OBSERVATION_KINDS).optional(),
  numActions: option.integer(1, 8).optional(),
  dialogue: option.oneOf(DIALOGUE_STYLES).optional(),
  filter: option.oneOf(['trilinear', 'fast']).optional(),
  samples: z.literal([1, 4], { error: '1 or 4' }).optional(),
  assets: option.path('a folder').optional(),
  renderMode: option.renderMode().optional(),
  domainRand: option.boolean().optional(),
  split: option.oneOf(SPLITS).optional(),
  keyVersion: z.literal(KEY_VERSIONS, { error: '1 or 2' }).optional(),
  // `overrideParameters` checks each parameter.
  parameters: z.looseObject({}, { error: 'an object of parameters' }).optional(),
} satisfies Record<keyof MiniWorldOptions, z.ZodType>);

/** @throws {InvalidOptionError} Not an object. */
export function optionsObject<Options extends object>(options: Options): Options {
  if (typeof options === 'object' && options !== null) return options;
  throw new InvalidOptionError('options', options, 'an object; omit it for the defaults');
}

/**
 * @param others  Further known names, for the hint of an unknown option.
 * @throws {UnknownOptionError | InvalidOptionError}
 */
export function checkedOptions(options: MiniWorldOptions, others: readonly string[] = []): CheckedOptions {
  const {
    obsWidth = 80,
    obsHeight = 60,
    windowWidth = 800,
    windowHeight = 600,
    ...checked
  } = parseOptions(options, MINIWORLD_OPTIONS, { others });
  const {
    view = 'agent',
    observation = 'rgb',
    dialogue = 'plain-v1',
    domainRand,
    parameters,
    split,
    keyVersion,
  } = checked;
  return {
    size: { width: obsWidth, height: obsHeight },
    window: { width: windowWidth, height: windowHeight },
    view,
    observation,
    numActions: checked.numActions,
    dialogue,
    assets: checked.assets,
    quality: { filter: checked.filter ?? 'trilinear', samples: checked.samples ?? 4 },
    simulation: {
      ...(domainRand === undefined ? {} : { domainRand }),
      ...(parameters ? { parameters } : {}),
      split,
      keyVersion,
    },
  };
}
