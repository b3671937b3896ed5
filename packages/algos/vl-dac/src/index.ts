import type { Preset } from '@vlgym/rl';
import { vlDac } from './vl-dac.js';

export { vlDac };

/** Presets of this package by name. */
export const presets: Readonly<Record<string, Preset>> = { 'vl-dac': vlDac };
