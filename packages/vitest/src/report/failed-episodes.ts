/** The last steps of failed episodes, out of their recording. */
import type { EpisodeRow } from '@vlgym/agents';
import { readTrajectories, type Trajectory, type TrajectoryStep } from '@vlgym/core/trajectory';
import type { FailedEpisode, FailedStep } from '../check.js';

const MAX_EPISODES = 3;
const MAX_STEPS = 12;
const MAX_WORDS = 160;

export async function failedEpisodes(
  folder: string | undefined,
  rows: readonly EpisodeRow[],
): Promise<FailedEpisode[]> {
  const failed = rows.filter(({ success }) => !success).slice(0, MAX_EPISODES);
  const recorded = new Map<string, Trajectory>();
  if (folder !== undefined && failed.length > 0) {
    const ids = new Set(failed.map(({ id }) => id));
    for await (const trajectory of readTrajectories(folder, { onInvalid: 'skip' })) {
      if (ids.has(trajectory.id)) recorded.set(trajectory.id, trajectory);
    }
  }
  return failed.map((row) => ({
    id: row.id,
    seed: row.seed,
    end: endOf(row),
    return: row.return,
    length: row.length,
    steps: (recorded.get(row.id)?.steps ?? []).slice(-MAX_STEPS).map(stepOf),
  }));
}

function endOf({ endedBy, truncationReason, error, counted }: EpisodeRow): string {
  const why = error ? `${error.code}: ${firstLine(error.message)}` : (truncationReason ?? endedBy);
  return counted ? why : `excluded, ${why}`;
}

function stepOf({ index, actionText, action, response, reward, reason, error, toolCalls }: TrajectoryStep): FailedStep {
  const words = actionText ?? (action === undefined ? (response ?? '') : asText(action));
  const problem = error ? `${error.code}: ${firstLine(error.message)}` : reason;
  const tools = (toolCalls ?? []).map(({ name }) => name);
  return {
    index,
    action: firstLine(words),
    reward,
    ...(problem !== undefined && { problem }),
    ...(tools.length > 0 && { tools }),
  };
}

const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
const firstLine = (text: string) => text.trim().split('\n')[0]!.slice(0, MAX_WORDS);
