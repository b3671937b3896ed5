/** How an episode ended, from the slot that played it and its last step. */
import type { EpisodeSummary, StepRecord } from './record.js';
import type { Slot } from './slot.js';

export function summarizeEpisode(slot: Slot, { terminated, error }: StepRecord): EpisodeSummary {
  const { info, episodeId: id, seed, taskKey, return: total, history } = slot;
  const given = [info.truncationReason, info.terminationReason].find((entry) => typeof entry === 'string');
  return {
    id,
    seed,
    ...(taskKey !== undefined && { taskKey }),
    return: total,
    length: history.length,
    // the environment says so itself; where it says nothing, a positive return counts
    success: typeof info.success === 'boolean' ? info.success : total > 0,
    reason: error ? 'environment-error' : (given ?? (terminated ? 'terminated' : 'environment')),
  };
}
