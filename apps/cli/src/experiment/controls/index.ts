/** All controls: those of the command line, a file and a line here each, and those that algorithms define. */
import { closest } from '@vlgym/core';
import { mergeDeep } from '@vlgym/core/internal';
import { type Given, givenBy, mergeGiven } from '../../command-line/given.js';
import { UsageError } from '../../command-line/usage-error.js';
import { algorithmControls } from '../algorithms.js';
import { blankedPictures } from './blanked-pictures.js';
import type { Control, PictureControl, RunControl } from './control.js';
import { imitation } from './imitation.js';
import { imitationExpert } from './imitation-expert.js';
import { shuffledPictures } from './shuffled-pictures.js';

export const pictureControls: readonly PictureControl[] = [blankedPictures, shuffledPictures];

/** Those of the algorithms that are known by now. */
export const runControls = (): readonly RunControl[] => [imitation, imitationExpert, ...algorithmControls()];

export const controls = (): readonly Control[] => [...runControls(), ...pictureControls];

/** @throws {UsageError} No run control has this name. */
export function runControl(name: string): RunControl {
  const control = runControls().find((each) => each.name === name);
  if (control) return control;
  const names = runControls().map((each) => each.name);
  const near = closest(name, names);
  throw new UsageError(`Unknown control "${name}".`, {
    expected: `one of ${names.join(', ')}`,
    ...(near ? { hint: `did you mean "${near}"?` } : {}),
  });
}

/** The choices of a run under the control that it names: with that one's algorithm and settings. */
export function underControl<T extends Controlled>(choices: T): T {
  if (choices.control === undefined) return choices;
  const control = runControl(choices.control);
  if (control.kind === 'imitation') return { ...choices, algorithm: control.name };
  return {
    ...choices,
    algorithm: control.algorithm,
    set: mergeDeep(choices.set, control.set),
    given: mergeGiven(choices.given ?? {}, { set: givenBy('control', control.set) }),
  };
}

interface Controlled {
  readonly control?: string | undefined;
  readonly algorithm: string;
  readonly set: Readonly<Record<string, unknown>>;
  readonly given?: Given | undefined;
}
