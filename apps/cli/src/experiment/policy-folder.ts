/** The folder of weights that a run, a checkpoint or a warm start holds. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from '../usage-error.js';

/** @throws {UsageError} None of the places that a run writes to holds weights. */
export async function policyFolder(folder: string): Promise<string> {
  const latest = await readFile(join(folder, 'latest'), 'utf8').then(
    (name) => [join(folder, name.trim())],
    () => [],
  );
  const places = [...latest, folder].flatMap((place) => [place, join(place, 'policy')]);
  const found = places.find((place) => existsSync(join(place, 'policy.json')));
  if (found !== undefined) return found;
  throw new UsageError(`${folder} holds no weights.`, {
    expected: 'the folder of a run, one of its checkpoints, or its start',
    hint: '`vlgym train` and `vlgym sft` write them',
  });
}
