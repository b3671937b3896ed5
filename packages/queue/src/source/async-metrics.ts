/**
 * Metrics of asynchronous learning in a batch. Those under `async/` follow from the ledger and are equal in a replay; those
 * under `queue/` are measured.
 */
import type { MetricsTally, StepRecord } from '@vlgym/rl';
import type { EpisodeSummary } from '@vlgym/rl/rollout';
import type { LedgerRecord } from '../ledger/record.js';

/** @param staleness  [B] publications between the oldest token of each step and now. */
export function stalenessMetrics(
  steps: readonly StepRecord[],
  staleness: readonly number[],
  metrics: MetricsTally,
): void {
  if (steps.length === 0) return;
  const sorted = staleness.toSorted((a, b) => a - b);
  metrics.setAll({
    'async/staleness-mean': sorted.reduce((sum, value) => sum + value, 0) / sorted.length,
    'async/staleness-max': sorted.at(-1)!,
    'async/staleness-p95': sorted[Math.min(sorted.length - 1, Math.floor(0.95 * sorted.length))]!,
    'async/withheld-share': steps.filter(({ withheld }) => withheld).length / steps.length,
  });
}

/** Success and length of the episodes by staleness: shows whether older weights perform worse. */
export function episodeMetrics(
  { success, length }: Pick<EpisodeSummary, 'success' | 'length'>,
  staleness: number,
  metrics: MetricsTally,
): void {
  metrics.mean(`async/success-at-staleness-${staleness}`, success ? 1 : 0);
  metrics.mean(`async/length-at-staleness-${staleness}`, length);
}

export interface Cycle {
  /** Milliseconds between the end of the previous batch and the end of this one. */
  readonly lastedMs: number;
  /** How long of that the learner waited for episodes. */
  readonly waitedMs: number;
  /** Episodes that workers play at a time. */
  readonly slots: number;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export function measuredMetrics(records: readonly LedgerRecord[], cycle: Cycle, metrics: MetricsTally): void {
  const { lastedMs, waitedMs, slots, now } = cycle;
  let played = 0;
  for (const { startedAt, endedAt } of records) {
    played += endedAt - startedAt;
    metrics.mean('queue/in-flight-age', (endedAt - startedAt) / 1000);
    metrics.mean('queue/in-queue-age', Math.max(0, now - endedAt) / 1000);
  }
  if (lastedMs <= 0) return;
  metrics.set('queue/idle-learner-share', Math.min(1, waitedMs / lastedMs));
  if (slots > 0) metrics.set('queue/idle-sampler-share', Math.max(0, 1 - played / (slots * lastedMs)));
}
