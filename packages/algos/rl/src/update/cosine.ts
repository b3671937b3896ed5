/**
 * Learning rates by update: cosine annealing and warm-up followed by a cosine.
 *
 * Rules: `docs/specs/algorithms.md` 0.10 and 11. Pinned by `test/golden/algos/schedules.json`.
 */

import { checkNames, names } from '@vlgym/core/internal';
export interface CosineOptions {
  readonly initial: number;
  readonly final: number;
  /** Updates from `initial` to `final`. */
  readonly period: number;
  /** After the period: `clamped` stays at `final` (default), `periodic` rises again as the common library's formula does. */
  readonly beyond?: 'clamped' | 'periodic' | undefined;
}

const COSINE_OPTIONS = names<CosineOptions>({ initial: 0, final: 0, period: 0, beyond: 0 });

/** final + (initial − final)·(1 + cos(π·update / period)) / 2; `update` counts from 0. */
export function cosine(update: number, options: CosineOptions): number {
  checkNames('options', options, COSINE_OPTIONS);
  const { initial, final, period, beyond = 'clamped' } = options;

  const position = beyond === 'clamped' ? Math.min(update, period) : update;
  return final + ((initial - final) * (1 + Math.cos((Math.PI * position) / period))) / 2;
}

export interface WarmupCosineOptions {
  readonly peak: number;
  readonly total: number;
  /** Share of `total` spent rising linearly from 0; the number of steps is rounded up. Default 0.03. */
  readonly warmupRatio?: number | undefined;
}

const WARMUP_COSINE_OPTIONS = names<WarmupCosineOptions>({ peak: 0, total: 0, warmupRatio: 0 });

/** Linear from 0 to `peak`, then half a cosine to 0 at `total`. */
export function warmupCosine(step: number, options: WarmupCosineOptions): number {
  checkNames('options', options, WARMUP_COSINE_OPTIONS);
  const { peak, total, warmupRatio = 0.03 } = options;

  const warmup = Math.ceil(warmupRatio * total);
  if (step < warmup) return (peak * step) / warmup;
  const position = Math.min((step - warmup) / Math.max(1, total - warmup), 1);
  return (peak * (1 + Math.cos(Math.PI * position))) / 2;
}
