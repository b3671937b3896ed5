import type { Presets } from '@vlgym/rl';
import { gtr, gtrWith } from './gtr.js';
import { gtrTurboKl } from './gtr-turbo-kl.js';
import { gtrTurboSft } from './gtr-turbo-sft.js';

export {
  type Corrector,
  expertCorrector,
  type ModelCorrectorOptions,
  modelCorrector,
  type Verdict,
} from './guidance/corrector.js';
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
export { gtr, gtrTurboKl, gtrTurboSft, gtrWith };

/** Presets of this package by name. */
export const presets: Presets = { gtr, 'gtr-turbo-kl': gtrTurboKl, 'gtr-turbo-sft': gtrTurboSft };
