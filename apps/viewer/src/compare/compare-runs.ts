/** Two runs: which settings differ, and how they did on the seeds that both played. */

import { join } from 'node:path';
import { pairedComparison } from '@vlgym/agents';
import type { IndexedEpisode } from '@vlgym/core/internal';
import { TO_THE_END } from '../episodes/played-episodes.js';
import { jsonFile } from '../folders/json-file.js';
import type { Run } from '../folders/run.js';
import { differencesOf, settingsOf } from '../folders/settings.js';
import { record } from '../folders/values.js';
import type { PairedSeed, RunComparison } from '../protocol.js';

const MAX_PAIRS = 5000;

/** The statistics are those of `vlgym compare` and of the reports. */
export async function compareRuns(first: Run, second: Run): Promise<RunComparison> {
  const [a, b] = await Promise.all(
    [first, second].map(async (run) => bySeed((await run.played?.all(TO_THE_END)) ?? [])),
  );
  const [one, other] = await Promise.all(
    [first, second].map(async ({ folder }) => settingsOf(record(await jsonFile(join(folder, 'run.json'))))),
  );
  const pairs = [...a!].flatMap(([seed, row]): PairedSeed[] => {
    const found = b!.get(seed);
    return found ? [{ seed, first: sideOf(row), second: sideOf(found) }] : [];
  });
  const settings = differencesOf(one!, other!);
  if (pairs.length === 0) return { settings, pairs };
  const outcomes = (rows: ReadonlyMap<number, IndexedEpisode>) =>
    pairs.map(({ seed }) => {
      const { task, success = false } = rows.get(seed)!;
      return { seed, repeat: 0, success, counted: true, ...(task !== undefined && { taskKey: task }) };
    });
  const { difference, interval95, pValue, tasks } = pairedComparison(outcomes(a!), outcomes(b!));
  return { settings, pairs: pairs.slice(0, MAX_PAIRS), difference, interval95, pValue, tasks };
}

/** The first episode of each seed that ended by itself. */
function bySeed(rows: readonly IndexedEpisode[]): Map<number, IndexedEpisode> {
  const found = new Map<number, IndexedEpisode>();
  for (const row of rows) {
    if (row.seed !== undefined && row.endedBy !== 'interrupted' && !found.has(row.seed)) found.set(row.seed, row);
  }
  return found;
}

const sideOf = ({ id, success = false, return: sum }: IndexedEpisode) => ({ id, success, return: sum });
