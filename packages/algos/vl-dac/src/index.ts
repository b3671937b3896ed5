import type { Presets } from '@vlgym/rl';
import { vlDac } from './vl-dac.js';

export { vlDac };

/** Presets of this package by name. */
export const presets: Presets = { 'vl-dac': vlDac };
