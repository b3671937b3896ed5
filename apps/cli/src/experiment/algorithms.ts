/** The algorithms that the command line knows, by preset name. */
import { presets as baselines } from '@vlgym/baselines';
import { closest } from '@vlgym/core';
import { presets as gtrTurbo } from '@vlgym/gtr-turbo';
import type { Algorithm, Presets } from '@vlgym/rl';
import { presets as vlDac } from '@vlgym/vl-dac';
import { UsageError } from '../command.js';
import { overridesFor } from './settings.js';
import type { RunSpec } from './spec.js';

const PRESETS: Presets = { ...gtrTurbo, ...vlDac, ...baselines };

export const algorithmNames = Object.keys(PRESETS);

export const titleOf = (name: string) => PRESETS[name]?.title ?? name;

/** The algorithm of a run with every option set. @throws {UsageError} Its name is unknown. */
export function algorithmOf(spec: Pick<RunSpec, 'algorithm' | 'replicate' | 'env' | 'model' | 'set'>): Algorithm {
  const preset = presetOf(spec.algorithm);
  return preset(overridesFor(spec, preset.options), { replicate: spec.replicate });
}

/** @throws {UsageError} No preset has this name. */
export function presetOf(name: string): Presets[string] {
  const preset = PRESETS[name];
  if (preset) return preset;
  const near = closest(name, algorithmNames);
  throw new UsageError(`Unknown algorithm "${name}".`, {
    expected: `one of ${algorithmNames.join(', ')}`,
    ...(near ? { hint: `did you mean "${near}"?` } : {}),
  });
}
