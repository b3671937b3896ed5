import type { Presets } from '@vlgym/rl';
import { gtrTurboKl } from './gtr-turbo-kl.js';
import { gtrTurboSft } from './gtr-turbo-sft.js';

export { DaggerSet } from './guidance/dagger-set.js';
export { MIN_KL_STD, teacherPenalty } from './guidance/penalty.js';
export { AdapterHistory } from './merge/adapter-history.js';
export * from './merge/linear.js';
export * from './merge/lora.js';
export * from './merge/merge-into-teacher.js';
export * from './merge/metrics.js';
export * from './merge/ties.js';
export * from './merge/weights.js';
export { type MergeablePolicy, mergeable, PolicyNotMergeableError } from './mergeable-policy.js';
export { Teacher } from './teacher.js';
export { gtrTurboKl, gtrTurboSft };

/** Presets of this package by name. */
export const presets: Presets = { 'gtr-turbo-kl': gtrTurboKl, 'gtr-turbo-sft': gtrTurboSft };
