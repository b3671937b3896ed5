import type { Presets } from '@vlgym/rl';
import { vlDac, vlDacActor } from './vl-dac.js';

export { vlDac, vlDacActor };

/** Presets of this package by name. */
export const presets: Presets = { 'vl-dac': vlDac };
