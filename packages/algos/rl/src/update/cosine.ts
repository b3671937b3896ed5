/**
 * Learning rates by update: cosine annealing and warm-up followed by a cosine.
 *
 * Rules: `docs/specs/algorithms.md` 0.10 and 11. Pinned by `test/golden/algos/schedules.json`.
 */

export interface CosineOptions {
  readonly initial: number;
  readonly final: number;
  /** Updates from `initial` to `final`. */
  readonly period: number;
  /** After the period: `clamped` stays at `final` (default), `periodic` rises again as the common library's formula does. */
  readonly beyond?: 'clamped' | 'periodic' | undefined;
}

/** final + (initial − final)·(1 + cos(π·update / period)) / 2; `update` counts from 0. */
export function cosine(update: number, { initial, final, period, beyond = 'clamped' }: CosineOptions): number {
  const position = beyond === 'clamped' ? Math.min(update, period) : update;
  return final + ((initial - final) * (1 + Math.cos((Math.PI * position) / period))) / 2;
}

export interface WarmupCosineOptions {
  readonly peak: number;
  readonly total: number;
  /** Share of `total` spent rising linearly from 0; the number of steps is rounded up. Default 0.03. */
  readonly warmupRatio?: number | undefined;
}

/** Linear from 0 to `peak`, then half a cosine to 0 at `total`. */
export function warmupCosine(step: number, { peak, total, warmupRatio = 0.03 }: WarmupCosineOptions): number {
  const warmup = Math.ceil(warmupRatio * total);
  if (step < warmup) return (peak * step) / warmup;
  const position = Math.min((step - warmup) / Math.max(1, total - warmup), 1);
  return (peak * (1 + Math.cos(Math.PI * position))) / 2;
}
