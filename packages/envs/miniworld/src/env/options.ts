/** Options of the environment that all worlds share, and their checks. */
import { checkedInteger, checkedOneOf, InvalidOptionError, type RenderMode, UnknownOptionError } from '@vlgym/core';
import { DIALOGUE_STYLES, type DialogueStyle } from '../dialogue/styles.js';
import type { Size, ViewName } from '../scene/painter.js';
import type { SimulationOptions } from '../tasks/simulation.js';

export const OBSERVATION_KINDS = ['rgb', 'depth', 'rgbd', 'text'] as const;

/**
 * - `rgb`: a picture.
 * - `depth`: metres along the view axis.
 * - `rgbd`: both.
 * - `text`: a description in words; nothing is drawn.
 */
export type ObservationKind = (typeof OBSERVATION_KINDS)[number];

export interface MiniWorldOptions extends SimulationOptions {
  /** Pixels of the observation; default 80 x 60. */
  readonly obsWidth?: number;
  readonly obsHeight?: number;
  /** Pixels of `render()`; default 800 x 600. */
  readonly windowWidth?: number;
  readonly windowHeight?: number;
  /** What `render()` shows: through the agent's eye (default) or from above. */
  readonly view?: ViewName;
  /** Default `rgb`. */
  readonly observation?: ObservationKind;
  /** Actions that the space declares, from the first; default the task's, and at least 4 with a dialogue of VL-DAC. The dialogue offers just these. */
  readonly numActions?: number;
  /** How the environment speaks with a model; default `plain-v1`. */
  readonly dialogue?: DialogueStyle;
  /** Folder with the original's pictures (`miniworld` or `miniworld/textures`); left out, textures are painted. */
  readonly assets?: string;
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
  readonly simulation: SimulationOptions;
}

const OWN_OPTIONS = [
  ...[
    'obsWidth',
    'obsHeight',
    'windowWidth',
    'windowHeight',
    'view',
    'observation',
    'numActions',
    'dialogue',
    'assets',
  ],
  ...['domainRand', 'parameters', 'split', 'renderMode'],
];

/** Largest side of a picture; more is a typing error. */
const MOST_PIXELS = 4096;

/** @throws {InvalidOptionError} No object at all. */
export function optionsObject<Options extends object>(options: Options): Options {
  if (typeof options === 'object' && options !== null) return options;
  throw new InvalidOptionError('options', options, 'an object; leave it out for the defaults');
}

/**
 * @param others  Names that the caller has taken already, for the hint of an unknown one.
 * @throws {UnknownOptionError | InvalidOptionError}
 */
export function checkedOptions(options: MiniWorldOptions, others: readonly string[] = []): CheckedOptions {
  for (const name of Object.keys(optionsObject(options))) {
    if (!OWN_OPTIONS.includes(name)) throw new UnknownOptionError(name, [...others, ...OWN_OPTIONS]);
  }
  const { obsWidth = 80, obsHeight = 60, windowWidth = 800, windowHeight = 600, numActions, assets } = options;
  const { view = 'agent', observation = 'rgb', dialogue = 'plain-v1', domainRand, parameters, split } = options;
  const side = (name: string, value: number) => checkedInteger(name, value, 1, MOST_PIXELS);
  if (numActions !== undefined) checkedInteger('numActions', numActions, 1, 8);
  if (assets !== undefined && typeof assets !== 'string') throw new InvalidOptionError('assets', assets, 'a folder');
  return {
    size: { width: side('obsWidth', obsWidth), height: side('obsHeight', obsHeight) },
    window: { width: side('windowWidth', windowWidth), height: side('windowHeight', windowHeight) },
    view: checkedOneOf('view', view, ['agent', 'top']),
    observation: checkedOneOf('observation', observation, OBSERVATION_KINDS),
    numActions,
    dialogue: checkedOneOf('dialogue', dialogue, DIALOGUE_STYLES),
    assets,
    simulation: { ...(domainRand === undefined ? {} : { domainRand }), ...(parameters ? { parameters } : {}), split },
  };
}
