/** The algorithms that the command line knows by name: those it depends on, and those that an import registered. */
import { presets as baselines } from '@vlgym/baselines';
import { closest } from '@vlgym/core';
import { presets as gtrTurbo } from '@vlgym/gtr-turbo';
import { type Algorithm, type Presets, registerAlgorithms, registeredAlgorithms } from '@vlgym/rl';
import { presets as vlDac } from '@vlgym/vl-dac';
import { UsageError } from '../command.js';
import { overridesFor } from './settings.js';
import type { RunSpec } from './spec.js';

registerAlgorithms({ ...gtrTurbo, ...vlDac, ...baselines });

export const algorithmNames = (): string[] => Object.keys(registeredAlgorithms());

export const titleOf = (name: string) => registeredAlgorithms()[name]?.title ?? name;

/** The algorithm of a run with every option set. @throws {UsageError} Its name is unknown. */
export function algorithmOf(spec: Pick<RunSpec, 'algorithm' | 'replicate' | 'env' | 'model' | 'set'>): Algorithm {
  const preset = presetOf(spec.algorithm);
  return preset(overridesFor(spec, preset.options), { replicate: spec.replicate });
}

/** @throws {UsageError} No preset has this name. */
export function presetOf(name: string): Presets[string] {
  const preset = registeredAlgorithms()[name];
  if (preset) return preset;
  const near = closest(name, algorithmNames());
  throw new UsageError(`Unknown algorithm "${name}".`, {
    expected: `one of ${algorithmNames().join(', ')}`,
    ...(near ? { hint: `did you mean "${near}"?` } : {}),
  });
}
