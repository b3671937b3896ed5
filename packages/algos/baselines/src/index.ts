import type { Preset } from '@vlgym/rl';
import { rl4vlm } from './rl4vlm.js';

export { rl4vlm };

/** Presets of this package by name. */
export const presets: Readonly<Record<string, Preset>> = { rl4vlm };
