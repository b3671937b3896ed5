import type { Presets } from '@vlgym/rl';
import { dapo } from './dapo.js';
import { gigpo } from './gigpo.js';
import { grpo } from './grpo.js';
import { loop } from './loop.js';
import { rl4vlm, rl4vlmStabilized } from './rl4vlm.js';
import { rloo } from './rloo.js';

export { dapo, gigpo, grpo, loop, rl4vlm, rl4vlmStabilized, rloo };

/** Presets of this package by name. */
export const presets: Presets = { rl4vlm, 'rl4vlm-stabilized': rl4vlmStabilized, grpo, dapo, loop, rloo, gigpo };
