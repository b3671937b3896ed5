/** The recorded episodes behind a folder: for `watch`, `replay`, `compare`, `export`, `sft` and `status`. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { EPISODES_FILE } from '@vlgym/core/internal';
import { UsageError } from '../command-line/usage-error.js';
import { exists, newestIn, type Place, placeOf } from './place.js';

/** Cells of a suite lie at FOLDER/ENVIRONMENT/AGENT. */
const DEPTH = 2;
const isData = (path: string) => /\.(jsonl|parquet)$/.test(path);

/**
 * Folders with `episodes.jsonl`, in the order of their names; several for a suite. A file of rows is itself.
 *
 * @param given  A run or `RUN@latest` (the episodes of its last evaluation), its checkpoint, its warm start, or a recording.
 * @throws {UsageError} It does not exist, or holds no episodes, or those of several runs.
 */
export async function recordingsIn(given: string): Promise<string[]> {
  const isFile = await stat(given).then(
    (found) => !found.isDirectory(),
    () => false,
  );
  if (isData(given)) return [given];
  if (isFile) throw noEpisodes(given, 'a recording in a file ends in .jsonl, other rows in .jsonl or .parquet');
  const place = await placeOf(given);
  const folder = await evaluatedAt(place);
  const own = [folder, join(folder, 'episodes')];
  for (const each of own) if (await exists(join(each, EPISODES_FILE))) return [each];
  const found = place.run === undefined ? await below(folder, DEPTH) : [];
  if (found.length > 0) return found;
  throw noEpisodes(
    given,
    place.run === undefined
      ? 'record some: vlgym eval … --record FOLDER'
      : 'a run records its last evaluation; before that, its start has episodes: RUN/start',
  );
}

const noEpisodes = (given: string, hint: string) =>
  new UsageError(`${given} holds no recorded episodes.`, {
    expected: 'a run, a folder that `eval --record` or `suite` wrote, or an episodes.jsonl',
    hint,
  });

/** Episodes of a run are those of its last evaluation. */
async function evaluatedAt({ given, folder, update, run }: Place): Promise<string> {
  if (run === undefined) return folder;
  if (folder.startsWith(join(run, 'start')) || update === 0) return join(run, 'start');
  const newest = await newestIn(run);
  if (update === 'latest' || newest?.update === update) return run;
  throw new UsageError(`${given}: the run has no episodes of update ${update}.`, {
    expected: `${run} for the episodes of its last evaluation, or ${run}@0 for those before training`,
    hint: `play them: vlgym eval --agent policy --weights ${given} --record FOLDER`,
  });
}

/** @throws {UsageError} Below lie runs: each is to be named. */
async function below(folder: string, depth: number): Promise<string[]> {
  if (depth === 0) return [];
  const entries = await readdir(folder, { withFileTypes: true });
  const found: string[] = [];
  for (const { name } of entries.filter((entry) => entry.isDirectory()).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, name);
    if (await exists(join(path, 'run.json'))) {
      throw new UsageError(`${folder} holds runs, not episodes.`, {
        expected: `one of them, such as ${path}`,
        hint: 'vlgym status FOLDER lists them',
      });
    }
    found.push(...((await exists(join(path, EPISODES_FILE))) ? [path] : await below(path, depth - 1)));
  }
  return found;
}
