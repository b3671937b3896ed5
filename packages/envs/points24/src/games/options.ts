/** Options and small parts that all games share. */
import {
  checkedOneOf,
  checkedSplit,
  type EnvSnapshot,
  InvalidOptionError,
  type RenderMode,
  SnapshotMismatchError,
  type Split,
  type SplitOption,
  UnknownOptionError,
} from '@vlgym/core';
import { DIALOGUE_STYLES, type DialogueOptions, type DialogueStyle } from '../dialogue/style.js';
import { PUBLISHED_SIZE, type Size } from '../pictures/canvas.js';

export interface CardGameOptions extends SplitOption {
  /** `rgb_array` renders the picture, `ansi` a text for terminals. */
  readonly renderMode?: RenderMode | undefined;
  /** Pixels of the picture, 16 to 4096 a side; default 300 x 300 as published. 84 x 112 can still be read. */
  readonly size?: Size;
  /** How the game speaks with a model; default `rl4vlm-v1`. */
  readonly dialogue?: DialogueStyle;
  /** Ask for the action alone, without thoughts; default false. */
  readonly actionOnly?: boolean;
}

export const RENDERING = { renderModes: ['rgb_array', 'ansi'], renderFps: 2 } as const;

/** Of all games, for the hint. */
const OPTIONS = [
  ...['size', 'dialogue', 'actionOnly', 'renderMode', 'split', 'target', 'maxSteps', 'solvableOnly', 'faceCardsAsTen'],
  ...['treatFaceCardsAs10', 'maxPosition', 'natural', 'sab', 'isPixel', 'cards'],
];

export interface CheckedOptions {
  readonly size: Size;
  readonly dialogue: DialogueOptions;
  readonly split: Split | undefined;
}

/**
 * @param options  What is left when a game has taken its own.
 * @throws {UnknownOptionError} A key that the game does not have.
 * @throws {InvalidOptionError} A size or dialogue that there is not.
 */
export function checkedOptions({
  size = PUBLISHED_SIZE,
  dialogue,
  actionOnly,
  split,
  renderMode: _,
  ...others
}: CardGameOptions): CheckedOptions {
  for (const name of Object.keys(others)) {
    const elsewhere = OPTIONS.includes(name) ? 'another of the card games has it' : undefined;
    throw new UnknownOptionError(name, OPTIONS, elsewhere);
  }
  const sides = [size.height, size.width];
  if (!sides.every((side) => Number.isInteger(side) && side >= 16 && side <= 4096)) {
    throw new InvalidOptionError('size', size, '{ height, width } with 16 to 4096 pixels each');
  }
  if (dialogue !== undefined) checkedOneOf('dialogue', dialogue, DIALOGUE_STYLES);
  return {
    size: { height: size.height, width: size.width },
    dialogue: { style: dialogue, actionOnly },
    split: checkedSplit(split),
  };
}

/** A deep copy of the saved state. @throws {SnapshotMismatchError} */
export function savedState<State>(snapshot: EnvSnapshot, kind: string): State {
  if (snapshot.kind !== kind) throw new SnapshotMismatchError(snapshot.kind, kind);
  return structuredClone(snapshot.state) as State;
}
