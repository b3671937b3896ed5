/** The episode of a record that was taken; what cannot be read is played again instead of ending the run. */
import { GymError } from '@vlgym/core';
import type { PlayedEpisode } from '@vlgym/rl/rollout';
import type { BlobStore } from '../blobs/blob-store.js';
import { EpisodeInvalidError, episodeFromBytes } from '../blobs/episode-bytes.js';
import { isPlayed, type LedgerRecord } from '../ledger/record.js';
import type { Orchestrator } from '../orchestrator/orchestrator.js';

/** How often an order is played again: where workers write what the learner cannot read, no number of tries helps. */
const MAX_RETAKES = 3;

export interface ReadTakenOptions {
  readonly orchestrator: Pick<Orchestrator, 'retake'>;
  readonly blobs: Pick<BlobStore, 'get'>;
  readonly place: Parameters<typeof episodeFromBytes>[1];
  readonly signal?: AbortSignal | undefined;
}

export interface TakenEpisode {
  /** The one that counts: another than the given where the order was played again. */
  readonly record: LedgerRecord;
  /** Absent if the order was abandoned. */
  readonly episode?: PlayedEpisode;
}

/**
 * @throws {GymError} what the last of three more tries left is still unreadable; `REPLAY_INCOMPLETE` where a ledger is
 *   replayed; what `Orchestrator.take` throws.
 */
export async function readTaken(
  record: LedgerRecord,
  { orchestrator, blobs, place, signal }: ReadTakenOptions,
): Promise<TakenEpisode> {
  for (let again = 0; ; again += 1) {
    if (!isPlayed(record)) return { record };
    try {
      const episode = episodeFromBytes(await blobs.get(record.digest), place);
      const { seed } = episode.summary;
      if (seed !== record.seed) throw new EpisodeInvalidError(`it has seed ${seed}, its order ${record.seed}`);
      return { record, episode };
    } catch (error) {
      if (!GymError.isInstance(error) || again === MAX_RETAKES) throw error;
      record = await orchestrator.retake(record.order, error, { signal });
    }
  }
}
