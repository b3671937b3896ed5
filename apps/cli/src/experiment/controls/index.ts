/** All controls; a new one is a file and a line here. */
import { closest } from '@vlgym/core';
import { UsageError } from '../../usage-error.js';
import { betaZero } from './beta-zero.js';
import { blankedPictures } from './blanked-pictures.js';
import type { Control, PictureControl, RunControl } from './control.js';
import { imitation } from './imitation.js';
import { imitationExpert } from './imitation-expert.js';
import { placebo } from './placebo.js';
import { shuffledPictures } from './shuffled-pictures.js';

export const controls: readonly Control[] = [
  imitation,
  imitationExpert,
  betaZero,
  placebo,
  blankedPictures,
  shuffledPictures,
];

export const runControls = controls.filter((control): control is RunControl => control.kind !== 'pictures');
export const pictureControls = controls.filter((control): control is PictureControl => control.kind === 'pictures');

/** @throws {UsageError} No run control has this name. */
export function runControl(name: string): RunControl {
  const control = runControls.find((each) => each.name === name);
  if (control) return control;
  const names = runControls.map((each) => each.name);
  const near = closest(name, names);
  throw new UsageError(`Unknown control "${name}".`, {
    expected: `one of ${names.join(', ')}`,
    ...(near ? { hint: `did you mean "${near}"?` } : {}),
  });
}
