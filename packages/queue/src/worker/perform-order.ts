/**
 * One order, from delivery to commit, in the one order of steps that survives a death between any two of them.
 *
 * | death between     | what happens                                                        |
 * | ----------------- | ------------------------------------------------------------------- |
 * | play and blob     | delivered again, played again from the same seed                    |
 * | blob and commit   | delivered again; an orphan blob is left, removed by age             |
 * | commit and return | delivered again; the first check finds it and returns at once       |
 */

import { checkNames, names } from '@vlgym/core/internal';
import type { ContentHash } from '@vlgym/core/trajectory';
import type { BlobStore } from '../blobs/blob-store.js';
import { episodeToBytes } from '../blobs/episode-bytes.js';
import type { LedgerRecord } from '../ledger/record.js';
import type { WorkOrder } from '../order.js';
import type { WorkerLedger } from '../rollout-queue.js';
import type { EpisodePlayer } from './player.js';

/** Moments at which tests end the process. */
export type FaultPoint = 'checked' | 'played' | 'stored' | 'committed';

export type Verdict = 'first' | 'duplicate' | 'already';

export interface PerformOptions {
  readonly ledger: WorkerLedger;
  readonly blobs: BlobStore;
  readonly player: EpisodePlayer;
  /** Name of the worker. */
  readonly worker: string;
  readonly attempt: number;
  /** Milliseconds since 1970, for the record only. */
  readonly now: () => number;
  readonly signal?: AbortSignal | undefined;
  readonly onPoint?: ((point: FaultPoint, order: WorkOrder) => Promise<void> | void) | undefined;
}

export interface Performed {
  readonly verdict: Verdict;
  readonly digest?: ContentHash;
}

const PERFORM_ORDER_OPTIONS = names<PerformOptions>({
  ledger: 0,
  blobs: 0,
  player: 0,
  worker: 0,
  attempt: 0,
  now: 0,
  signal: 0,
  onPoint: 0,
});

/** @throws what the player throws, and {FileWriteError} where the blob cannot be stored: nothing is committed then. */
export async function performOrder(order: WorkOrder, options: PerformOptions): Promise<Performed> {
  checkNames('options', options, PERFORM_ORDER_OPTIONS);
  const { ledger, blobs, player, worker, attempt, now, signal, onPoint } = options;
  if (await ledger.has(order.order)) return { verdict: 'already' };
  await onPoint?.('checked', order);
  const startedAt = now();
  const episode = await player.play(order, signal);
  await onPoint?.('played', order);
  const digest = await blobs.put(episodeToBytes(episode));
  await onPoint?.('stored', order);
  // a worker without a lease must not commit; the ledger would refuse it, and this saves the request
  signal?.throwIfAborted();
  const { steps, summary } = episode;
  const last = steps.at(-1);
  const record: LedgerRecord = {
    order: order.order,
    group: order.group,
    index: order.index,
    seed: summary.seed,
    outcome: last?.error ? 'environment-error' : last?.truncated ? 'truncated' : 'ok',
    digest,
    steps: steps.length,
    tokens: steps.reduce((sum, step) => sum + step.responseIds.length, 0),
    policyVersions: versionsByStep(steps),
    attempt,
    worker,
    startedAt,
    endedAt: now(),
  };
  const verdict = await ledger.commit(record);
  await onPoint?.('committed', order);
  return { verdict, digest };
}

/** Runs of steps with the same weights. */
function versionsByStep(steps: readonly { readonly policyVersion: number }[]): LedgerRecord['policyVersions'] {
  const runs: LedgerRecord['policyVersions'] = [];
  steps.forEach(({ policyVersion }, index) => {
    const version = String(policyVersion);
    const last = runs.at(-1);
    if (last?.[0] === version) last[2] = index;
    else runs.push([version, index, index]);
  });
  return runs;
}
