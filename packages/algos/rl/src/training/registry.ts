/**
 * Algorithms by name, for programs that choose one by its name: a package registers its presets when it is imported, as
 * environments do.
 */
import { GymError } from '@vlgym/core';
import type { Presets } from './algorithm.js';

/** Shared by every copy of this package in a process. */
const KEY = Symbol.for('vlgym.algorithms');

const registered = (): Map<string, Presets[string]> => {
  const holder = globalThis as { [KEY]?: Map<string, Presets[string]> };
  holder[KEY] ??= new Map();
  return holder[KEY];
};

/**
 * Makes presets known by name: `vlgym train NAME --import PACKAGE`.
 *
 * @throws {GymError} `ALGORITHM_NAME_TAKEN`: another preset has the name. `INVALID_OPTION`: not a preset.
 */
export function registerAlgorithms(presets: Presets): void {
  for (const [name, preset] of Object.entries(presets)) {
    if (typeof preset !== 'function' || typeof preset.title !== 'string' || !preset.options) {
      throw new GymError(`The algorithm "${name}" is not a preset.`, {
        code: 'INVALID_OPTION',
        value: name,
        expected: 'what `defineAlgorithm` returns',
      });
    }
    const known = registered().get(name);
    if (known && known !== preset) {
      throw new GymError(`The algorithm name "${name}" is taken by ${known.title}.`, {
        code: 'ALGORITHM_NAME_TAKEN',
        value: name,
        hint: 'choose another name',
      });
    }
    registered().set(name, preset);
  }
}

/** All registered presets by name. */
export const registeredAlgorithms = (): Presets => Object.fromEntries(registered());
