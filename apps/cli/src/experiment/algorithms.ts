/** The algorithms that the command line knows, by preset name. */
import { presets as baselines } from '@vlgym/baselines';
import { closest } from '@vlgym/core';
import { presets as gtrTurbo } from '@vlgym/gtr-turbo';
import type { Preset } from '@vlgym/rl';
import { presets as vlDac } from '@vlgym/vl-dac';
import { UsageError } from '../command.js';

const PRESETS: Readonly<Record<string, Preset>> = { ...gtrTurbo, ...vlDac, ...baselines };

const TITLES: Readonly<Record<string, string>> = {
  'gtr-turbo-kl': 'GTR-Turbo (KL)',
  'gtr-turbo-sft': 'GTR-Turbo (SFT)',
  'vl-dac': 'VL-DAC',
  rl4vlm: 'RL4VLM',
};

export const algorithmNames = Object.keys(PRESETS);

export const titleOf = (name: string) => TITLES[name] ?? name;

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
