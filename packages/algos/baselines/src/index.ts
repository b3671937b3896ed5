import type { Preset } from '@vlgym/rl';
import { rl4vlm, rl4vlmStabilized } from './rl4vlm.js';

export { rl4vlm, rl4vlmStabilized };

/** Presets of this package by name. */
export const presets: Readonly<Record<string, Preset>> = { rl4vlm, 'rl4vlm-stabilized': rl4vlmStabilized };
