/** The algorithms that the command line knows, by preset name. */
import { presets as baselines } from '@vlgym/baselines';
import { closest } from '@vlgym/core';
import { presets as gtrTurbo } from '@vlgym/gtr-turbo';
import type { Algorithm, Preset } from '@vlgym/rl';
import { presets as vlDac } from '@vlgym/vl-dac';
import { UsageError } from '../command.js';
import { overridesFor } from './settings.js';
import type { RunSpec } from './spec.js';

const PRESETS: Readonly<Record<string, Preset>> = { ...gtrTurbo, ...vlDac, ...baselines };

const TITLES: Readonly<Record<string, string>> = {
  'gtr-turbo-kl': 'GTR-Turbo (KL)',
  'gtr-turbo-sft': 'GTR-Turbo (SFT)',
  'vl-dac': 'VL-DAC',
  rl4vlm: 'RL4VLM',
  'rl4vlm-stabilized': 'RL4VLM, stabilized',
};

export const algorithmNames = Object.keys(PRESETS);

export const titleOf = (name: string) => TITLES[name] ?? name;

/** The algorithm of a run with every choice made. @throws {UsageError} Its name is unknown. */
export function algorithmOf(spec: Pick<RunSpec, 'algorithm' | 'replicate' | 'env' | 'model' | 'set'>): Algorithm {
  return presetOf(spec.algorithm)(overridesFor(spec), { replicate: spec.replicate });
}

/** @throws {UsageError} No preset has this name. */
export function presetOf(name: string): Preset {
  const preset = PRESETS[name];
  if (preset) return preset;
  const near = closest(name, algorithmNames);
  throw new UsageError(`There is no algorithm "${name}".`, {
    expected: `one of ${algorithmNames.join(', ')}`,
    ...(near ? { hint: `did you mean "${near}"?` } : {}),
  });
}
