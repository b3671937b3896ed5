/** The weights behind a folder: for `train --start`, `eval --weights`, `sft --start` and `export`. */
import { basename, dirname, join } from 'node:path';
import { UsageError } from '../command-line/usage-error.js';
import { checkpointsIn, exists, newestIn, type Place, placeOf } from './place.js';

/** A folder that `savePolicy` wrote has this file. */
const POLICY_FILE = 'policy.json';

export interface FoundWeights {
  /** The argument for `loadPolicy`. */
  readonly folder: string;
  /** The folder with the lists of tasks seen in training. */
  readonly start: string;
  /** The run that they are of, if any. */
  readonly run: string | undefined;
}

/**
 * @param given  A run (its newest weights), `RUN@UPDATE`, a checkpoint, a warm start, or weights alone.
 * @throws {UsageError} It does not exist, or holds no weights; the message says what it holds.
 */
export async function weightsIn(given: string): Promise<FoundWeights> {
  const place = await placeOf(given);
  const start = await startIn(place);
  for (const folder of [join(start, 'policy'), start]) {
    if (!(await exists(join(folder, POLICY_FILE)))) continue;
    return { folder, start: basename(start) === 'policy' ? dirname(start) : start, run: place.run };
  }
  throw new UsageError(`${given} holds no weights of a policy.`, {
    expected: 'a run, RUN@UPDATE, a checkpoint, a warm start, or a folder with policy.json',
    hint: (await exists(join(place.folder, 'config.json')))
      ? 'it is a published model: give it as --model'
      : 'vlgym status FOLDER lists the runs below a folder',
  });
}

/** The folder with the weights, or with `policy` in it. */
async function startIn({ given, folder, update, run }: Place): Promise<string> {
  if (folder !== run) return folder;
  if (update === 0) return join(run, 'start');
  if (update === 'latest') {
    // a finished `sft` has its weights next to its checkpoints
    if (await exists(join(run, 'policy', POLICY_FILE))) return run;
    return (await newestIn(run))?.folder ?? join(run, 'start');
  }
  const kept = await checkpointsIn(run);
  const found = kept.find((each) => each.update === update);
  if (found) return found.folder;
  throw new UsageError(`${given}: the run keeps no checkpoint of update ${update}.`, {
    expected: `one of ${[0, ...kept.map((each) => each.update)].join(', ')}, or latest`,
    hint: 'a run keeps its two newest checkpoints, and its start as update 0',
  });
}
